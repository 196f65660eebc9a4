import { Type } from 'typebox';
import type { App } from '../../../http/app.ts';
import { internalRoutesOf } from '../../../http/routes.ts';
import { regionOf } from '../directory/directory-routes.ts';
import { LANES, type MessageQueue } from './message-queue.ts';

/** A message may be as large as the call that caused it; such a message ends its batch. */
const BODY_BYTES_MOST = 16 * 1024 * 1024;

const Batch = Type.Object({
  lane: Type.Integer({ minimum: 0, maximum: LANES - 1 }),
  messages: Type.Array(
    Type.Object({
      seq: Type.Integer({ minimum: 1 }),
      kind: Type.String(),
      subject: Type.String(),
      body: Type.String({ description: 'JSON' }),
    }),
  ),
});

/** Receives the messages of other regions. */
export function messageRoutes(app: App, { messages }: { messages: MessageQueue }): void {
  const route = internalRoutesOf(app);

  route('POST /internal/messages', { body: Batch, bodyLimit: BODY_BYTES_MOST }, (request) =>
    messages.receive(regionOf(request), request.body.lane, request.body.messages),
  );
}
