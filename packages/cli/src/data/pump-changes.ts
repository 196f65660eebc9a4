import { type Change, ChangePump, type DataClient } from '@symbolon/sdk';
import { explain } from '../problem.ts';
import { OutputClosed, OutputFailed, writeLine } from '../terminal/output.ts';
import { createPaint, type Paint } from '../terminal/paint.ts';
import { jsonLine, pad, printable } from '../terminal/text.ts';
import { untilSignal } from '../terminal/until-signal.ts';
import { openClient } from './open-client.ts';
import { valueJson, valueLine } from './value-text.ts';

/** Prints changes as they come. One is taken off the buffer only when its line is written, so a broken pipe loses none. */
export async function pumpChanges(options: {
  config?: string;
  buffer: string;
  once?: boolean;
  batch: number;
  json?: boolean;
}): Promise<void> {
  await using client = openClient(options.config);
  const paint = createPaint(process.stdout);
  const { signalled, forget } = untilSignal();
  const ended = Promise.withResolvers<void>();
  const feed = new WatchedFeed(client);
  const pump = new ChangePump({
    client: feed,
    file: options.buffer,
    batchSize: options.batch,
    ...(options.once && { pollMs: ONCE_POLL_MS }),
    handle: (change) => writeLine(options.json ? jsonLine(changeJson(change)) : changeText(change, paint)),
    onError: (error) => {
      const isOver = error instanceof OutputClosed || error instanceof OutputFailed;
      if (isOver || options.once || isHopeless(error)) ended.reject(error);
      else process.stderr.write(`${explain(error).text} Trying again …\n`);
    },
  });
  ended.promise.catch(() => undefined);
  pump.start();
  const settled = options.once ? setInterval(() => isSettled() && ended.resolve(), ONCE_POLL_MS) : undefined;
  const isSettled = () => feed.isEmpty && pump.stats().buffered === 0;
  try {
    await Promise.race([signalled, ended.promise]);
  } finally {
    clearInterval(settled);
    forget();
    await pump.stop();
  }
}

/** A data client's feed that remembers whether its last drain found nothing more. */
class WatchedFeed {
  isEmpty = false;
  readonly #client: DataClient;

  constructor(client: DataClient) {
    this.#client = client;
  }

  async changes(options: Parameters<DataClient['changes']>[0] & { limit: number }) {
    const events = await this.#client.changes(options);
    this.isEmpty = events.length === 0;
    return events;
  }

  openChange(...[event]: Parameters<DataClient['openChange']>) {
    return this.#client.openChange(event);
  }
}

/** Trying again does not help against wrong credentials. */
function isHopeless(error: unknown): boolean {
  const { status, errorKey } = error as { status?: number; errorKey?: string };
  return status === 401 || status === 403 || errorKey === 'sdk.api_url_refused';
}

function changeJson(change: Change): object {
  const { value, raw: _raw, ...members } = change;
  return value === undefined ? members : { ...members, ...valueJson(value) };
}

function changeText(change: Change, paint: Paint): string {
  const { at, event, shareCode, personId, slug, value, messageBody } = change;
  const rest = [
    ...(slug === undefined ? [] : [paint.bold(printable(slug))]),
    ...(value === undefined ? [] : [valueLine(value, paint)]),
    ...(typeof messageBody === 'string' ? [printable(messageBody)] : []),
  ].join('  ');
  return [
    paint.dim(printable(at)),
    pad(paint.name(printable(event)), 20),
    pad(printable(shareCode ?? personId), 8),
    rest,
  ]
    .join('  ')
    .trimEnd();
}

const ONCE_POLL_MS = 20;
