import { createHmac } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ChangeEvent } from '@symbolon/protocol';
import { type Change, ChangePump } from '@symbolon/sdk';
import { explain, Problem } from '../problem.ts';
import { configFolder } from '../profile/config-folder.ts';
import { createPaint } from '../terminal/paint.ts';
import { untilSignal } from '../terminal/until-signal.ts';
import { Board } from './board.ts';
import type { Forwarder, Outcome, Post } from './forwarder.ts';
import { type ListenOptions, openerOf } from './options.ts';
import { freshSecret, secretOf } from './secret.ts';

/**
 * Listens by draining the pull feed, which takes its events from whoever else follows it. What is drained is kept on disk
 * until the endpoint has answered 200, and given up after some tries as `symbolon pump` does.
 */
export async function pollFeed(options: ListenOptions, forwarder: Forwarder | undefined): Promise<void> {
  if (options.format !== 'json') throw new Problem('--poll-feed gives JSON only.', { exitCode: 2 });
  const client = openerOf(options);
  if (client === undefined) {
    throw new Problem('--poll-feed needs a data client: give its configuration with --config FILE.', {
      exitCode: 2,
    });
  }
  const { service_id } = await client.whoami();
  const opened = new Map<string, Change>();
  const board = new Board({
    open: async ({ id }) => opened.get(id),
    parks: false,
    json: options.json ?? false,
  });
  const secret = feedSecret(options.profile);
  const folder = join(configFolder(), 'listen');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const buffer = join(folder, `${service_id}.db`);
  const { signalled, forget } = untilSignal();
  const ended = Promise.withResolvers<never>();
  ended.promise.catch(() => undefined);
  const pump = new ChangePump({
    client,
    file: buffer,
    pollMs: 500,
    idlePollMs: 2000,
    handle: async (change) => {
      const event = change.raw;
      if (options.events !== undefined && !options.events.includes(event.event)) return;
      const outcome: Outcome = (await forwarder?.post(postOf(event, secret))) ?? { kind: 'shown' };
      opened.set(event.id, change);
      await board.show(event, outcome, null);
      opened.delete(event.id);
      const isDone = outcome.kind === 'shown' || (outcome.kind === 'answered' && outcome.status === 200);
      if (!isDone) throw new NotTaken('The endpoint did not answer 200.');
    },
    onError: (error) => {
      if (error instanceof NotTaken) return;
      const { status } = error as { status?: number };
      if (status === 401 || status === 403) ended.reject(error);
      else process.stderr.write(`${explain(error).text} Trying again …\n`);
    },
  });
  const { bold, bad, dim } = createPaint(process.stdout);
  try {
    pump.start();
    await board.say(
      'ready',
      { service_id, drains_pull_feed: true, webhook_secret: secret, forward_to: forwarder?.address ?? null },
      [
        `${bad('!')} ${bold('Draining the pull feed')}: no other client gets the events shown here${options.events ? ', nor those left out by --events' : ''}.`,
        `   ${dim('forwards')}  ${forwarder === undefined ? 'nothing' : `to ${forwarder.address}, as a webhook would`}`,
        `   ${dim('secret  ')}  ${secret}`,
        `   ${dim('buffer  ')}  ${buffer}  ${dim('what the endpoint does not take in four tries: symbolon pump dead --buffer FILE')}`,
        '',
      ].join('\n'),
    );
    await Promise.race([signalled, board.closed, ended.promise]);
  } finally {
    forget();
    forwarder?.close();
    await pump.stop();
    await board.settled();
    await client.close();
  }
}

/** An event of the feed in the form of a webhook's delivery (wire 6.3). */
function postOf(event: ChangeEvent, secret: string): Post {
  const body = Buffer.from(JSON.stringify(event));
  const headers = {
    'content-type': 'application/json',
    'content-length': String(body.length),
    'user-agent': 'symbolon listen --poll-feed',
    'x-platform-webhook-id': 'poll-feed',
    'x-platform-event': event.event,
    'x-platform-signature': createHmac('sha256', secret).update(body).digest('hex'),
  };
  return { rawHeaders: Object.entries(headers).flat(), body };
}

/** The profile's when there is one, so that an endpoint keeps its configured secret. */
function feedSecret(profile: string | undefined): string {
  try {
    return secretOf(profile);
  } catch (error) {
    if (profile === undefined && error instanceof Problem) return freshSecret();
    throw error;
  }
}

class NotTaken extends Error {}
