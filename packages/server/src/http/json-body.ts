import { limits } from '@symbolon/protocol';
import type { FastifyRequest } from 'fastify';
import { PlatformError } from '../core/errors.ts';
import { type JsonBounds, JsonReader } from './json-reader.ts';

/** Less is put together before it is read. */
const BLOCK = 64 * 1024;

const BOUNDS: JsonBounds = { values: limits.jsonBodyValues, structureBytes: 2 * 1024 * 1024 };
/** Other regions send rows by the thousand, and are trusted. */
const PEER_BOUNDS: JsonBounds = { values: 1_000_000, structureBytes: Number.POSITIVE_INFINITY };

/**
 * Reads the JSON body of a request as it arrives (see `JsonReader`). No body at all and `null` are the empty object.
 * @throws {PlatformError} request.malformed, request.too_large
 */
export async function readJsonBody(request: FastifyRequest): Promise<unknown> {
  const { raw, routeOptions, principal } = request;
  const most = routeOptions.bodyLimit ?? limits.jsonBodyBytes;
  if (Number(raw.headers['content-length']) > most) throw new PlatformError('request.too_large');
  const reader = new JsonReader(principal?.kind === 'peer' ? PEER_BOUNDS : BOUNDS);
  return new Promise((resolve, reject) => {
    let size = 0;
    let block: Buffer[] = [];
    let blockSize = 0;

    const readBlock = () => {
      reader.write(block.length === 1 && block[0] ? block[0] : Buffer.concat(block, blockSize));
      block = [];
      blockSize = 0;
    };
    const orFail = (read: () => void) => {
      try {
        read();
      } catch (error) {
        raw.off('data', onData).off('end', onEnd).off('error', reject);
        reject(error);
      }
    };
    const onData = (chunk: Buffer) =>
      orFail(() => {
        size += chunk.length;
        if (size > most) throw new PlatformError('request.too_large');
        block.push(chunk);
        blockSize += chunk.length;
        if (blockSize >= BLOCK) readBlock();
      });
    const onEnd = () =>
      orFail(() => {
        readBlock();
        resolve(reader.end());
      });
    raw.on('data', onData).on('end', onEnd).on('error', reject);
  });
}
