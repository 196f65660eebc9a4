import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

/** Every module reached from a file, packages of the workspace included. */
function reach(url: string, reached = new Map<string, string[]>()): Map<string, string[]> {
  if (reached.has(url)) return reached;
  const source = readFileSync(new URL(url), 'utf8');
  const imports = Array.from(
    source.matchAll(/^(?:import|export)\s(?!type\b)[^;]*?from '([^']+)'/gm),
    ([, name]) => name ?? '',
  );
  reached.set(url, imports);
  for (const name of imports) {
    if (name.startsWith('.')) reach(new URL(name, url).href, reached);
    else if (name.startsWith('@symbolon/')) reach(import.meta.resolve(name), reached);
  }
  return reached;
}

for (const entry of ['./index.ts', '../portal/index.ts', '../sandbox/index.ts', '../verify/index.ts']) {
  test(`${entry} imports no module that only Node has`, () => {
    const reached = reach(new URL(entry, import.meta.url).href);
    assert.ok(reached.size > 20, 'the walk found the modules');
    for (const [url, imports] of reached) {
      for (const name of imports) assert.doesNotMatch(name, /^node:|^undici$/, `${url} imports ${name}`);
    }
  });
}

test('only the entry that verifies reaches the code for PDF files', () => {
  const { exports } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  for (const [name, file] of Object.entries<string>(exports)) {
    const reached = reach(new URL(`../../${file}`, import.meta.url).href);
    const usesPdf = [...reached.keys()].some((url) => url.includes('/pdf/src/'));
    assert.equal(usesPdf, name === './verify', name);
  }
});
