import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { EVIDENCE_VARIABLE } from '@symbolon/testkit/evidence/evidence-rows';
import { readEvidence } from '../checks/evidence.ts';
import { groupTests } from './groups.ts';

const EVIDENCE = join(import.meta.dirname, '../../packages/testkit/src/evidence/evidence.ts');
const FIRST = 'packages/server/src/domains/first.test.ts';
const SECOND = 'packages/server/src/domains/second.test.ts';
const OTHER = 'test/faults/other.test.ts';

test('files that share a process keep their names in the evidence, and their hooks to themselves', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'symbolon-groups-'));
  t.after(() => rmSync(root, { recursive: true }));
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  write(
    FIRST,
    `import { beforeEach, test } from 'node:test';
     import { proves } from '${EVIDENCE}';
     await new Promise((resolve) => setImmediate(resolve));
     beforeEach(({ name }) => { if (name !== 'one') throw new Error('It is a test of another file.'); });
     test('one', () => proves('state:slot.live'));`,
  );
  write(
    SECOND,
    `import { describe, test } from 'node:test';
     import { proves } from '${EVIDENCE}';
     describe('a suite', () => { test('two', () => proves('state:slot.dropped')); });`,
  );
  const [group, ...others] = groupTests([FIRST, SECOND, OTHER], root, root);
  assert.deepEqual(group?.files, [FIRST, SECOND]);
  assert.deepEqual(others, [{ path: OTHER, files: [OTHER] }]);
  const { NODE_TEST_CONTEXT: _, ...environment } = process.env;
  const out = mkdtempSync(join(root, 'out-'));
  const ran = spawnSync(process.execPath, ['--test', group.path], {
    env: { ...environment, [EVIDENCE_VARIABLE]: out },
    encoding: 'utf8',
  });
  assert.equal(ran.status, 0, ran.stdout);
  assert.deepEqual(
    readEvidence(out).map(({ file, test: title, claims }) => [file, title, claims]),
    [
      [FIRST, 'one', ['state:slot.live']],
      [SECOND, 'a suite > two', ['state:slot.dropped']],
    ],
  );
});
