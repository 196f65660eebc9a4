import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { LargeSource } from '../core/large-text.ts';
import { escaped, escapeJson } from './large-answer.ts';
import { isLargeText } from './large-bodies.ts';

/** A body with large members as JSON again, for another region to read; undefined for a body without any. */
export async function writtenBody(body: unknown): Promise<LargeSource | undefined> {
  const members = Object.entries((body ?? {}) as Record<string, unknown>);
  if (!members.some(([, member]) => isLargeText(member))) return undefined;
  const open = () => Readable.from(written(members), { objectMode: false });
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of open()) {
    hash.update(piece as Buffer);
    bytes += (piece as Buffer).length;
  }
  return { bytes, sha256: hash.digest('hex'), open };
}

async function* written(members: readonly (readonly [string, unknown])[]): AsyncGenerator<Buffer> {
  let before = '{';
  for (const [name, member] of members) {
    if (member === undefined) continue;
    yield Buffer.from(`${before}${JSON.stringify(name)}:`);
    before = ',';
    if (isLargeText(member)) {
      yield Buffer.from('"');
      yield* escaped(member.open(), escapeJson);
      yield Buffer.from('"');
    } else yield Buffer.from(JSON.stringify(member));
  }
  yield Buffer.from('}');
}
