import { TransportError } from './errors.ts';
import type { Runtime } from './runtime.ts';

export type ServerSentEvent = {
  name: string;
  data: string;
  /** Milliseconds to wait before the next connection, when the server said so with this event. */
  retry?: number;
};

/**
 * The events of a stream (WHATWG HTML, 9.2.6), also those without data that only carry `retry`.
 *
 * @throws TransportError when nothing comes for `silenceMs`, not even a comment, or the connection breaks
 */
export async function* serverSentEvents(
  body: ReadableStream<Uint8Array>,
  { sleep, silenceMs }: { sleep: Runtime['sleep']; silenceMs: number },
): AsyncGenerator<ServerSentEvent, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const chunk = await read(reader, sleep, silenceMs);
      if (chunk === undefined) return;
      text += decoder.decode(chunk, { stream: true });
      const blocks = text.split(/\r\n\r\n|\n\n|\r\r/);
      text = blocks.pop() ?? '';
      if (text.length > BLOCK_MOST) throw broken('An event of the stream is too long.');
      for (const block of blocks) {
        const event = parse(block);
        if (event) yield event;
      }
    }
  } finally {
    // Without effect when it has ended; a stream that its reader leaves is closed.
    await reader.cancel().catch(() => undefined);
  }
}

async function read(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  sleep: Runtime['sleep'],
  silenceMs: number,
): Promise<Uint8Array | undefined> {
  const heard = new AbortController();
  const silence = sleep(silenceMs, heard.signal).then(() => {
    throw broken('The stream of events went silent.');
  });
  silence.catch(() => undefined);
  try {
    return (await Promise.race([reader.read(), silence])).value;
  } catch (cause) {
    throw cause instanceof TransportError ? cause : broken('The stream of events broke off.', cause);
  } finally {
    heard.abort();
  }
}

function parse(block: string): ServerSentEvent | undefined {
  let name = 'message';
  let retry: number | undefined;
  const data: string[] = [];
  for (const line of block.split(/\r\n|\n|\r/)) {
    const [, field, value = ''] = /^(\w+)(?:: ?(.*))?$/.exec(line) ?? [];
    if (field === 'event') name = value;
    else if (field === 'data') data.push(value);
    else if (field === 'retry' && /^\d{1,7}$/.test(value)) retry = Number(value);
  }
  if (data.length === 0 && retry === undefined) return undefined;
  return { name, data: data.join('\n'), ...(retry === undefined ? {} : { retry }) };
}

function broken(message: string, cause?: unknown): TransportError {
  return new TransportError({ errorKey: 'sdk.transport', message, cause });
}

/** Characters. The platform's events have a few hundred. */
const BLOCK_MOST = 65_536;
