import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { limits } from '@symbolon/protocol';
import {
  connect,
  registerPerson,
  sealed,
  type TestPerson,
  type TestService,
} from '@symbolon/testkit/actors/actors';
import { connectCompany, createCustomer } from '@symbolon/testkit/actors/customers';
import { addDelegate } from '@symbolon/testkit/actors/portal-logins';
import { openShopWithCustomer } from '@symbolon/testkit/actors/scenes';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { refusalOf } from '@symbolon/testkit/platform/calls';
import { drainAll } from '@symbolon/testkit/platform/drains';
import { Listener } from '@symbolon/testkit/platform/event-stream';
import { onPlatform } from '@symbolon/testkit/platform/platform';

const NOBODY = '019bd0f2-8c00-7000-8000-000000000000';
const DOCUMENTS = '/api/company-data/documents';
const DAY_MS = 24 * 3_600_000;

onPlatform('cancelling documents', (platform) => {
  let service: TestService;
  let token: string;
  let person: TestPerson;
  let connectionId: string;
  before(async () => {
    ({ service, token, person, connectionId } = await openShopWithCustomer(platform()));
  });

  const day = (days: number) => new Date(platform().clock.now() + days * DAY_MS).toISOString().slice(0, 10);
  const issue = async (body: { metadata?: object; [member: string]: unknown } = {}) => {
    const document = {
      kind: 'agreement',
      name: 'Lease',
      payload_kind: 'json',
      target: { connection_id: connectionId },
      value: await sealed('{"rent":900}'),
      ...body,
      metadata: { can_be_cancelled_in_app: true, ...body.metadata },
    };
    const { id } = await platform().must('POST', DOCUMENTS, { token, body: document });
    return id as string;
  };
  const cancel = (id: string, body?: unknown, by = person.token) =>
    platform().call('POST', `/api/person/documents/${id}/cancel`, { token: by, body });
  const read = (id: string) => platform().must('GET', `${DOCUMENTS}/${id}`, { token });
  const drain = (path = '/api/company-data/changes', by = token) => drainAll(platform(), path, by);
  const statusChanges = async (id: string) => {
    const changes = await drain();
    return changes.filter(
      (change) => change.event === 'document_status_changed' && change.document_id === id,
    );
  };

  test('what is not active yet ends at once, and the company hears why', async () => {
    for (const flags of [{ requires_signature: true }, { requires_acceptance: true }]) {
      const stream = await Listener.open(platform(), { token: person.token });
      const id = await issue({ ...flags, metadata: { valid_until: day(30) } });
      assert.deepEqual(await stream.heard(1), ['document']);
      await drain();
      const answer = await cancel(id, { note: '  too expensive ' });
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual([answer.body.id, answer.body.status, answer.body.signatures], [id, 'ended', []]);
      assert.deepEqual(await stream.heard(2), ['document', 'document']);
      stream.close();
      const [change, ...others] = await drain();
      assert.deepEqual(others, []);
      const { id: _, at, ...members } = change ?? {};
      assert.equal(typeof at, 'string');
      assert.deepEqual(members, {
        event: 'document_status_changed',
        person_user_id: person.id,
        share_code: person.shareCode,
        customer_type: 'person',
        document_id: id,
        status: 'ended',
        action: 'cancelled',
        method: null,
        content_sha256: null,
        signed_at: null,
        cancel_effective_date: day(0),
        sealed_at: null,
        plain_sha256: null,
        signer_first_name: null,
        signer_last_name: null,
        signer_name_verified: null,
        note: 'too expensive',
      });
    }
    proves('event:document_status_changed');
    proves('state:document.offered-ended');
  });

  test('the note may be left out, and has a bound', async () => {
    for (const body of [undefined, null, {}, { note: null }, { note: ' ' }]) {
      const id = await issue();
      await drain();
      assert.equal((await cancel(id, body)).status, 200);
      const [change] = await statusChanges(id);
      assert.equal(change?.note, null);
    }
    const id = await issue();
    const note = 'x'.repeat(limits.documentNoteMost);
    assert.deepEqual(await refusalOf(cancel(id, { note: `${note}x` })), [400, 'request.invalid']);
    proves('limit:documentNoteMost');
    assert.equal((await read(id)).status, 'active');
    assert.equal((await cancel(id, { note })).status, 200);
  });

  test('what is active ends on the day that its metadata names, else today', async () => {
    for (const [metadata, status, date] of [
      [{ valid_until: day(2), renewal_date: day(1) }, 'active_but_ending', day(2)],
      [{ renewal_date: `${day(1)}T08:00:00.000Z` }, 'active_but_ending', day(1)],
      [{ valid_until: null, renewal_date: day(0) }, 'ended', day(0)],
      [{ valid_until: day(-1), renewal_date: day(1) }, 'ended', day(-1)],
      [{ valid_until: '2027-02-30', renewal_date: 12 }, 'ended', day(0)],
      [{}, 'ended', day(0)],
    ] as const) {
      const id = await issue({ metadata });
      await drain();
      const { body } = await cancel(id);
      assert.equal(body.status, status, JSON.stringify(metadata));
      const [change] = await statusChanges(id);
      assert.deepEqual(
        [change?.status, change?.action, change?.cancel_effective_date],
        [status, 'cancelled', date],
      );
    }
    proves('state:document.active-ended');
    proves('state:document.active-ending');
  });

  test('a repetition changes nothing, whatever was said', async () => {
    for (const metadata of [{ valid_until: day(5) }, {}]) {
      const id = await issue({ metadata });
      const [first, second] = await Promise.all([cancel(id, { note: 'one' }), cancel(id, { note: 'two' })]);
      assert.deepEqual([first.status, second.status], [200, 200]);
      assert.deepEqual(first.body, second.body);
      const told = await statusChanges(id);
      assert.equal(told.length, 1);
      platform().clock.advance(60_000);
      const again = await cancel(id, { note: 'three' });
      assert.deepEqual(again.body, first.body);
      assert.deepEqual(await statusChanges(id), []);
    }
  });

  test('what the company ends afterwards is not cancelled any more', async () => {
    const id = await issue({ metadata: { valid_until: day(1) } });
    await cancel(id);
    await platform().must('PUT', `${DOCUMENTS}/${id}`, { token, body: { status: 'active' } });
    await drain();
    await cancel(id);
    assert.equal((await statusChanges(id)).length, 1, 'it can be cancelled again');
    await platform().must('PUT', `${DOCUMENTS}/${id}`, { token, body: { status: 'ended' } });
    assert.deepEqual(await refusalOf(cancel(id)), [409, 'documents.not_cancellable']);
  });

  test('what may not be cancelled stays as it is', async () => {
    const forbidden = [
      await issue({ metadata: { can_be_cancelled_in_app: false } }),
      await issue({ metadata: { can_be_cancelled_in_app: 'true' } }),
      await issue({ status: 'ended' }),
      await issue({ status: 'active_but_ending' }),
      await issue({ kind: 'document', target: null, value: 'for all' }),
    ];
    await drain();
    for (const id of forbidden) {
      const before = await read(id);
      assert.deepEqual(await refusalOf(cancel(id)), [409, 'documents.not_cancellable']);
      assert.deepEqual(await read(id), before);
    }
    proves('error:documents.not_cancellable');
    assert.deepEqual(await drain(), []);
  });

  test('documents of others cannot be cancelled', async () => {
    const id = await issue();
    const stranger = await registerPerson(platform());
    await connect(platform(), stranger, service);
    for (const refused of [cancel(id, {}, stranger.token), cancel(NOBODY)])
      assert.deepEqual(await refusalOf(refused), [404, 'documents.not_found']);
    assert.equal((await read(id)).status, 'active');
  });

  test('a company cancels as a customer, by its account client or its owner, and its log says so', async () => {
    const customer = await createCustomer(platform());
    const { id: group, linkId } = await connectCompany(platform(), customer, service);
    const target = { person_user_id: customer.company.id };
    const path = (id: string, connection = group) =>
      `/api/company-connections/${connection}/documents/${id}/cancel`;
    const developer = await addDelegate(platform(), customer.company, 'admin');
    for (const by of [customer.token, customer.company.token]) {
      const id = await issue({ target, metadata: { valid_until: day(3) } });
      await drain('/api/customer/changes', customer.token);
      await drain();
      const call = (to: string, caller: string) =>
        platform().call('POST', to, { token: caller, body: { note: 'moving' } });
      assert.deepEqual(await refusalOf(call(path(id, NOBODY), by)), [404, 'documents.not_found']);
      assert.deepEqual(await refusalOf(call(path(id), developer.token)), [403, 'auth.role_forbidden']);
      const answer = await call(path(id), by);
      assert.equal(answer.status, 200, answer.text);
      proves('route:POST /api/company-connections/{id}/documents/{documentId}/cancel');
      assert.deepEqual([answer.body.id, answer.body.status], [id, 'active_but_ending']);
      assert.deepEqual((await call(path(id), by)).body, answer.body);
      const [onService] = await statusChanges(id);
      assert.deepEqual(
        [onService?.customer_type, onService?.status, onService?.cancel_effective_date, onService?.note],
        ['company', 'active_but_ending', day(3), 'moving'],
      );
      const [onAccount, ...others] = await drain('/api/customer/changes', customer.token);
      assert.deepEqual(others, []);
      assert.deepEqual(
        [onAccount?.event, onAccount?.document_id, onAccount?.service_link_id, onAccount?.action],
        ['document_status_changed', id, linkId, 'cancelled'],
      );
      const { items } = await platform().must('GET', '/api/account/audit-log', {
        token: customer.company.token,
      });
      const entries = items.filter((entry: { target: string }) => entry.target === id);
      assert.deepEqual(
        entries.map((entry: { action: string }) => entry.action),
        ['document.cancelled'],
      );
    }
  });
});
