/**
 * Takes pictures of the pages, from their tests. Of every page and sheet that a test checks, on a phone and on a desk, in light and in dark,
 * beside each other in `reports/pictures/index.html`; with `--docs` those of the docs alone. `npm run pictures -- [--docs] [PATH]…`
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PICTURES_VARIABLE } from '@symbolon/testkit/browser/pictures';
import { parsedArguments } from './usage.ts';

const { values, positionals } = parsedArguments('npm run pictures -- [--docs] [PATH]…', {
  options: { docs: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const FOLDER = join(import.meta.dirname, '../reports/pictures');
if (!values.docs) rmSync(FOLDER, { recursive: true, force: true });
const paths = positionals.length > 0 ? positionals : ['test/browser'];
const run = spawnSync(process.execPath, [join(import.meta.dirname, 'test.ts'), ...paths], {
  stdio: 'inherit',
  env: { ...process.env, [PICTURES_VARIABLE]: values.docs ? 'docs' : 'all' },
});
if (!values.docs) console.log(writeIndex());
process.exitCode = run.status ?? 1;

/** Writes the page that shows all of them, and gives where it is. */
function writeIndex(): string {
  const names = readdirSync(FOLDER)
    .filter((name) => name.endsWith('.light.png'))
    .sort();
  const rows = names.map((name) => {
    const both = [name, name.replace('.light.', '.dark.')].map(
      (each) => `<a href="${each}"><img loading="lazy" src="${each}" alt="${each}"></a>`,
    );
    return `<h2>${name.replace('.light.png', '')}</h2><p>${both.join(' ')}</p>`;
  });
  const path = join(FOLDER, 'index.html');
  const style = 'body{font:16px sans-serif}img{max-width:48%;vertical-align:top;border:1px solid #888}';
  writeFileSync(
    path,
    `<!doctype html><meta charset="utf-8"><title>Pages</title><style>${style}</style>${rows.join('')}`,
  );
  return `${names.length} pages in light and dark: ${path}`;
}
