import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isHandedOver, socketOf, streamOf } from './secure-server.ts';

/** What depends on whether a response is handed to the socket: exactly one of the two is called, once. */
export interface Handover {
  done(): void;
  failed(): void;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Of a call that the front door passed on: follows its answer to the caller there. */
    followFurther: ((reply: FastifyReply, handover: Handover) => void) | null;
  }
}

/** Follows the answer of a call to whoever made it; call it last before that is written. */
export async function followAnswer(
  { followFurther }: FastifyRequest,
  reply: FastifyReply,
  handover: Handover,
): Promise<void> {
  if (followFurther === null) await followHandover(reply.raw, handover);
  else followFurther(reply, handover);
}

/** A peer that takes no byte for this long is taken for gone. */
const STALLED_MS = 5_000;

/**
 * Follows a response until its last byte is handed to the socket without an error, or cannot be; call it last before that is
 * written. What becomes of the bytes afterwards is not asked: see `ResponseTracker` where it is.
 */
export async function followHandover(response: ServerResponse, handover: Handover): Promise<void> {
  // Until the sockets have been polled once more: a peer that hung up meanwhile is then seen before it is written to.
  await turn();
  await turn();
  const socket = socketOf(response);
  const stream = streamOf(response);
  // A call that took too long was answered otherwise.
  if (
    socket === null ||
    socket.destroyed ||
    socket.readableEnded ||
    stream?.destroyed ||
    response.headersSent
  )
    return handover.failed();
  let settled = false;
  const settle = (isDone: boolean) => {
    if (settled) return;
    settled = true;
    socket.off('error', broke);
    if (isDone) handover.done();
    else handover.failed();
  };
  const broke = () => settle(false);
  socket.on('error', broke);
  response.setTimeout(STALLED_MS);
  // Node emits it when the kernel has taken the bytes, and not after an error. A refusal may be what was sent.
  response.once('finish', () => {
    const isTaken = stream === undefined || isHandedOver(stream);
    settle(isTaken && response.statusCode < 400 && !socket.destroyed && !socket.readableEnded);
  });
  response.once('close', broke);
}

/** To the end of this turn of the event loop. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
