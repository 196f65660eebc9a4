import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { undocumentedNames } from './checks/configuration-page.ts';
import { brokenLinks } from './checks/links.ts';
import { machinePaths } from './checks/machine-paths.ts';

test('links that lead somewhere are fine', async (t) => {
  const { root, files } = await project(t, {
    'README.md': `
# Hello, \`world\`: a_b!
## Twice
## Twice
<a id="by-hand"></a>
[file](docs/a.md) [heading](docs/a.md#one-two--three) [folder](docs/) [image: ![x](img/p%20q.png)](docs)
[here](#hello-world-a_b) [second](#twice-1) [anchor](#by-hand) [line](src/x.ts#L3) [top](/src/x.ts)
[web](https://example.com/none.md) [mail](mailto:a@example.com) [angle](<docs/b (1).md>) [title](docs/a.md "it")
[reference][r] \`[code](none.md)\` <img src="img/p q.png">

[r]: ./docs/a.md
`,
    'docs/a.md':
      '# One *two* & [three](../README.md#twice)\n~~~md\n[fenced](none.md)\n~~~\n[up](../README.md)\n',
    'docs/b (1).md': '',
    'img/p q.png': '',
    'src/x.ts': '',
  });
  assert.deepEqual(brokenLinks(root, files), []);
});

test('links that lead nowhere are named with their line', async (t) => {
  const { root, files } = await project(t, {
    'README.md':
      '# Title\n[file](none.md)\n\n```sh\n# not-a-heading\n```\n[heading](#not-a-heading) [a](docs/a.md#b)\n',
    'docs/a.md': '[outside](../../x.md) <a href="b.md">b</a>\n\n[r]: c.md\n',
  });
  assert.deepEqual(brokenLinks(root, files), [
    'README.md:2: link to none.md: no such file',
    'README.md:7: link to #not-a-heading: no such heading',
    'README.md:7: link to docs/a.md#b: no such heading',
    'docs/a.md:1: link to ../../x.md: no such file',
    'docs/a.md:1: link to b.md: no such file',
    'docs/a.md:3: link to c.md: no such file',
  ]);
});

test('absolute paths of a machine are found, paths that only look like one are not', async (t) => {
  // Put together here, or this very file would not pass the check.
  const path = ['', 'root', 'x'].join('/');
  const { root, files } = await project(t, {
    'a.md': `fine: src${path} ./a${path} https://example.com${path}\nsee ${path}`,
    'b.ts': `const a = '${path}';\nconst b = 'file://${path}';`,
    'c.bin': `\0${path}`,
    'package-lock.json': path,
  });
  assert.deepEqual(
    machinePaths(root, files).map((problem) => problem.split(': ')[0]),
    ['a.md:2', 'b.ts:1', 'b.ts:2'],
  );
});

test('the page about configuration and the table of variables name the same', () => {
  const page = '| `SYMBOLON_PORT` | and `SYMBOLON_GONE=1`, `SYMBOLON_*`; `TEST_DATABASE_URL` |';
  assert.deepEqual(
    undocumentedNames(['SYMBOLON_PORT', 'SYMBOLON_HOST', 'DATABASE_URL'], page).map(
      (line) => line.split(' ')[1],
    ),
    ['SYMBOLON_HOST', 'DATABASE_URL', 'SYMBOLON_GONE'],
  );
});

async function project(t: TestContext, contents: Readonly<Record<string, string>>) {
  const root = await mkdtemp(join(tmpdir(), 'symbolon-check-docs-'));
  t.after(() => rm(root, { recursive: true }));
  for (const [file, text] of Object.entries(contents)) {
    await mkdir(join(root, dirname(file)), { recursive: true });
    await writeFile(join(root, file), text);
  }
  return { root, files: Object.keys(contents) };
}
