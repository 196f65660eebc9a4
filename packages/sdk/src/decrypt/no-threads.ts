import type { KeyObject } from 'node:crypto';
import { type OpenedBatch, openBatch, type SealedBatch } from './open-batch.ts';

/**
 * Whether a thread did not start because its file, or one that it imports, is not there. A bundle in one file has no file
 * for threads, one in CommonJS has no `import.meta.url` to look for it beside, and one with the file alone has none of its
 * imports, or calls a module what Node takes for CommonJS.
 */
export function isMissingFile(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false;
  return cause.name === 'SyntaxError' || ('code' in cause && MISSING.has(String(cause.code)));
}

/** Tells once in a process what is slower, and how to mend it. */
export function warnOnce(): void {
  if (warned) return;
  warned = true;
  process.emitWarning(
    'Values are decrypted on the main thread: the bundle has no file symbolon-decrypt-worker.js. ' +
      'Leave @symbolon/sdk out of the bundle (external), or make @symbolon/sdk/symbolon-decrypt-worker an entry beside it.',
    { type: 'SymbolonWarning', code: 'SYMBOLON_NO_DECRYPT_THREADS' },
  );
}

/** Opens a batch on this thread, a few values in a turn, so that other work goes on in between. */
export async function openHere(
  { wrappers, salts, hashes }: SealedBatch,
  key: KeyObject,
  inTurn: number,
  signal?: AbortSignal,
): Promise<OpenedBatch> {
  const opened: OpenedBatch = { texts: [], attested: [] };
  for (let at = 0; at < wrappers.length; at += inTurn) {
    signal?.throwIfAborted();
    const few = (column: (string | null)[]) => column.slice(at, at + inTurn);
    const part = { wrappers: wrappers.slice(at, at + inTurn), salts: few(salts), hashes: few(hashes) };
    const { texts, attested } = openBatch(part, key);
    opened.texts.push(...texts);
    opened.attested.push(...attested);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return opened;
}

let warned = false;
const MISSING = new Set([
  'MODULE_NOT_FOUND',
  'ERR_MODULE_NOT_FOUND',
  'ERR_INVALID_URL',
  'ERR_INVALID_FILE_URL_PATH',
]);
