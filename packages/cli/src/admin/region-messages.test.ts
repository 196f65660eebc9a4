import assert from 'node:assert/strict';
import { test } from 'node:test';
import { registerCompany } from '@symbolon/testkit/actors/actors';
import { symbolon } from '@symbolon/testkit/cli/command';
import { startRegions } from '@symbolon/testkit/platform/regions';

const TOKEN = 'operator-token-of-the-tests-0123456789';

test('symbolon admin messages shows what waits for another region, and steps over it', async () => {
  await using regions = await startRegions('sqlite', ['eu', 'us'], { SYMBOLON_OPERATOR_TOKEN: TOKEN });
  const messages = (...args: string[]) =>
    symbolon(['admin', 'messages', ...args], {
      env: { SYMBOLON_URL: regions.region('eu').url, SYMBOLON_OPERATOR_TOKEN: TOKEN },
    });
  await regions.settle();
  assert.match((await messages('list')).stdout, /Nothing waits for other regions/);
  const company = await registerCompany(regions.region('eu'));
  const [waiting = ''] = (await messages('list', '--json')).stdout.split('\n');
  const { seq, subject, region } = JSON.parse(waiting);
  assert.deepEqual([subject, region], [company.id, 'us']);
  assert.match(
    (await messages('list')).stdout,
    new RegExp(`^${seq} +us +\\S+ +${company.id} .*1 wait$`, 'm'),
  );
  assert.equal(JSON.parse((await messages('show', seq)).stdout).body.code, company.code);

  const unasked = await messages('skip', seq);
  assert.equal(unasked.code, 2);
  assert.match(unasked.stderr, /Give --yes/);
  assert.match((await messages('skip', seq, '--yes')).stdout, /Nothing is sent in its place/);
  assert.match((await messages('try', seq)).stdout, /It has arrived/);
  assert.match((await messages('try', seq)).stderr, /admin\.message_not_found/);
});
