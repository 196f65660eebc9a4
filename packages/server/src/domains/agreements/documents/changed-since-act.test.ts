import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
  createService,
  dataToken,
  registerCompany,
  sealed,
  type TestPerson,
} from '@symbolon/testkit/actors/actors';
import { connectedPerson } from '@symbolon/testkit/actors/scenes';
import { onPlatform } from '@symbolon/testkit/platform/platform';

const DOCUMENTS = '/api/company-data/documents';

onPlatform('what a customer acted on', (platform) => {
  let token: string;
  let person: TestPerson;
  let connection_id: string;
  before(async () => {
    const service = await createService(platform(), await registerCompany(platform()));
    token = await dataToken(platform(), service);
    ({ person, connectionId: connection_id } = await connectedPerson(platform(), service));
  });

  const terms = {
    name: 'Lease',
    description: 'Two rooms',
    metadata: { valid_until: '2031-02-03', can_be_cancelled_in_app: true },
  };
  const newer = {
    name: 'Another contract',
    description: 'You owe 9000',
    metadata: { valid_until: '2099-01-01' },
  };
  const issue = async (more: object = {}) => {
    const body = {
      ...{ kind: 'agreement', payload_kind: 'json', requires_acceptance: true, ...terms },
      ...{ target: { connection_id }, value: await sealed('{"rent":900}'), ...more },
    };
    return (await platform().must('POST', DOCUMENTS, { token, body })).id as string;
  };
  const put = (id: string, body: object) => platform().call('PUT', `${DOCUMENTS}/${id}`, { token, body });
  const own = (id: string) => platform().must('GET', `/api/person/documents/${id}`, { token: person.token });
  const act = (id: string, what: string) =>
    platform().must('POST', `/api/person/documents/${id}/${what}`, { token: person.token });
  const shownOf = ({ name, description, metadata }: Record<string, unknown>) => ({
    name,
    description,
    metadata,
  });

  test('is shown to it as it was, with what the company wrote since', async () => {
    const id = await issue();
    await put(id, { description: 'Three rooms' });
    const before = await own(id);
    assert.deepEqual(
      [before.description, before.changed_since_act],
      ['Three rooms', null],
      'no act stands yet',
    );
    await act(id, 'accept');
    const agreed = { ...terms, description: 'Three rooms' };

    assert.deepEqual(shownOf((await put(id, newer)).body), newer, 'the company reads what it wrote');
    await put(id, { name: 'A third one' });
    const after = await own(id);
    assert.deepEqual(shownOf(after), agreed);
    assert.deepEqual(after.changed_since_act, { ...newer, name: 'A third one' });
    const { documents } = await platform().must('GET', '/api/person/documents', { token: person.token });
    const listed = documents.find((document: { id: string }) => document.id === id);
    assert.deepEqual([listed.name, listed.changed_since_act.name], ['Lease', 'A third one']);

    await put(id, agreed);
    assert.equal((await own(id)).changed_since_act, null, 'it is as it was');
  });

  test('keeps the status that the acts gave it', async () => {
    const id = await issue();
    await act(id, 'accept');
    const refused = await put(id, { status: 'ended', name: 'Other' });
    assert.deepEqual([refused.status, refused.body.error_key], [409, 'documents.contract_immutable']);
    const same = await put(id, { status: 'active' });
    assert.deepEqual([same.status, same.body.status], [200, 'active']);
    assert.deepEqual([(await own(id)).status, (await own(id)).name], ['active', 'Lease']);
  });

  test('is cancelled by the metadata of the act', async () => {
    const id = await issue();
    await act(id, 'accept');
    await put(id, { metadata: { can_be_cancelled_in_app: false, valid_until: '2099-01-01' } });
    const { status } = await act(id, 'cancel');
    assert.equal(status, 'active_but_ending');
    const row = await platform()
      .context.database.reader.selectFrom('documents')
      .select('ends_on')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    assert.equal(row.ends_on, '2031-02-03');
    assert.equal((await put(id, { status: 'active' })).status, 409, 'nor does the company take it back');
  });
});
