import { type EventName, eventNames } from '@symbolon/protocol/constants';
import { Problem } from '../problem.ts';
import { enterPortal } from '../profile/enter-portal.ts';
import { writeLine } from '../terminal/output.ts';
import { createPaint } from '../terminal/paint.ts';
import { jsonLine, pad, printable } from '../terminal/text.ts';
import { type ActOptions, acts } from './acts.ts';
import { type Done, Sandbox } from './sandbox.ts';
import { sandboxPerson } from './sandbox-person.ts';

/** Has the sandbox person raise an event, so often as asked. */
export async function trigger(
  event: string | undefined,
  options: ActOptions & {
    list?: boolean;
    service?: string;
    count: number;
    profile?: string;
    json?: boolean;
  },
): Promise<void> {
  if (options.list) return list(options.json ?? false);
  const act = actOf(event);
  const portal = await enterPortal(options);
  const person = await sandboxPerson(portal.profile.base_url);
  const { client, isNew } = person;
  if (isNew) process.stderr.write(`The sandbox person ${client.person.share_code} is registered.\n`);
  const sandbox = await new Sandbox(person, portal).prepare();
  const paint = createPaint(process.stdout);
  for (let turn = 0; turn < options.count; turn++) {
    const done = await act.run(sandbox, options);
    const { share_code } = client.person;
    await writeLine(
      options.json
        ? jsonLine({ event, share_code, service_id: portal.service.id, ...done })
        : lineOf(String(event), share_code, done, paint),
    );
  }
}

function lineOf(event: string, shareCode: string, done: Done, paint: ReturnType<typeof createPaint>): string {
  const { slug, value, also } = done;
  return [
    `${paint.good('✓')} ${pad(paint.name(event), 18)}`,
    shareCode,
    ...(slug === undefined ? [] : [paint.bold(slug)]),
    ...(value === undefined ? [] : [printable(value)]),
    ...(also.length > 0 ? [paint.dim(`(on the way: ${also.join(', ')})`)] : []),
  ].join('  ');
}

/** @throws Problem for an event that there is not, or that this command does not raise */
function actOf(event: string | undefined) {
  if (event === undefined) {
    throw new Problem('Say which event, such as field_updated: symbolon trigger --list.', { exitCode: 2 });
  }
  const act = acts[event as EventName];
  if (act !== undefined) return act;
  const isKnown = eventNames.some((name) => name === event);
  throw new Problem(
    isKnown
      ? `${event} is not raised by this command: what raises it needs more than the sandbox person. symbolon trigger --list shows what can.`
      : `There is no event ${event}. symbolon trigger --list shows what can be raised.`,
    { exitCode: 2 },
  );
}

async function list(json: boolean): Promise<void> {
  const { name, dim } = createPaint(process.stdout);
  for (const event of eventNames) {
    const does = acts[event]?.does ?? null;
    await writeLine(
      json
        ? jsonLine({ event, does })
        : does === null
          ? dim(`${pad(event, WIDTH)}  not by this command`)
          : `${pad(name(event), WIDTH)}  the sandbox person ${does}`,
    );
  }
}

const WIDTH = 27;
