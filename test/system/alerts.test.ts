import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { findTool, without } from '@symbolon/testkit/tools';

const folder = join(import.meta.dirname, '../../deploy/prometheus');

/** Runs Prometheus' own judge of rules. */
function judge(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(findTool('promtool') ?? '', args, {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.equal(status, 0, `${stdout}${stderr}`);
  return stdout;
}

test('each alert fires when it must, with what it says, and none while all is well', {
  skip: without('promtool'),
}, () => {
  assert.match(judge('check', 'rules', 'alerts.yaml'), /SUCCESS: \d+ rules found/);
  judge('test', 'rules', 'alerts.test.yaml');
});
