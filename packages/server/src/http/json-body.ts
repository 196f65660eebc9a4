import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { limits } from '@symbolon/protocol';
import type { FastifyRequest } from 'fastify';
import { PlatformError } from '../core/errors.ts';
import { Pace } from '../core/pace.ts';
import { inTime } from './deadlines.ts';
import { type JsonBounds, JsonReader } from './json-reader.ts';
import type { LargeBody } from './large-bodies.ts';
import { partyOf } from './party.ts';
import type { CheckedBody } from './validation.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The large members of its body, if it may have any. */
    largeBody: LargeBody | null;
  }
  interface FastifyContextConfig {
    /**
     * Reads the whole body once it has come, where it may hold more than is parsed in this thread.
     * @throws {PlatformError} request.malformed, request.too_large
     */
    readsBody?: (bytes: Buffer) => Promise<CheckedBody>;
  }
}

/** Less is put together before it is read. */
const BLOCK = 64 * 1024;

const BOUNDS: JsonBounds = { values: limits.jsonBodyValues, structureBytes: 2 * 1024 * 1024 };
/** Other regions send rows by the thousand, and are trusted. */
const PEER_BOUNDS: JsonBounds = { values: 1_000_000, structureBytes: Number.POSITIVE_INFINITY };

/** Of all that read bodies here: whose body is long reads it a block at a time, and lets others between. */
const pace = new Pace();

/**
 * Reads a JSON body that is in memory already, within the same bounds; undefined for no body at all and for `null`.
 * @throws {PlatformError} request.malformed, request.too_large
 */
export function readJson(body: Buffer, bounds: JsonBounds = BOUNDS): unknown {
  const reader = new JsonReader(bounds);
  for (let at = 0; at < body.length; at += BLOCK) reader.write(body.subarray(at, at + BLOCK));
  return reader.end();
}

/**
 * Reads the JSON body of a request as it arrives (see `JsonReader`). No body at all and `null` are the empty object.
 * @throws {PlatformError} request.malformed, request.too_large
 */
export async function readJsonBody(request: FastifyRequest, body: Readable): Promise<unknown> {
  const { headers, routeOptions, principal, largeBody } = request;
  const most = routeOptions.bodyLimit ?? limits.jsonBodyBytes;
  if (Number(headers['content-length']) > most) throw new PlatformError('request.too_large');
  const { readsBody } = routeOptions.config;
  if (readsBody !== undefined) {
    const bytes = await taken(body, { most, reader: new Gathered(), request });
    return inTime(request, () => readsBody(bytes));
  }
  const bounds = principal?.kind === 'peer' ? PEER_BOUNDS : BOUNDS;
  const reader = new JsonReader(bounds, largeBody?.members);
  const value = await taken(body, { most, reader, request, largeBody });
  await largeBody?.finish();
  return value;
}

/** Keeps a body as it is. */
class Gathered {
  readonly #pieces: Buffer[] = [];

  write(piece: Buffer): void {
    this.#pieces.push(piece);
  }

  end(): Buffer {
    return Buffer.concat(this.#pieces);
  }
}

interface Taking<T> {
  /** Bytes. */
  readonly most: number;
  readonly reader: { write(piece: Buffer): void; end(): T };
  readonly request: FastifyRequest;
  readonly largeBody?: LargeBody | null;
}

/** Takes a body in as it arrives. @throws {PlatformError} request.malformed, request.too_large; and what `reader` throws */
function taken<T>(body: Readable, { most, reader, request, largeBody }: Taking<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let size = 0;
    let block: Buffer[] = [];
    let blockSize = 0;

    const readBlock = () => {
      reader.write(block.length === 1 && block[0] ? block[0] : Buffer.concat(block, blockSize));
      block = [];
      blockSize = 0;
    };
    let failure: unknown;
    const orFail = (read: () => void) => {
      try {
        if (failure === undefined) read();
      } catch (error) {
        // A client that is still sending would not see an answer now, so the rest is thrown away first.
        failure = error;
      }
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > most) {
        body.off('data', onData);
        reject(new PlatformError('request.too_large'));
        return;
      }
      if (failure !== undefined) return;
      block.push(chunk);
      blockSize += chunk.length;
      if (blockSize < BLOCK) return;
      const waitMs = step();
      const waits: Promise<unknown>[] = [];
      if (waitMs >= 1) waits.push(pause(waitMs));
      // A failing disk is reported when the text is finished.
      if (largeBody?.isBehind) waits.push(largeBody.written().catch(() => {}));
      if (waits.length === 0) return;
      body.pause();
      void Promise.all(waits).then(resume);
    };
    /** Milliseconds until the next one. */
    const step = () => {
      const party = partyOf(request);
      if (party !== undefined) return pace.step(party, () => orFail(readBlock));
      orFail(readBlock);
      return 0;
    };
    const resume = () => void body.resume();
    body.on('data', onData);
    body.on('error', (cause) => reject(new PlatformError('request.malformed', { cause })));
    body.on('end', () => {
      orFail(() => {
        readBlock();
        resolve(reader.end());
      });
      if (failure !== undefined) reject(failure);
    });
  });
}
