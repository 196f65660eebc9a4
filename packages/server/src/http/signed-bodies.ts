import { createHash, type Hash } from 'node:crypto';
import { Transform } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { refusalOfToken } from '../access/authenticator.ts';
import type { App } from './app.ts';

/** SHA-256 of a body, as tokens of other regions name it. */
export const bodyDigest = (body: string | Buffer) => createHash('sha256').update(body).digest('base64url');

/** Refuses calls of other regions whose body is not the one that was signed: before it is validated. */
export function checkSignedBodies(app: App): void {
  app.decorateRequest('peer', null);
  /** Of the bytes that were read. */
  const hashes = new WeakMap<FastifyRequest, Hash>();
  app.addHook('preParsing', (request, _reply, payload, done) => {
    if (request.peer === null) return done(null, payload);
    const hash = createHash('sha256');
    hashes.set(request, hash);
    const hashed = Object.assign(
      new Transform({
        transform(chunk: Buffer, _encoding, next) {
          hash.update(chunk);
          hashed.receivedEncodedLength += chunk.length;
          next(null, chunk);
        },
      }),
      { receivedEncodedLength: 0 },
    );
    payload.on('error', (error) => hashed.destroy(error));
    done(null, payload.pipe(hashed));
  });
  app.addHook('preValidation', (request, _reply, done) => {
    const read = hashes.get(request)?.digest('base64url');
    if (request.peer === null || request.peer.body === read) done();
    else done(refusalOfToken('auth.invalid'));
  });
}
