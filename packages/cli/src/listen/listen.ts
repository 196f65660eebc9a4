import { eventNames } from '@symbolon/protocol/constants';
import { Problem } from '../problem.ts';
import { enterPortal, type Portal } from '../profile/enter-portal.ts';
import { createPaint } from '../terminal/paint.ts';
import { printable } from '../terminal/text.ts';
import { untilSignal } from '../terminal/until-signal.ts';
import { Board } from './board.ts';
import { endpointOf, Forwarder } from './forwarder.ts';
import { LocalReceiver } from './local-receiver.ts';
import { type ListenOptions, openerOf } from './options.ts';
import { pollFeed } from './poll-feed.ts';
import { printSecret, secretOf } from './secret.ts';
import { takeDelivery } from './take-delivery.ts';
import { FEED_INSTEAD, makeTemporaryWebhook, removeAbandoned } from './temporary-webhook.ts';
import { isThisMachine } from './this-machine.ts';

/** Shows deliveries, and forwards them when there is an endpoint, until Ctrl-C. */
export async function listen(options: ListenOptions): Promise<void> {
  if (options.printSecret) return printSecret(options.profile);
  const unknown = options.events?.find((name) => !eventNames.some((known) => known === name));
  if (unknown !== undefined) {
    throw new Problem(`There is no event ${unknown}. There are ${eventNames.join(', ')}.`, { exitCode: 2 });
  }
  const { forwardTo } = options;
  const forwarder = forwardTo === undefined ? undefined : new Forwarder(endpointOf(forwardTo), options);
  if (options.pollFeed) return pollFeed(options, forwarder);
  await listenByWebhook(options, forwarder);
}

async function listenByWebhook(options: ListenOptions, forwarder: Forwarder | undefined): Promise<void> {
  const portal = await enterPortal(options);
  const { base_url: baseUrl } = portal.profile;
  if (!(await isThisMachine(baseUrl))) {
    throw new Problem(
      `The platform at ${baseUrl} is not on this machine and cannot reach it: its webhooks need a public https address, which you give it in the portal. ${FEED_INSTEAD}`,
    );
  }
  const secret = secretOf(portal.name);
  const opener = openerOf(options);
  const board = new Board({
    open: async (event) => opener?.openChange(event),
    parks: true,
    json: options.json ?? false,
  });
  const { signalled, forget } = untilSignal();
  const registered = Promise.withResolvers<string>();
  const proven = { yet: false };
  const receiver = await LocalReceiver.start(async (incoming, response) => {
    const webhookId = await registered.promise;
    await takeDelivery({ webhookId, secret, forwarder, board, proven }, incoming, response);
  });
  try {
    const abandoned = await removeAbandoned(portal);
    const { url } = receiver;
    const webhook = await makeTemporaryWebhook(portal, {
      ...options,
      events: options.events ?? [],
      url,
      secret,
    });
    registered.resolve(webhook.id);
    try {
      await webhook.prove();
      proven.yet = true;
      await greet(board, { portal, options, forwarder, secret, webhookId: webhook.id, abandoned });
      await Promise.race([signalled, board.closed]);
    } finally {
      await webhook.remove();
    }
  } finally {
    forget();
    forwarder?.close();
    await receiver.stop();
    await board.settled();
    await opener?.close();
  }
}

async function greet(
  board: Board,
  what: {
    portal: Portal;
    options: ListenOptions;
    forwarder: Forwarder | undefined;
    secret: string;
    webhookId: string;
    abandoned: number;
  },
): Promise<void> {
  const { portal, options, forwarder, secret, webhookId, abandoned } = what;
  const { service, company } = portal;
  const { bold, dim, good } = createPaint(process.stdout);
  const events = options.events?.join(', ') ?? 'all events';
  const fact = (name: string, text: string) => `   ${dim(name.padEnd(8))}  ${text}`;
  const forward_to = forwarder?.address ?? null;
  const lines = [
    `${good('✓')} Listening to ${bold(printable(`${company.name}, ${service.name}`))} ${dim(`${service.share_code}, ${events}, ${options.format}`)}`,
    fact('forwards', forward_to === null ? 'nothing; --forward-to names an endpoint' : `to ${forward_to}`),
    fact('secret', `${secret}  ${dim('signs every delivery, the same next time')}`),
    fact('webhook', `${webhookId}  ${dim('goes at Ctrl-C')}`),
    ...(abandoned > 0
      ? [dim(`   Webhooks that earlier listeners left behind were removed: ${abandoned}.`)]
      : []),
    '',
  ];
  await board.say(
    'ready',
    { service_id: service.id, webhook_id: webhookId, webhook_secret: secret, forward_to },
    lines.join('\n'),
  );
}
