import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '@symbolon/testkit/cli/world';
import { notesOf, release, releasedChangelog, whyNotAfter, withVersion } from './release.ts';

const CHANGELOG = `# Changelog

## Unreleased

### Added
- A door.

## 0.1.0

### Added
- A house.
`;

test('the notes of a release are what was unreleased', () => {
  assert.equal(notesOf(CHANGELOG), '### Added\n- A door.');
  const released = releasedChangelog(CHANGELOG, '0.2.0', '2026-11-30');
  assert.match(released, /## Unreleased\n\n## 0\.2\.0 - 2026-11-30\n\n### Added\n- A door\.\n\n## 0\.1\.0\n/);
  assert.equal(notesOf(released), '');
  assert.equal(notesOf('# Changelog\n'), '');
});

test('a version comes after the last one', () => {
  const from = '0.9.0';
  for (const to of ['0.9.1', '0.10.0', '1.0.0']) assert.equal(whyNotAfter({ from, to }), undefined);
  for (const to of ['0.9.0', '0.8.9']) assert.match(whyNotAfter({ from, to }) ?? '', /does not come after/);
  for (const to of ['v1.0.0', '1.0', '1.0.0-rc.1', ''])
    assert.match(whyNotAfter({ from, to }) ?? '', /is no version/);
});

test('the version of the project changes, and no other', () => {
  const manifest = {
    name: '@symbolon/sdk',
    version: '0.1.0',
    dependencies: { '@symbolon/crypto': '0.1.0', other: '0.1.0' },
  };
  assert.deepEqual(withVersion(manifest, { from: '0.1.0', to: '0.2.0' }), {
    name: '@symbolon/sdk',
    version: '0.2.0',
    dependencies: { '@symbolon/crypto': '0.2.0', other: '0.1.0' },
  });
  const installed = { 'node_modules/other': { version: '0.1.0', resolved: 'x', integrity: 'y' } };
  assert.deepEqual(withVersion(installed, { from: '0.1.0', to: '0.2.0' }), installed);
});

test('a checkout is made that of a version', () => {
  using folder = temporaryFolder();
  const write = (path: string, text: string) => {
    mkdirSync(dirname(folder.file(path)), { recursive: true });
    writeFileSync(folder.file(path), text);
  };
  const read = (path: string) => readFileSync(folder.file(path), 'utf8');
  write('package.json', '{ "version": "0.1.0" }');
  write(
    'packages/sdk/package.json',
    '{ "version": "0.1.0", "dependencies": { "@symbolon/crypto": "0.1.0" } }',
  );
  write('CHANGELOG.md', CHANGELOG);
  write('deploy/helm/symbolon/Chart.yaml', 'version: 0.1.0\nappVersion: 0.1.0\nkubeVersion: 1\n');
  write('docs/deploying.md', 'image: { tag: 0.1.0 }\n');
  write(
    'docs/upgrades/README.md',
    '| [unreleased](unreleased.md) | 2 | stop |\n| [0.1.0](0.1.0.md) | 1 | – |\n',
  );
  write('docs/upgrades/unreleased.md', '# Unreleased\n\nFrom 0.1.0: stop.\n');

  release(folder.path, { from: '0.1.0', to: '0.2.0' }, '2026-11-30');

  assert.equal(JSON.parse(read('package.json')).version, '0.2.0');
  assert.deepEqual(JSON.parse(read('packages/sdk/package.json')).dependencies, {
    '@symbolon/crypto': '0.2.0',
  });
  assert.equal(
    read('deploy/helm/symbolon/Chart.yaml'),
    'version: 0.2.0\nappVersion: 0.2.0\nkubeVersion: 1\n',
  );
  assert.equal(read('docs/deploying.md'), 'image: { tag: 0.2.0 }\n');
  assert.equal(read('docs/upgrades/0.2.0.md'), '# 0.2.0\n\nFrom 0.1.0: stop.\n');
  assert.match(read('docs/upgrades/unreleased.md'), /^# Unreleased\n\nFrom 0\.2\.0/);
  assert.equal(
    read('docs/upgrades/README.md'),
    '| [unreleased](unreleased.md) | 0 | rolling |\n| [0.2.0](0.2.0.md) | 2 | stop |\n| [0.1.0](0.1.0.md) | 1 | – |\n',
  );
});
