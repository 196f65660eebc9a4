import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

/** What a page loads with it, from our own files. */
function reachedFrom(entry: URL, reached = new Map<string, string>()): Map<string, string> {
  if (reached.has(entry.href)) return reached;
  const source = readFileSync(entry, 'utf8');
  reached.set(entry.href, source);
  for (const [statement, path = ''] of source.matchAll(/^(?:import|export)[^;]*? from '(\.[^']+)';/gms)) {
    if (!/^(import|export) type /.test(statement)) reachedFrom(new URL(path, entry), reached);
  }
  return reached;
}

/** What is of Node; not what is asked for, and done without where it is not there, as in `latin1.ts`. */
const OF_NODE = /from 'node:|(?<!Reflect\.get\(globalThis, ')\bBuffer\b(?!<)|\bprocess\.|require\(/;

for (const [what, entry, least] of [
  ['verifying', './index.ts', 9],
  ['telling what a file holds', '../file/contents.ts', 5],
] as const)
  test(`${what} needs nothing of Node`, () => {
    const files = reachedFrom(new URL(entry, import.meta.url));
    assert.ok(files.size >= least);
    for (const [file, source] of files) {
      assert.doesNotMatch(source, OF_NODE, file);
    }
  });
