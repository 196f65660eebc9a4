import { AdminMessageList, AdminMessageTry, AdminMessageWithBody } from '@symbolon/protocol';
import { Type } from 'typebox';
import type { App } from '../../../http/app.ts';
import { internalRoutesOf, routesOf } from '../../../http/routes.ts';
import { regionOf } from '../directory/directory-routes.ts';
import type { HeldMessages } from './held-messages.ts';
import { LANES, type MessageQueue } from './message-queue.ts';

/** A message may be as large as the call that caused it; such a message ends its batch. */
const BODY_BYTES_MOST = 16 * 1024 * 1024;

const Batch = Type.Object({
  lane: Type.Integer({ minimum: 0, maximum: LANES - 1 }),
  // Missing from regions of release 0.1.0.
  after: Type.Optional(
    Type.Integer({ minimum: 0, description: 'through this one the messages of the lane were applied' }),
  ),
  messages: Type.Array(
    Type.Object({
      seq: Type.Integer({ minimum: 1 }),
      kind: Type.String(),
      subject: Type.String(),
      body: Type.String({ description: 'JSON' }),
    }),
  ),
});

/** For operators. */
export function heldMessageRoutes(app: App, { heldMessages }: { heldMessages: HeldMessages }): void {
  const route = routesOf(app, { tags: ['operator'], access: ['operator'] });
  const errors = ['admin.message_not_found', 'admin.message_not_first'] as const;
  const params = { seq: Type.String({ pattern: '^[1-9][0-9]{0,15}$' }) };

  route(
    'GET /api/admin/messages',
    {
      summary: 'What waits for other regions',
      description: 'The first message of each lane: it holds those behind it.',
      ok: AdminMessageList,
    },
    async () => ({ items: await heldMessages.list() }),
  );
  route(
    'GET /api/admin/messages/:seq',
    { errors: [...errors], summary: 'Read such a message', params, ok: AdminMessageWithBody },
    ({ params: { seq } }) => heldMessages.read(Number(seq)),
  );
  route(
    'POST /api/admin/messages/:seq/try',
    {
      errors: [...errors, 'region.unavailable'],
      summary: 'Send it once more, now',
      params,
      ok: AdminMessageTry,
    },
    ({ params: { seq } }) => heldMessages.try(Number(seq)),
  );
  route(
    'POST /api/admin/messages/:seq/skip',
    {
      errors: [...errors],
      summary: 'Step over it',
      description: 'The other region never learns what it said. Those behind it arrive.',
      params,
    },
    ({ params: { seq }, ip }) => heldMessages.skip(Number(seq), ip),
  );
}

/** Receives the messages of other regions. */
export function messageRoutes(app: App, { messages }: { messages: MessageQueue }): void {
  const route = internalRoutesOf(app);

  route('POST /internal/messages', { body: Batch, bodyLimit: BODY_BYTES_MOST }, (request) => {
    const { lane, messages: batch, after } = request.body;
    return messages.receive(regionOf(request), lane, batch, after);
  });
}
