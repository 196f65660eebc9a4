import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ResponseTracker } from '../../../http/response-tracker.ts';
import type { Drain, DrainRequest } from './changes.ts';

/**
 * Answers a drain. By word the client itself tells later what has arrived; else its next drain of the same channel confirms,
 * or what the transport tells.
 * @param channel what is drained: a feed or a webhook, by its id
 */
export async function answerDrain<D extends Drain>(
  { request, reply, responses }: { request: FastifyRequest; reply: FastifyReply; responses: ResponseTracker },
  channel: string,
  query: DrainRequest,
  drain: (query: DrainRequest) => Promise<D>,
): Promise<{ changes: D['events'][number][] }> {
  const byWord = query.after !== undefined;
  const kind = `${channel} ${query.clientId}`;
  if (!byWord) await responses.confirmBefore(request.raw, kind);
  const drained = await drain(query);
  if (!byWord && drained.events.length > 0) await responses.watch(reply.raw, kind, drained);
  // A proxy that keeps the answer for itself would hide for longer that its client is gone.
  reply.header('x-accel-buffering', 'no');
  return { changes: [...drained.events] };
}
