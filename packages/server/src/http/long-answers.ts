import type { onSendHookHandler } from 'fastify';
import { LongText } from '../core/long-text.ts';
import { Shares } from '../core/shares.ts';
import { refusal } from '../core/turns.ts';
import { partyOf } from './party.ts';

const MIB = 1024 * 1024;

/**
 * Sends long answers slice by slice, and bounds what clients may leave untaken: who asks for many and reads none of them would
 * otherwise take the memory of all.
 */
export function sendLongAnswers(): onSendHookHandler {
  /** Bytes of answers that are on their way. */
  const untaken = new Shares({ perParty: 64 * MIB, inAll: 256 * MIB });
  return (request, reply, payload, next) => {
    if (!(payload instanceof LongText)) return next();
    const { bytes } = payload;
    const party = partyOf(request);
    if (party !== undefined && request.method !== 'HEAD') {
      const exceeded = untaken.exceeded(party, bytes);
      if (exceeded !== undefined)
        return next(refusal(exceeded === 'party' ? 'rate_limit.exceeded' : undefined));
      untaken.take(party, bytes);
      reply.raw.once('close', () => untaken.giveBack(party, bytes));
    }
    reply.header('content-length', bytes);
    next(null, payload.stream());
  };
}
