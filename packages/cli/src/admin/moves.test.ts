import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { registerCompany } from '@symbolon/testkit/actors/actors';
import { symbolon } from '@symbolon/testkit/cli/command';
import { startRegions, type TestRegions } from '@symbolon/testkit/platform/regions';

const TOKEN = 'operator-token-of-the-tests-0123456789';

describe('symbolon admin, where there are several regions', () => {
  let regions: TestRegions;
  before(async () => {
    regions = await startRegions('sqlite', ['eu', 'us'], { SYMBOLON_OPERATOR_TOKEN: TOKEN });
    for (const worker of regions.region('eu').context.domain.workers) await worker.start();
  });
  after(() => regions.stop());
  const admin = (region: string, ...args: string[]) =>
    symbolon(['admin', ...args], {
      env: { SYMBOLON_URL: regions.region(region).url, SYMBOLON_OPERATOR_TOKEN: TOKEN },
    });

  test('move-company --wait returns when the company is at home in the other region', async () => {
    const company = await registerCompany(regions.region('eu'));
    await regions.settle();
    const moved = await admin('eu', 'move-company', company.code, '--to', 'us', '--wait');
    assert.equal(moved.code, 0, moved.stderr);
    assert.match(moved.stdout, /^✓ The company is at home in us: \d+ rows, frozen for \d+ ms\.$/m);
    const list = await admin('eu', 'moves');
    assert.match(list.stdout, new RegExp(`^\\S+  ${company.id} +eu → us +switched`, 'm'));
    assert.match((await admin('us', 'regions')).stdout, /^us +ok +1 company +http:.* \(this one\)$/m);

    const again = await admin('eu', 'move-company', company.id, '--to', 'us');
    assert.equal(again.code, 1);
    assert.match(again.stderr, new RegExp(`at home in another region: --url ${regions.region('us').url}`));
    const [move = ''] = (await admin('eu', 'moves', '--json')).stdout.split('\n');
    const late = await admin('eu', 'undo-move', JSON.parse(move).id);
    assert.match(late.stderr, /moves\.past_undo/);
  });
});
