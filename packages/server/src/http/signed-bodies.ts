import { createHash, type Hash, hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { refusalOfToken } from '../access/authenticator.ts';
import type { App } from './app.ts';

/** SHA-256 of a body, as tokens of other regions name it. */
export const bodyDigest = (body: string | Buffer) => hash('sha256', body, 'base64url');

/** Refuses calls of other regions whose body is not the one that was signed: before it is validated. */
export function checkSignedBodies(app: App): void {
  app.decorateRequest('peer', null);
  /** Of the bytes that were read. */
  const hashes = new WeakMap<FastifyRequest, Hash>();
  app.addHook('preParsing', (request, _reply, payload, done) => {
    if (request.peer === null) return done(null, payload);
    const read = createHash('sha256');
    hashes.set(request, read);
    // The stream begins to flow in the next turn, and whoever reads the body listens to it in this one.
    payload.on('data', (piece: Buffer) => read.update(piece));
    done(null, payload);
  });
  app.addHook('preValidation', (request, _reply, done) => {
    const read = hashes.get(request)?.digest('base64url');
    if (request.peer === null || request.peer.body === read) done();
    else done(refusalOfToken('invalid'));
  });
}
