import type { ServerResponse } from 'node:http';
import { parseDelivery, verifyDelivery } from '@symbolon/sdk/webhooks';
import { explain } from '../problem.ts';
import type { Board } from './board.ts';
import type { Forwarder, Outcome } from './forwarder.ts';
import type { Incoming } from './local-receiver.ts';

/** Verifies a delivery, hands it on, answers the platform, and shows what has become of it. */
export async function takeDelivery(
  context: {
    webhookId: string;
    secret: string;
    forwarder: Forwarder | undefined;
    board: Board;
    /** Before it is true, the platform's own test is answered here: it asks for this process, not for the endpoint. */
    proven: { readonly yet: boolean };
  },
  incoming: Incoming,
  response: ServerResponse,
): Promise<void> {
  const { webhookId, secret, forwarder, board, proven } = context;
  const { headers, body } = incoming;
  const parsed = await verifyDelivery(
    incoming,
    { authType: 'hmac', secret },
    wordOf(headers, webhookId),
  ).then(
    () => parseDelivery(body),
    (error: unknown) => error,
  );
  if (parsed instanceof Error || typeof parsed !== 'object' || parsed === null || !('event' in parsed)) {
    response.writeHead(401, { 'content-length': 0 }).end();
    process.stderr.write(`Something that is no delivery was refused: ${explain(parsed).text}\n`);
    return;
  }
  const { event } = parsed as Awaited<ReturnType<typeof parseDelivery>>;
  const isProof = 'test' in event && event.test === true && !proven.yet;
  if (isProof || forwarder === undefined) {
    response.writeHead(200, { 'content-length': 0 }).end();
    if (!isProof) await board.show(event, { kind: 'shown' }, statusOf({ kind: 'shown' }));
    return;
  }
  const outcome = await forwarder.relay(incoming, response);
  await board.show(event, outcome, statusOf(outcome));
}

/** What the platform was answered. */
function statusOf(outcome: Outcome): number | null {
  switch (outcome.kind) {
    case 'shown':
      return 200;
    case 'answered':
      return outcome.tooLate ? null : outcome.status;
    case 'unreached':
      return 502;
  }
}

/** The word in the platform's header names, which its operator may have changed: seen at the header with our id. */
function wordOf(headers: Incoming['headers'], webhookId: string): { headerName?: string } {
  for (const [name, value] of Object.entries(headers)) {
    const word = /^x-(.+)-webhook-id$/.exec(name)?.[1];
    if (word !== undefined && value === webhookId) return { headerName: word };
  }
  return {};
}
