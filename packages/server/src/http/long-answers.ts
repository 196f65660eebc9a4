import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify';
import { LongText } from '../core/long-text.ts';
import { Shares } from '../core/shares.ts';
import { refusal } from '../core/turns.ts';
import { inTime } from './deadlines.ts';
import type { LargeXml } from './large-xml.ts';
import { partyOf } from './party.ts';

const MIB = 1024 * 1024;

/** An answer that becomes XML on its way: a large one takes too long where the framework writes answers. */
class Unwritten {
  readonly payload: unknown;

  constructor(payload: unknown) {
    this.payload = payload;
  }
}

/** The serializer of an answer that is sent as XML; the framework hands on whatever it makes. */
export const asXml = (payload: unknown) => new Unwritten(payload) as unknown as string;

/**
 * Sends long answers slice by slice, and bounds what clients may leave untaken: who asks for many and reads nothing would
 * otherwise take the memory of all. Writes what is sent as XML.
 */
export function sendAnswers(xml: Pick<LargeXml, 'answer'>): onSendHookHandler {
  /** Bytes of answers that are on their way. */
  const untaken = new Shares({ perParty: 64 * MIB, inAll: 256 * MIB });
  const streamed = (text: LongText, request: FastifyRequest, reply: FastifyReply): Readable => {
    const { bytes } = text;
    const party = partyOf(request);
    if (party !== undefined && request.method !== 'HEAD') {
      const exceeded = untaken.exceeded(party, bytes);
      if (exceeded !== undefined) throw refusal(exceeded === 'party' ? 'rate_limit.exceeded' : undefined);
      untaken.take(party, bytes);
      reply.raw.once('close', () => untaken.giveBack(party, bytes));
    }
    reply.header('content-length', bytes);
    return text.stream();
  };
  const written = async (
    payload: Unwritten | LongText,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<string | Readable> => {
    const text =
      payload instanceof LongText ? payload : await inTime(request, () => xml.answer(payload.payload));
    return typeof text === 'string' ? text : streamed(text, request, reply);
  };
  return (request, reply, payload, next) => {
    if (payload instanceof Unwritten || payload instanceof LongText)
      written(payload, request, reply).then((sent) => next(null, sent), next);
    else next();
  };
}
