import type { Readable } from 'node:stream';
import { Type } from 'typebox';
import { PlatformError } from '../core/errors.ts';
import type { App } from './app.ts';

/** Lets the routes of a scope take files of these media types as their bodies. */
export function takeFiles(scope: App, types: readonly string[]): void {
  for (const type of types)
    scope.addContentTypeParser(type, { parseAs: 'buffer' }, (_request: unknown, body: unknown, done) =>
      done(null, body),
    );
}

const ofType = (type: string) => ({ content: { [type]: { schema: { description: 'the file' } } } });

/** The schema of a body that is a file. */
export const fileBody = (type: string) => Type.Unsafe<unknown>(ofType(type));

/** The schema of an answer that is a file. */
export const fileAnswer = (type: string) => Type.Unsafe<Readable>(ofType(type));

/** The file that a body is. @throws {PlatformError} request.unsupported_media_type */
export function fileOf({ body }: { body: unknown }): Buffer {
  if (!Buffer.isBuffer(body)) throw new PlatformError('request.unsupported_media_type');
  return body;
}
