import { limits } from '@symbolon/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PlatformError } from '../core/errors.ts';
import { Shares } from '../core/shares.ts';
import { refusal } from '../core/turns.ts';
import { largeMembersOf } from './large-bodies.ts';
import { partyOf } from './party.ts';
import { streamOf } from './secure-server.ts';

const MIB = 1024 * 1024;
/** A body of this size takes no more memory than the connection itself. */
const SMALL = 16 * 1024;

/** Decides before a body is read whether there is room for it. */
export class BodyAdmission {
  /** Bytes of bodies that are being read or worked on; work on a body takes a few times its size. */
  readonly #bytes = new Shares({ perParty: 64 * MIB, inAll: 256 * MIB });
  readonly #uploads = new Shares({ perParty: 4, inAll: 16 });

  /**
   * Lets a body in; a client that waits for `100 Continue` gets it.
   * @throws {PlatformError} request.unsupported_media_type, request.too_large, rate_limit.exceeded, platform.busy
   */
  admit(request: FastifyRequest, reply: FastifyReply): void {
    this.#take(request, reply);
    if (request.headers.expect?.toLowerCase() === '100-continue') reply.raw.writeContinue();
  }

  #take(request: FastifyRequest, reply: FastifyReply): void {
    const { headers, routeOptions } = request;
    const most = routeOptions.bodyLimit ?? limits.jsonBodyBytes;
    const length = headers['content-length'];
    const size = length !== undefined ? Number(length) : hasBody(request) ? most : 0;
    if (size === 0) return;
    if (isEncoded(headers['content-encoding']))
      throw new PlatformError('request.unsupported_media_type', {
        headers: { 'accept-encoding': 'identity' },
        text: 'Send the body without Content-Encoding.',
      });
    if (size > most) throw unread(new PlatformError('request.too_large'));
    if (size <= SMALL) return;
    const party = partyOf(request);
    if (party === undefined) return;
    // Looking the caller up took a while: of a client that has gone meanwhile, nothing would tell when to give back.
    if (reply.raw.closed) throw unread(new PlatformError('request.malformed'));
    const isUpload = size > limits.jsonBodyBytes;
    // Of a body with large members only a part is in memory at a time.
    const bytes = isStreamed(routeOptions.schema?.body) ? Math.min(size, limits.jsonBodyBytes) : size;
    const exceeded =
      this.#bytes.exceeded(party, bytes) ?? (isUpload ? this.#uploads.exceeded(party) : undefined);
    if (exceeded !== undefined)
      throw unread(refusal(exceeded === 'party' ? 'rate_limit.exceeded' : undefined));
    this.#bytes.take(party, bytes);
    if (isUpload) this.#uploads.take(party);
    reply.raw.once('close', () => {
      this.#bytes.giveBack(party, bytes);
      if (isUpload) this.#uploads.giveBack(party);
    });
  }
}

function isStreamed(schema: unknown): boolean {
  const members = largeMembersOf(schema);
  return members !== undefined && ![...members.values()].includes('memory');
}

/** The refusal of a large body: the connection ends, so that the body is not read to be thrown away. */
function unread({ key, headers }: PlatformError): PlatformError {
  return new PlatformError(key, { headers: { ...headers, connection: 'close' } });
}

/** Whether a body comes whose length is not known. */
function hasBody({ headers, raw }: FastifyRequest): boolean {
  const stream = streamOf(raw);
  return stream === undefined ? headers['transfer-encoding'] !== undefined : !stream.endAfterHeaders;
}

/** Whether a body is compressed (RFC 9110 8.4). A small one could then be any size. */
function isEncoded(encoding: string | undefined): boolean {
  return encoding !== undefined && encoding.toLowerCase() !== 'identity';
}
