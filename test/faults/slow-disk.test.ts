import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { createField, registerPerson } from '@symbolon/testkit/actors/actors';
import { holdSyncs, letSyncsGo } from '@symbolon/testkit/platform/held-syncs';
import { startPlatform } from '@symbolon/testkit/platform/platform';

afterEach(letSyncsGo);

test('while the disk takes an edit, health and reads of everybody are answered, and the edit is not', async () => {
  await using platform = await startPlatform('sqlite');
  const [writer, reader] = [await registerPerson(platform), await registerPerson(platform)];
  const syncs = holdSyncs();
  let isAnswered = false;
  const edit = createField(platform, writer, { type: 'text', slug: 'note', value: 'saved' }).finally(() => {
    isAnswered = true;
  });
  try {
    while (syncs.length === 0) await new Promise(setImmediate);
    const health = await platform.call('GET', '/api/health');
    assert.deepEqual([health.status, health.body.status], [200, 'ok']);
    for (const { token } of [reader, writer]) {
      const { fields } = await platform.must('GET', '/api/person/fields', { token });
      assert.deepEqual(fields, [], 'nothing that may yet be lost is shown');
    }
    assert.equal(isAnswered, false);
  } finally {
    // The disk goes on, and every later commit is saved at once.
    letSyncsGo();
    for (const synced of syncs) synced(null);
  }
  await edit;
  const { fields } = await platform.must('GET', '/api/person/fields', { token: writer.token });
  assert.equal(fields.length, 1);
});
