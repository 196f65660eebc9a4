import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const PUBLIC = join(import.meta.dirname, '../public');
const manifest = JSON.parse(readFileSync(join(PUBLIC, 'app.webmanifest'), 'utf8'));

type Icon = { src: string; sizes: string; type?: string; purpose?: string };

/** Width and height stand at the head of a PNG file. */
function sizeOf(file: string): string {
  const bytes = readFileSync(join(PUBLIC, file));
  assert.equal(bytes.subarray(1, 4).toString(), 'PNG', file);
  return `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`;
}

test('the installed app has icons of the sizes that it names, one of which may be cut to any shape', () => {
  const icons: Icon[] = [
    ...manifest.icons,
    ...manifest.shortcuts.flatMap(({ icons }: { icons: Icon[] }) => icons),
  ];
  for (const { src, sizes } of icons.filter(({ src }) => src.endsWith('.png')))
    assert.equal(sizeOf(src), sizes, src);
  // Browsers ask for these two.
  for (const size of ['192x192', '512x512'])
    assert.ok(manifest.icons.some((icon: Icon) => icon.sizes === size && icon.purpose === undefined));
  assert.ok(manifest.icons.some(({ purpose }: Icon) => purpose === 'maskable'));
  assert.equal(sizeOf('icon-180.png'), '180x180');
});

test('files are shared to the address that the service worker answers', () => {
  const { action, method, enctype, params } = manifest.share_target;
  const worker = readFileSync(join(import.meta.dirname, 'service-worker.ts'), 'utf8');
  assert.deepEqual([method, enctype], ['POST', 'multipart/form-data']);
  assert.ok(worker.includes(`'${action}'`) && worker.includes(`getAll('${params.files[0].name}')`));
});

test('the installed app begins at a page of the person, as its shortcuts do, and stays the same app', () => {
  const addresses = [manifest.start_url, ...manifest.shortcuts.map(({ url }: { url: string }) => url)];
  const routes = readFileSync(join(import.meta.dirname, 'routes/person.ts'), 'utf8');
  for (const address of addresses) assert.ok(routes.includes(`'${address}'`), address);
  // Another one would be a second app beside the one that people have.
  assert.equal(manifest.id, '/me/approvals');
});
