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
} from '../../../testing/actors.ts';
import { proves } from '../../../testing/evidence.ts';
import { onEachEngine } from '../../../testing/platform.ts';
import { eventNames, forgetEvents } from '../../../testing/raised-events.ts';
import { refused } from '../../../testing/refusals.ts';
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
    const keep = (...slugs: string[]) =>
      slugs.map((slug) => ({ request_field_id: service.rows[slug], kind: 'keep' }));
    const put = (decisions: object[]) => platform().call('PUT', path, { token, body: { decisions } });
    const remap = async (kept: readonly string[], answers: Readonly<Record<string, TestAnswer>> = {}) =>
      put([...keep(...kept), ...(await decisionsFor(service.rows, answers))]);
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
      keep,
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

  test('one mapping keeps, changes, adds and drops answers, each with its own event', async () => {
    const { remap, live, events, slot, field } = await connected(
      [text('kept'), text('changed'), text('dropped'), text('added'), text('never')],
      ['kept', 'changed', 'dropped'],
    );
    const [kept, changed] = [await slot('kept'), await slot('changed')];
    platform().clock.advance(1000);
    const answer = await remap(['kept'], { changed: { once: 'y' }, added: live });
    assert.equal(answer.status, 200, answer.text);
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

  test('a mapping that keeps all answers changes nothing and raises no event', async () => {
    const { remap, events, stored } = await connected([text('a'), text('b')], ['a', 'b']);
    const before = await stored();
    platform().clock.advance(1000);
    assert.equal((await remap(['a', 'b'])).status, 200);
    assert.deepEqual(await stored(), before);
    assert.deepEqual(await events(), []);
  });

  test('another field behind a row is an update, and the old field no longer has the slot', async () => {
    const { remap, events, slot, person, field, token } = await connected([text('a')], ['a']);
    const other = await createField(platform(), person, { type: 'text', slug: 'other', value: 'y' });
    assert.equal((await remap([], { a: { field: other, value: 'y' } })).status, 200);
    assert.deepEqual(await events(), ['field_updated a']);
    assert.equal((await slot('a'))?.field_id, other);
    const path = `/api/person/fields/${field}/slots`;
    assert.deepEqual((await platform().must('GET', path, { token })).slots, []);
  });

  test('a mapping cannot drop a mandatory answer', async () => {
    const rows = [text('provide', { mandatory_provide: true }), text('stay', { mandatory_connected: true })];
    const { refuse, keep, remap, live, service } = await connected(rows, ['provide', 'stay']);
    const mandatory = [409, 'contact_data.mandatory'] as const;
    await refuse(mandatory, []);
    await refuse(mandatory, keep('provide'));
    await refuse(mandatory, keep('stay'));
    await refuse(
      [422, 'contact_data.mandatory'],
      [...keep('provide'), ...(await decisionsFor(service.rows, { stay: { once: 'x' } }))],
    );
    assert.equal((await remap([], { provide: { once: 'y' }, stay: live })).status, 200);
  });

  test('a mapping does not require a mandatory row that the person never answered', async () => {
    const { remap, company, service } = await connected([text('a')], ['a']);
    await publish(platform(), company, service.id, [text('a'), text('later', { mandatory_connected: true })]);
    assert.equal((await remap(['a'])).status, 200);
  });

  test('a mapping can answer rows that wait for consent', async () => {
    const { remap, company, service, live, events, path, token } = await connected([text('a')], ['a']);
    const rows = await publish(platform(), company, service.id, [text('a'), text('b'), text('c')]);
    const connectionPath = path.replace('/mappings', '');
    const before = await platform().must('GET', connectionPath, { token });
    assert.deepEqual(
      before.pending_consent.request_fields.map((row: { slug: string }) => row.slug),
      ['b', 'c'],
    );
    const decisions = [
      { request_field_id: rows.a, kind: 'keep' },
      { request_field_id: rows.b, kind: 'live', field_id: live.field, value: await sealed('x') },
    ];
    const after = await platform().must('PUT', path, { token, body: { decisions } });
    assert.deepEqual(
      after.pending_consent.request_fields.map((row: { slug: string }) => row.slug),
      ['c'],
    );
    assert.deepEqual(await events(), ['consent_accepted b']);
    assert.equal((await remap(['a'])).status, 200);
  });

  test('a mapping refuses unknown rows, repeated rows and keeping a missing answer', async () => {
    const { refuse, keep, service } = await connected([text('a'), text('b')], ['a']);
    const invalid = [422, 'contact_data.decision_invalid'] as const;
    await refuse(invalid, keep('a', 'a'));
    await refuse(invalid, keep('a', 'b'));
    await refuse(invalid, [...keep('a'), { request_field_id: 'constructor', kind: 'keep' }]);
    await refuse(invalid, [{ ...keep('a')[0], value: await sealed('x') }]);
    await refuse(invalid, [...keep('a'), ...(await decisionsFor(service.rows, { a: { once: 'x' } }))]);
  });

  test('a mapping checks answers in the same way as connecting', async () => {
    const { refuse, keep, service, field } = await connected(
      [text('a'), text('once', { one_time: true }), text('mail', { type: 'email', verified: true })],
      ['a'],
    );
    const decide = async (answers: Readonly<Record<string, TestAnswer>>) => [
      ...keep('a'),
      ...(await decisionsFor(service.rows, answers)),
    ];
    const live = { field, value: 'x' };
    await refuse([422, 'contact_data.one_time_only'], await decide({ once: live }));
    await refuse([422, 'contact_data.type_mismatch'], await decide({ mail: live }));
    await refuse([422, 'contact_data.verification_required'], await decide({ mail: { once: 'x' } }));
    await refuse([404, 'contact_data.not_found'], await decide({ once: { field: 'nothing', once: 'x' } }));
    await refuse(
      [400, 'contact_data.encryption_required'],
      [...keep('a'), { request_field_id: service.rows.once, kind: 'one_time', value: 'plain' }],
    );
  });

  test('a mapping can keep an answer to a verified row whose attestation has expired', async () => {
    const { remap, company, service, slot, field, path, token } = await connected([text('a')], ['a']);
    const rows = await publish(platform(), company, service.id, [
      text('a'),
      text('v', { verified: true, verified_max_age_days: 1 }),
    ]);
    await attest(platform(), field, { at: platform().clock.now() });
    const decisions = [
      { request_field_id: rows.a, kind: 'keep' },
      { request_field_id: rows.v, kind: 'live', field_id: field, value: await sealed('x') },
    ];
    await platform().must('PUT', path, { token, body: { decisions } });
    await attest(platform(), field, { at: platform().clock.now() - 48 * 3600_000 });
    const kept = [rows.a, rows.v].map((request_field_id) => ({ request_field_id, kind: 'keep' }));
    const answer = await platform().call('PUT', path, { token, body: { decisions: kept } });
    assert.equal(answer.status, 200, answer.text);
    assert.ok(await slot('a'));
    assert.equal((await remap(['a'])).status, 200);
  });

  test('an answer to a row that is now asked of companies alone can be kept or dropped', async () => {
    const { refuse, remap, keep, company, service, live, events } = await connected(
      [text('a', { mandatory_provide: true })],
      ['a'],
    );
    await publish(platform(), company, service.id, [
      text('a', { mandatory_provide: true, audience: 'company' }),
    ]);
    const anew = await decisionsFor(service.rows, { a: live });
    await refuse([422, 'contact_data.decision_invalid'], anew);
    const kept = await remap(['a']);
    assert.deepEqual([mapped(kept.body), kept.body.request_fields], [{ a: 'live' }, []]);
    assert.equal((await remap([])).status, 200);
    assert.deepEqual(await events(), ['field_deleted a']);
    await refuse([422, 'contact_data.decision_invalid'], keep('a'));
  });

  test('two simultaneous mappings end with all answers of one of them', async () => {
    const { remap, live } = await connected([text('a'), text('b'), text('c')], ['a']);
    const [first, second] = await Promise.all([remap(['a'], { b: live }), remap(['a'], { c: live })]);
    assert.deepEqual([first.status, second.status], [200, 200]);
    const sets = [first, second].map((answer) => Object.keys(mapped(answer.body)).join());
    assert.deepEqual(sets, ['a,b', 'a,c']);
  });
});
