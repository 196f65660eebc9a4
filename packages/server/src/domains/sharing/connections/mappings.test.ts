import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequestFieldInput } from '@symbolon/protocol';
import {
  connect,
  createField,
  createService,
  decisionsFor,
  publish,
  registerCompany,
  registerPerson,
  sealed,
  type TestAnswer,
} from '@symbolon/testkit/actors/actors';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { refused } from '@symbolon/testkit/evidence/refusals';
import { refusedWhenAnyFails } from '@symbolon/testkit/platform/failing-statements';
import { onEachEngine } from '@symbolon/testkit/platform/platform';
import { eventNames, forgetEvents } from '@symbolon/testkit/platform/raised-events';
import { attest } from './testing/attest.ts';

const text = (slug: string, more: Partial<RequestFieldInput> = {}): RequestFieldInput => ({
  slug,
  label: slug,
  type: 'text',
  ...more,
});

onEachEngine('changing the answers of a connection', (platform) => {
  /** A person who answered some rows live with one field. */
  async function connected(rows: readonly RequestFieldInput[], answered: readonly string[]) {
    const company = await registerCompany(platform());
    const service = await createService(platform(), company, rows);
    const person = await registerPerson(platform());
    const field = await createField(platform(), person, { type: 'text', slug: 'mine', value: 'x' });
    const live = { field, value: 'x' };
    const id = await connect(
      platform(),
      person,
      service,
      Object.fromEntries(answered.map((slug) => [slug, live])),
    );
    await forgetEvents(platform());
    const path = `/api/person/connections/${id}/mappings`;
    const { token } = person;
    const put = (decisions: object[]) => platform().call('PUT', path, { token, body: { decisions } });
    const remap = async (answers: Readonly<Record<string, TestAnswer>>) =>
      put(await decisionsFor(service.rows, answers));
    const refuse = (expected: readonly [number, string], decisions: object[]) =>
      refused(platform(), expected, 'PUT', path, { token, body: { decisions } });
    const events = () => eventNames(platform(), service.id);
    const stored = async () => {
      const { reader } = platform().context.database;
      const slots = await reader
        .selectFrom('slot_values')
        .selectAll()
        .where('connection_id', '=', id)
        .execute();
      return new Map(slots.map((slot) => [slot.request_field_id, slot]));
    };
    const slot = async (slug: string) => (await stored()).get(service.rows[slug] ?? '');
    return {
      company,
      service,
      person,
      token,
      field,
      live,
      id,
      path,
      put,
      remap,
      refuse,
      events,
      slot,
      stored,
    };
  }
  const mapped = (body: { mappings: { slug: string; kind: string }[] }) =>
    Object.fromEntries(body.mappings.map(({ slug, kind }) => [slug, kind]));

  test('one mapping changes, adds and drops the answers that are named, each with its own event', async () => {
    const { remap, live, events, slot, field } = await connected(
      [text('kept'), text('changed'), text('dropped'), text('added'), text('never')],
      ['kept', 'changed', 'dropped'],
    );
    const [kept, changed] = [await slot('kept'), await slot('changed')];
    platform().clock.advance(1000);
    const answer = await remap({ changed: { once: 'y' }, added: live, dropped: 'remove' });
    assert.equal(answer.status, 200, answer.text);
    proves('route:PUT /api/person/connections/{id}/mappings');
    assert.deepEqual(mapped(answer.body), { kept: 'live', changed: 'one_time', added: 'live' });
    assert.deepEqual(await events(), [
      'field_deleted dropped',
      'field_updated changed',
      'consent_accepted added',
    ]);
    assert.deepEqual(await slot('kept'), kept);
    const now = await slot('changed');
    assert.deepEqual([now?.field_id, now?.live, now?.updated_at], [null, 0, platform().clock.now()]);
    assert.notEqual(now?.value, changed?.value);
    assert.equal((await slot('added'))?.field_id, field);
    proves('state:slot.dropped');
    assert.equal(await slot('dropped'), undefined);
  });

  test('a mapping that names one row leaves all others alone, for clients send only what they edit', async () => {
    const { remap, live, events, stored, service } = await connected(
      [text('a', { mandatory_connected: true }), text('b'), text('c', { mandatory_provide: true })],
      ['a', 'b', 'c'],
    );
    const before = await stored();
    platform().clock.advance(1000);
    assert.equal((await remap({ b: live })).status, 200);
    assert.deepEqual(await events(), ['field_updated b']);
    const after = await stored();
    for (const slug of ['a', 'c']) {
      assert.deepEqual(after.get(service.rows[slug] ?? ''), before.get(service.rows[slug] ?? ''), slug);
    }
    await forgetEvents(platform());
    assert.equal((await remap({})).status, 200);
    assert.deepEqual(await stored(), after);
    assert.deepEqual(await events(), []);
  });

  test('removing a one-time answer raises field_deleted, as removing a live one does', async () => {
    const { remap, events } = await connected([text('a')], []);
    assert.equal((await remap({ a: { once: 'x' } })).status, 200);
    await forgetEvents(platform());
    assert.equal((await remap({ a: 'remove' })).status, 200);
    assert.deepEqual(await events(), ['field_deleted a']);
  });

  test('removing an answer a second time changes nothing', async () => {
    const { remap, events } = await connected([text('a')], ['a']);
    assert.equal((await remap({ a: 'remove' })).status, 200);
    assert.equal((await remap({ a: 'remove' })).status, 200);
    assert.deepEqual(await events(), ['field_deleted a']);
  });

  test('another field behind a row is an update, and the old field no longer has the slot', async () => {
    const { remap, events, slot, person, field, token } = await connected([text('a')], ['a']);
    const other = await createField(platform(), person, { type: 'text', slug: 'other', value: 'y' });
    assert.equal((await remap({ a: { field: other, value: 'y' } })).status, 200);
    assert.deepEqual(await events(), ['field_updated a']);
    assert.equal((await slot('a'))?.field_id, other);
    const path = `/api/person/fields/${field}/slots`;
    assert.deepEqual((await platform().must('GET', path, { token })).slots, []);
  });

  test('changes that are not saved whole are not acknowledged', async () => {
    const { put, service, slot, live } = await connected([text('kept'), text('gone')], ['kept', 'gone']);
    const decisions = await decisionsFor(service.rows, { kept: { once: 'y' }, gone: 'remove' });
    assert.equal((await refusedWhenAnyFails(platform(), () => put(decisions))).status, 200);
    assert.equal(await slot('gone'), undefined);
    const back = await decisionsFor(service.rows, { gone: live });
    assert.equal((await refusedWhenAnyFails(platform(), () => put(back))).status, 200);
    assert.equal((await slot('gone'))?.live, 1);
  });

  test('an answer that is mandatory while connected can be neither removed nor deleted', async () => {
    const { refuse, remap, live, service, field, token } = await connected(
      [text('stay', { mandatory_connected: true }), text('free')],
      ['stay', 'free'],
    );
    const removed = await decisionsFor(service.rows, { stay: 'remove', free: 'remove' });
    await refuse([409, 'contact_data.mandatory'], removed);
    await refuse([422, 'contact_data.mandatory'], await decisionsFor(service.rows, { stay: { once: 'x' } }));
    const path = `/api/person/fields/${field}`;
    await refused(platform(), [409, 'contact_data.mandatory'], 'DELETE', path, { token });
    assert.equal((await remap({ stay: live })).status, 200);
  });

  test('an answer that is mandatory to provide can be removed, and its field deleted', async () => {
    const rows = [text('one', { mandatory_provide: true }), text('two', { mandatory_provide: true })];
    const { remap, events, stored, field, token } = await connected(rows, ['one', 'two']);
    assert.equal((await remap({ one: 'remove' })).status, 200);
    await platform().must('DELETE', `/api/person/fields/${field}`, { token });
    assert.deepEqual(await events(), ['field_deleted one', 'field_deleted two']);
    assert.equal((await stored()).size, 0);
  });

  test('a live answer becomes a snapshot when its row is published as one-time', async () => {
    const { company, service, field, events, slot, token, path } = await connected(
      [text('a'), text('b')],
      ['a', 'b'],
    );
    const before = await slot('a');
    await publish(platform(), company, service.id, [text('a', { one_time: true }), text('b')]);
    assert.deepEqual(await events(), []);
    const shown = async () => {
      const { mappings } = await platform().must('GET', path.replace('/mappings', ''), { token });
      assert.deepEqual(mapped({ mappings }), { a: 'one_time', b: 'live' });
      const { slots } = await platform().must('GET', `/api/person/fields/${field}/slots`, { token });
      assert.deepEqual(
        slots.map((one: { slug: string }) => one.slug),
        ['b'],
      );
    };
    await shown();
    await platform().context.jobWorker.run();
    assert.deepEqual(await slot('a'), { ...before, live: 0, field_version: null });
    await shown();
  });

  test('a mapping does not require a mandatory row that the person never answered', async () => {
    const { remap, company, service } = await connected([text('a')], ['a']);
    await publish(platform(), company, service.id, [text('a'), text('later', { mandatory_connected: true })]);
    assert.equal((await remap({})).status, 200);
  });

  test('a mapping can answer rows that wait for consent', async () => {
    const { company, service, live, events, path, token } = await connected([text('a')], ['a']);
    const rows = await publish(platform(), company, service.id, [text('a'), text('b'), text('c')]);
    const connectionPath = path.replace('/mappings', '');
    const before = await platform().must('GET', connectionPath, { token });
    assert.deepEqual(
      before.pending_consent.request_fields.map((row: { slug: string }) => row.slug),
      ['b', 'c'],
    );
    const decisions = [
      { request_field_id: rows.b, kind: 'live', field_id: live.field, value: await sealed('x') },
    ];
    const after = await platform().must('PUT', path, { token, body: { decisions } });
    assert.deepEqual(
      after.pending_consent.request_fields.map((row: { slug: string }) => row.slug),
      ['c'],
    );
    assert.deepEqual(await events(), ['consent_accepted b']);
  });

  test('a mapping refuses unknown rows, repeated rows and a value beside a removal', async () => {
    const { refuse, service } = await connected([text('a'), text('b')], ['a']);
    const invalid = [422, 'contact_data.decision_invalid'] as const;
    const remove = { request_field_id: service.rows.a, kind: 'remove' };
    await refuse(invalid, [remove, remove]);
    await refuse(invalid, [remove, { request_field_id: 'constructor', kind: 'remove' }]);
    await refuse(invalid, [{ ...remove, value: await sealed('x') }]);
    await refuse(invalid, [remove, ...(await decisionsFor(service.rows, { a: { once: 'x' } }))]);
    await refuse([400, 'request.invalid'], [{ ...remove, kind: 'keep' }]);
  });

  test('a mapping checks answers in the same way as connecting', async () => {
    const { refuse, service, field } = await connected(
      [text('a'), text('once', { one_time: true }), text('mail', { type: 'email', verified: true })],
      ['a'],
    );
    const decide = (answers: Readonly<Record<string, TestAnswer>>) => decisionsFor(service.rows, answers);
    const live = { field, value: 'x' };
    await refuse([422, 'contact_data.one_time_only'], await decide({ once: live }));
    await refuse([422, 'contact_data.type_mismatch'], await decide({ mail: live }));
    await refuse([422, 'contact_data.verification_required'], await decide({ mail: { once: 'x' } }));
    await refuse([404, 'contact_data.not_found'], await decide({ once: { field: 'nothing', once: 'x' } }));
    await refuse(
      [400, 'contact_data.encryption_required'],
      [{ request_field_id: service.rows.once, kind: 'one_time', value: 'plain' }],
    );
  });

  test('a mapping leaves an answer to a verified row alone whose attestation has expired', async () => {
    const { remap, company, service, live, slot, field, path, token } = await connected([text('a')], ['a']);
    const rows = await publish(platform(), company, service.id, [
      text('a'),
      text('v', { verified: true, verified_max_age_days: 1 }),
    ]);
    await attest(platform(), field, { at: platform().clock.now() });
    const decisions = [{ request_field_id: rows.v, kind: 'live', field_id: field, value: await sealed('x') }];
    await platform().must('PUT', path, { token, body: { decisions } });
    await attest(platform(), field, { at: platform().clock.now() - 48 * 3600_000 });
    const answer = await remap({ a: live });
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(mapped(answer.body), { a: 'live', v: 'live' });
    assert.ok(await slot('a'));
  });

  test('an answer to a row that is now asked of companies alone can stay or go', async () => {
    const { refuse, remap, company, service, live, events } = await connected(
      [text('a', { mandatory_provide: true })],
      ['a'],
    );
    await publish(platform(), company, service.id, [
      text('a', { mandatory_provide: true, audience: 'company' }),
    ]);
    const again = await decisionsFor(service.rows, { a: live });
    await refuse([422, 'contact_data.decision_invalid'], again);
    const kept = await remap({});
    assert.deepEqual([mapped(kept.body), kept.body.request_fields], [{ a: 'live' }, []]);
    const removed = { a: 'remove' } as const;
    assert.equal((await remap(removed)).status, 200);
    assert.deepEqual(await events(), ['field_deleted a']);
    await refuse([422, 'contact_data.decision_invalid'], await decisionsFor(service.rows, removed));
  });

  test('two simultaneous mappings of different rows both count', async () => {
    const { remap, live, path, token } = await connected([text('a'), text('b'), text('c')], ['a']);
    const [first, second] = await Promise.all([remap({ b: live }), remap({ c: live })]);
    assert.deepEqual([first.status, second.status], [200, 200]);
    assert.deepEqual(mapped(await platform().must('GET', path.replace('/mappings', ''), { token })), {
      a: 'live',
      b: 'live',
      c: 'live',
    });
  });
});
