import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { limits } from '@symbolon/protocol';
import {
  connect,
  createField,
  createService,
  publish,
  registerCompany,
  registerPerson,
  sealed,
  type TestPerson,
} from '@symbolon/testkit/actors/actors';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { refused } from '@symbolon/testkit/evidence/refusals';
import { refusedWhenAnyFails } from '@symbolon/testkit/platform/failing-statements';
import { onEachEngine } from '@symbolon/testkit/platform/platform';
import { eventNames, forgetEvents } from '@symbolon/testkit/platform/raised-events';
import { fileText } from '../../../core/stored-file.ts';

const base64 = (bytes: number) => randomBytes(bytes).toString('base64');
const wrapper = (changes: object = {}) => ({
  _enc: 1,
  k: base64(256),
  iv: base64(12),
  d: base64(40),
  ...changes,
});
const field = (changes: object = {}) => ({
  type: 'text',
  label: 'Note',
  slug: 'note',
  value: wrapper(),
  ...changes,
});

onEachEngine('a person’s fields', (platform) => {
  const post = (person: TestPerson, body: object) =>
    platform().call('POST', '/api/person/fields', { token: person.token, body });

  test('are delivered to services whole, or the change is not acknowledged', async () => {
    const rows = [{ slug: 'note', label: 'Note', type: 'text' }];
    const service = await createService(platform(), await registerCompany(platform()), rows);
    const person = await registerPerson(platform());
    const whole = async (method: string, path: string, body?: object) => {
      const call = { token: person.token, ...(body && { body }) };
      const answer = await refusedWhenAnyFails(platform(), () => platform().call(method, path, call));
      assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
      return answer.body;
    };
    const { id } = await whole('POST', '/api/person/fields', field());
    const connection_id = await connect(platform(), person, service, { note: { field: id, value: 'x' } });
    await forgetEvents(platform());
    const path = `/api/person/fields/${id}`;
    const value = wrapper();
    const copy = { connection_id, request_field_id: service.rows.note, value };
    await whole('PUT', path, { value, copies: [copy] });
    assert.deepEqual(await eventNames(platform(), service.id), ['field_updated note']);
    await whole('PUT', path, { label: 'Other' });
    await whole('DELETE', path);
    assert.deepEqual(await eventNames(platform(), service.id), ['field_deleted note']);
  });

  test('are created, listed, read, renamed and deleted', async () => {
    const person = await registerPerson(platform());
    const value = wrapper();
    const created = await post(person, field({ value, private: true }));
    assert.equal(created.status, 201, created.text);
    const { id, created_at, updated_at } = created.body;
    proves('route:POST /api/person/fields');
    assert.deepEqual(created.body, {
      id,
      type: 'text',
      label: 'Note',
      slug: 'note',
      private: true,
      usertype: 'person',
      value: JSON.stringify(value),
      created_at,
      updated_at,
    });
    const path = `/api/person/fields/${id}`;
    proves('route:GET /api/person/fields/{id}');
    assert.deepEqual(await platform().must('GET', path, { token: person.token }), created.body);
    platform().clock.advance(1000);
    const renamed = await platform().must('PUT', path, { token: person.token, body: { label: 'Notes' } });
    assert.deepEqual(renamed, {
      ...created.body,
      label: 'Notes',
      updated_at: new Date(Date.parse(updated_at) + 1000).toISOString(),
    });
    assert.deepEqual(await platform().must('GET', '/api/person/fields', { token: person.token }), {
      fields: [renamed],
      total: 1,
    });
    assert.equal((await platform().call('DELETE', path, { token: person.token })).status, 204);
    assert.equal((await platform().call('GET', path, { token: person.token })).status, 404);
  });

  test('take wrappers as text and as objects, and store one form', async () => {
    const person = await registerPerson(platform());
    const { _enc, k, iv, d } = wrapper();
    for (const [slug, value] of [
      ['as_object', { d, iv, k, _enc }],
      ['as_text', ` ${JSON.stringify({ d, iv, k, _enc })} `],
    ]) {
      const { body } = await post(person, field({ slug, value }));
      assert.equal(body.value, JSON.stringify({ _enc, k, iv, d }));
    }
  });

  for (const [title, key, value] of [
    ['plain text', 'contact_data.encryption_required', 'ada@example.com'],
    ['an empty text', 'contact_data.encryption_required', ''],
    ['a plain composite', 'contact_data.encryption_required', { street: 'Main Street' }],
    ['a plain composite as text', 'contact_data.encryption_required', '{"street":"Main Street"}'],
    ['a plain list', 'contact_data.encryption_required', ['a']],
    ['a number', 'contact_data.encryption_required', 42],
    ['a null in text', 'contact_data.encryption_required', 'null'],
    ['a short iv', 'contact_data.wrapper_invalid', wrapper({ iv: base64(11) })],
    ['a short key', 'contact_data.wrapper_invalid', wrapper({ k: base64(128) })],
    ['a long key', 'contact_data.wrapper_invalid', wrapper({ k: base64(512) })],
    ['bad base64', 'contact_data.wrapper_invalid', wrapper({ d: '*'.repeat(40) })],
    ['a ciphertext without room for a tag', 'contact_data.wrapper_invalid', wrapper({ d: base64(15) })],
    ['a wrapper with a member too many', 'contact_data.wrapper_invalid', wrapper({ plain: 'x' })],
    ['a wrapper of person apps', 'contact_data.wrapper_invalid', wrapper({ _enc: 2 })],
    ['a malformed wrapper as text', 'contact_data.wrapper_invalid', JSON.stringify(wrapper({ iv: 'AAAA' }))],
  ] as const) {
    test(`do not take ${title} for a value`, async () => {
      const person = await registerPerson(platform());
      const call = { token: person.token, body: field({ value }) };
      await refused(platform(), [400, key], 'POST', '/api/person/fields', call);
    });
  }

  test('do not take a value beyond the limit', async () => {
    const person = await registerPerson(platform());
    const value = wrapper({ d: base64(limits.wrapperTextMost) });
    const call = { token: person.token, body: field({ value }) };
    proves('error:contact_data.value_too_large');
    await refused(platform(), [413, 'contact_data.value_too_large'], 'POST', '/api/person/fields', call);
  });

  test('take no more room together than an account has', async () => {
    const person = await registerPerson(platform());
    const { id } = (await post(person, field())).body;
    const { config, database } = platform().context;
    const fill = (bytes: number) => {
      const value = fileText({ id, hash: '0'.repeat(64), bytes, form: 'sealed' });
      return database.write((writer) =>
        writer.updateTable('person_fields').set({ value }).where('id', '=', id).execute(),
      );
    };
    await fill(config.personFilesBytes);
    assert.equal((await post(person, field({ slug: 'second' }))).status, 201);
    await fill(config.personFilesBytes + 1);
    const call = { token: person.token, body: field({ slug: 'third' }) };
    const full = await refused(platform(), [409, 'account.storage_full'], 'POST', '/api/person/fields', call);
    assert.equal(full.body.most, config.personFilesBytes);
  });

  test('that are files take their values as files alone', async () => {
    const person = await registerPerson(platform());
    const { id } = (await post(person, field())).body;
    await platform().context.database.write((writer) =>
      writer.updateTable('person_fields').set({ type: 'photo' }).where('id', '=', id).execute(),
    );
    const call = { token: person.token, body: { value: wrapper() } };
    await refused(
      platform(),
      [400, 'contact_data.files_unsupported'],
      'PUT',
      `/api/person/fields/${id}`,
      call,
    );
  });

  for (const [title, status, key, changes] of [
    ['an unknown type', 400, 'contact_data.type_unknown', { type: 'shoe' }],
    ['a type named like a prototype’s member', 400, 'contact_data.type_unknown', { type: 'constructor' }],
    ['the type __proto__', 400, 'contact_data.type_unknown', { type: '__proto__' }],
    ['a plugin', 400, 'contact_data.type_unknown', { type: 'plugin' }],
    ['a photo', 400, 'contact_data.files_unsupported', { type: 'photo' }],
    ['a passport', 400, 'contact_data.files_unsupported', { type: 'passport' }],
    ['a choice without options', 400, 'contact_fields.type_unusable', { type: 'select' }],
    ['choices without options', 400, 'contact_fields.type_unusable', { type: 'multiselect' }],
    ['a company’s field', 400, 'contact_data.usertype_forbidden', { usertype: 'company' }],
    ['a slug of its own kind', 400, 'request.invalid', { slug: 'No Slug' }],
    ['the slug __proto__', 400, 'request.invalid', { slug: '__proto__' }],
    ['no value', 400, 'request.invalid', { value: undefined }],
  ] as const) {
    test(`do not take ${title}`, async () => {
      const person = await registerPerson(platform());
      const call = { token: person.token, body: field(changes) };
      await refused(platform(), [status, key], 'POST', '/api/person/fields', call);
    });
  }

  test('two fields cannot have the same slug, and prototype names are valid slugs', async () => {
    const person = await registerPerson(platform());
    for (const slug of ['constructor', 'to_string', 'valueof']) {
      assert.equal((await post(person, field({ slug }))).status, 201);
    }
    const call = { token: person.token, body: field({ slug: 'constructor' }) };
    await refused(platform(), [409, 'contact_data.slug_taken'], 'POST', '/api/person/fields', call);
    assert.equal((await post(await registerPerson(platform()), field({ slug: 'constructor' }))).status, 201);
  });

  test('a person cannot have more fields than the limit', async () => {
    const person = await registerPerson(platform());
    const id = (await post(person, field())).body.id;
    const { database } = platform().context;
    await database.write(async (writer) => {
      const [row] = await writer.selectFrom('person_fields').selectAll().where('id', '=', id).execute();
      assert.ok(row);
      const rows = Array.from({ length: limits.personFieldsMost - 1 }, (_, index) => ({
        ...row,
        id: `${id}-${index}`,
        slug: `note_${index}`,
      }));
      for (let at = 0; at < rows.length; at += 500) {
        await writer
          .insertInto('person_fields')
          .values(rows.slice(at, at + 500))
          .execute();
      }
    });
    const call = { token: person.token, body: field({ slug: 'one_more' }) };
    proves('limit:personFieldsMost');
    await refused(platform(), [409, 'contact_data.limit_reached'], 'POST', '/api/person/fields', call);
  });

  test('fields of another person are not found', async () => {
    const owner = await registerPerson(platform());
    const id = await createField(platform(), owner, { type: 'email', slug: 'mail', value: 'a@example.com' });
    const { token } = await registerPerson(platform());
    const path = `/api/person/fields/${id}`;
    proves('error:contact_data.not_found');
    const gone = [404, 'contact_data.not_found'] as const;
    await refused(platform(), gone, 'GET', path, { token });
    await refused(platform(), gone, 'PUT', path, { token, body: { label: 'Mine' } });
    await refused(platform(), gone, 'PUT', path, { token, body: { value: wrapper(), copies: [] } });
    await refused(platform(), gone, 'DELETE', path, { token });
    await refused(platform(), gone, 'GET', `${path}/slots`, { token });
    const value = 'a@example.com';
    await refused(platform(), gone, 'POST', `${path}/verification`, { token, body: { value } });
    await refused(platform(), gone, 'POST', `${path}/verification/confirm`, {
      token,
      body: { value, code: '123456' },
    });
    await refused(platform(), gone, 'DELETE', `${path}/verification`, { token });
    assert.deepEqual((await platform().must('GET', '/api/person/fields', { token })).fields, []);
  });

  test('keep their type', async () => {
    const person = await registerPerson(platform());
    const id = await createField(platform(), person, { type: 'text', slug: 'note', value: 'x' });
    const call = { token: person.token, body: { type: 'email' } };
    await refused(platform(), [400, 'contact_data.type_immutable'], 'PUT', `/api/person/fields/${id}`, call);
  });
});

onEachEngine('editing a field that is shared', (platform) => {
  /** Two services that follow one field, the first with two rows; a third has a snapshot of it. */
  async function shared() {
    const company = await registerCompany(platform());
    const rows = [
      { slug: 'email', label: 'E-mail', type: 'email' },
      { slug: 'contact', label: 'Contact', type: 'text' },
    ];
    const first = await createService(platform(), company, rows);
    const second = await createService(platform(), company, rows);
    const third = await createService(platform(), company, rows);
    const person = await registerPerson(platform());
    const id = await createField(platform(), person, { type: 'email', slug: 'mail', value: 'a@example.com' });
    const live = { field: id, value: 'a@example.com' };
    const connections = [
      await connect(platform(), person, first, { email: live, contact: live }),
      await connect(platform(), person, second, { email: live }),
      await connect(platform(), person, third, { email: { field: id, once: 'a@example.com' } }),
    ] as const;
    await forgetEvents(platform());
    const path = `/api/person/fields/${id}`;
    const { token } = person;
    const slotsOf = async () => (await platform().must('GET', `${path}/slots`, { token })).slots;
    const copiesFor = (
      slots: readonly { connection_id: string; request_field_id: string }[],
      value: string,
    ) =>
      Promise.all(
        slots.map(async ({ connection_id, request_field_id }) => ({
          connection_id,
          request_field_id,
          value: await sealed(value),
        })),
      );
    const stored = async (connectionId: string) => {
      const slots = await platform()
        .context.database.reader.selectFrom('slot_values')
        .selectAll()
        .where('connection_id', '=', connectionId)
        .execute();
      return new Map(slots.map((slot) => [slot.request_field_id, slot]));
    };
    return {
      company,
      person,
      id,
      path,
      token,
      first,
      second,
      third,
      connections,
      slotsOf,
      copiesFor,
      stored,
    };
  }

  test('names where copies go', async () => {
    const { slotsOf, first, second, connections } = await shared();
    const slots = await slotsOf();
    assert.deepEqual(
      slots,
      [
        [connections[0], first, 'email'] as const,
        [connections[0], first, 'contact'] as const,
        [connections[1], second, 'email'] as const,
      ].map(([connection_id, service, slug]) => ({
        connection_id,
        request_field_id: service.rows[slug],
        slug,
        service_id: service.id,
        service_public_key: service.publicKey,
        withheld: false,
      })),
    );
  });

  test('stores value and copies in one act and tells every slot', async () => {
    const { path, token, slotsOf, copiesFor, first, second, third, connections, stored } = await shared();
    const value = await sealed('b@example.com');
    const snapshotBefore = await stored(connections[2]);
    const copies = await copiesFor(await slotsOf(), 'b@example.com');
    platform().clock.advance(1000);
    const updated = await platform().must('PUT', path, { token, body: { value, copies } });
    assert.equal(updated.value, value);
    assert.deepEqual(await eventNames(platform(), first.id), [
      'field_updated email',
      'field_updated contact',
    ]);
    assert.deepEqual(await eventNames(platform(), second.id), ['field_updated email']);
    assert.deepEqual(await eventNames(platform(), third.id), []);
    for (const { connection_id, request_field_id, value: copy } of copies) {
      const slot = (await stored(connection_id)).get(request_field_id);
      assert.equal(slot?.value, copy);
      assert.equal(slot?.updated_at, platform().clock.now());
      assert.equal(await first.open(slot?.value ?? ''), 'b@example.com');
    }
    proves('event:field_updated', 'state:slot.live');
    assert.deepEqual(await stored(connections[2]), snapshotBefore);
  });

  test('a withheld slot keeps its former value and stays live, and raises no event', async () => {
    const { path, token, slotsOf, copiesFor, first, second, connections, stored } = await shared();
    const [sent, ...others] = await slotsOf();
    const before = await stored(connections[1]);
    const withhold = others.map(({ connection_id, request_field_id }: typeof sent) => ({
      connection_id,
      request_field_id,
      withheld: true,
    }));
    const value = await sealed('b@example.com');
    const copies = [...(await copiesFor([sent], 'b@example.com')), ...withhold];
    platform().clock.advance(1000);
    await platform().must('PUT', path, { token, body: { value, copies } });
    assert.deepEqual(await eventNames(platform(), first.id), ['field_updated email']);
    assert.deepEqual(await eventNames(platform(), second.id), []);
    assert.deepEqual(await stored(connections[1]), before);
    const slots = await slotsOf();
    proves('route:GET /api/person/fields/{id}/slots');
    assert.equal(slots.length, 3, 'each still follows the field');
    const marks = (list: { withheld: boolean }[]) => list.map(({ withheld }) => withheld).sort();
    assert.deepEqual(marks(slots), [false, true, true], 'the list tells which have a former value');
    const all = await copiesFor(slots, 'c@example.com');
    await platform().must('PUT', path, {
      token,
      body: { value: await sealed('c@example.com'), copies: all },
    });
    const slot = (await stored(connections[1])).get(second.rows.email ?? '');
    assert.equal(await first.open(slot?.value ?? ''), 'c@example.com');
    assert.deepEqual(marks(await slotsOf()), [false, false, false]);
  });

  test('a slot is given a value or withheld, not both and not neither', async () => {
    const { path, token, slotsOf, copiesFor } = await shared();
    const slots = await slotsOf();
    const value = await sealed('b@example.com');
    const all = await copiesFor(slots, 'b@example.com');
    const [{ connection_id, request_field_id }] = slots;
    for (const odd of [
      { connection_id, request_field_id },
      { ...all[0], withheld: true },
      { connection_id, request_field_id, withheld: false },
    ]) {
      const body = { value, copies: [odd, ...all.slice(1)] };
      await refused(platform(), [400, 'request.invalid'], 'PUT', path, { token, body });
    }
  });

  test('stores nothing while a copy is missing, and names the slots', async () => {
    const { path, token, slotsOf, copiesFor } = await shared();
    const slots = await slotsOf();
    const value = await sealed('b@example.com');
    proves('error:contact_data.copies_missing');
    const missing = [409, 'contact_data.copies_missing'] as const;
    const none = await refused(platform(), missing, 'PUT', path, { token, body: { value } });
    assert.deepEqual(none.body.missing, slots);
    const copies = await copiesFor(slots.slice(0, 2), 'b@example.com');
    const one = await refused(platform(), missing, 'PUT', path, { token, body: { value, copies } });
    assert.deepEqual(one.body.missing, slots.slice(2));
  });

  test('refuses copies for anything but its live slots', async () => {
    const { path, token, slotsOf, copiesFor, third, connections } = await shared();
    const slots = await slotsOf();
    const value = await sealed('b@example.com');
    const other = await shared();
    for (const extra of [
      [slots[0]],
      [{ connection_id: connections[2], request_field_id: third.rows.email }],
      [{ connection_id: connections[0], request_field_id: third.rows.email }],
      await other.slotsOf(),
      [{ connection_id: 'constructor', request_field_id: '__proto__' }],
    ]) {
      const copies = await copiesFor([...slots, ...extra], 'b@example.com');
      const call = { token, body: { value, copies } };
      await refused(platform(), [400, 'contact_data.copies_unexpected'], 'PUT', path, call);
    }
  });

  test('refuses copies without a value, and copies that are not sealed', async () => {
    const { path, token, slotsOf, copiesFor } = await shared();
    const copies = await copiesFor(await slotsOf(), 'b@example.com');
    await refused(platform(), [400, 'request.invalid'], 'PUT', path, { token, body: { copies } });
    await refused(platform(), [400, 'request.invalid'], 'PUT', path, { token, body: { copies: [] } });
    const value = await sealed('b@example.com');
    const plain = copies.map((copy) => ({ ...copy, value: 'b@example.com' }));
    await refused(platform(), [400, 'contact_data.encryption_required'], 'PUT', path, {
      token,
      body: { value, copies: plain },
    });
    const short = copies.map((copy) => ({ ...copy, value: wrapper({ iv: 'AAAA' }) }));
    await refused(platform(), [400, 'contact_data.wrapper_invalid'], 'PUT', path, {
      token,
      body: { value, copies: short },
    });
  });

  test('two edits at once leave the value and the copies of one of them', async () => {
    const { path, token, slotsOf, copiesFor, stored, first } = await shared();
    const slots = await slotsOf();
    const bodies = await Promise.all(
      ['b@example.com', 'c@example.com', 'd@example.com'].map(async (plaintext) => ({
        value: await sealed(plaintext),
        copies: await copiesFor(slots, plaintext),
      })),
    );
    const answers = await Promise.all(bodies.map((body) => platform().call('PUT', path, { token, body })));
    assert.deepEqual(
      answers.map((answer) => answer.status),
      [200, 200, 200],
    );
    const { value } = await platform().must('GET', path, { token });
    const winner = bodies.find((body) => body.value === value);
    assert.ok(winner);
    for (const { connection_id, request_field_id, value: copy } of winner.copies) {
      assert.equal((await stored(connection_id)).get(request_field_id)?.value, copy);
    }
    // There was no drain between the edits: each slot is reported once, with what it holds then.
    assert.deepEqual((await eventNames(platform(), first.id)).toSorted(), [
      'field_updated contact',
      'field_updated email',
    ]);
  });

  test('an edit that meets a new connection misses its copy or comes before it', async () => {
    const { path, token, slotsOf, copiesFor, person, company, id } = await shared();
    const service = await createService(platform(), company, [
      { slug: 'email', label: 'E-mail', type: 'email' },
    ]);
    const body = { value: await sealed('z'), copies: await copiesFor(await slotsOf(), 'z') };
    const [edit] = await Promise.all([
      platform().call('PUT', path, { token, body }),
      connect(platform(), person, service, { email: { field: id, value: 'a@example.com' } }),
    ]);
    assert.ok([200, 409].includes(edit.status), edit.text);
    assert.equal((await slotsOf()).length, 4);
  });

  test('an edit and a publish that takes the row away do not trip over each other', async () => {
    const { path, token, slotsOf, copiesFor, company, first } = await shared();
    const body = { value: await sealed('z'), copies: await copiesFor(await slotsOf(), 'z') };
    const [edit] = await Promise.all([
      platform().call('PUT', path, { token, body }),
      publish(platform(), company, first.id, [{ slug: 'email', label: 'E-mail', type: 'email' }]),
    ]);
    assert.ok([200, 400].includes(edit.status), edit.text);
    assert.equal((await slotsOf()).length, 2);
  });

  test('the private switch shows on live slots alone, and raises nothing', async () => {
    const { path, token, connections, stored, first, second, third } = await shared();
    proves('route:PUT /api/person/fields/{id}');
    assert.equal((await platform().must('PUT', path, { token, body: { private: true } })).private, true);
    const flags = async () =>
      Promise.all(
        connections.map(async (id) => [...(await stored(id)).values()].map((slot) => slot.private)),
      );
    assert.deepEqual(await flags(), [[1, 1], [1], [0]]);
    for (const service of [first, second, third]) {
      assert.deepEqual(await eventNames(platform(), service.id), []);
    }
    await platform().must('PUT', path, { token, body: { private: false, label: 'Mail' } });
    assert.deepEqual(await flags(), [[0, 0], [0], [0]]);
  });

  test('deleting it drops live slots and leaves what was given once', async () => {
    const { path, token, connections, stored, first, second, third } = await shared();
    proves('route:DELETE /api/person/fields/{id}');
    assert.equal((await platform().call('DELETE', path, { token })).status, 204);
    assert.deepEqual(await eventNames(platform(), first.id), [
      'field_deleted email',
      'field_deleted contact',
    ]);
    assert.deepEqual(await eventNames(platform(), second.id), ['field_deleted email']);
    assert.deepEqual(await eventNames(platform(), third.id), []);
    assert.equal((await stored(connections[0])).size, 0);
    const [snapshot] = (await stored(connections[2])).values();
    assert.equal(snapshot?.field_id, null);
    assert.ok(snapshot?.value);
    const { connections: listed } = await platform().must('GET', '/api/person/connections', { token });
    proves('event:field_deleted', 'state:slot.field-deleted', 'state:slot.one-time');
    assert.deepEqual(
      listed.map(({ mappings }: { mappings: { kind: string; field_id: string | null }[] }) =>
        mappings.map(({ kind, field_id }) => [kind, field_id]),
      ),
      [[], [], [['one_time', null]]],
    );
  });

  test('is not deleted while a service must have it', async () => {
    const { company, person, token } = await shared();
    const service = await createService(platform(), company, [
      { slug: 'email', label: 'E-mail', type: 'email', mandatory_connected: true },
    ]);
    const field = await createField(platform(), person, { type: 'email', slug: 'mail_2', value: 'x' });
    const id = await connect(platform(), person, service, { email: { field, value: 'x' } });
    const path = `/api/person/fields/${field}`;
    await refused(platform(), [409, 'contact_data.mandatory'], 'DELETE', path, { token });
    await platform().call('DELETE', `/api/person/connections/${id}`, { token });
    assert.equal((await platform().call('DELETE', path, { token })).status, 204);
  });

  test('keeps its file while a service must have it', async () => {
    const { company, person, token } = await shared();
    const service = await createService(platform(), company, [
      { slug: 'photo', label: 'Photo', type: 'photo', mandatory_connected: true },
    ]);
    const body = { type: 'photo', label: 'Photo', slug: 'photo', private: false };
    const { id: field_id } = await platform().must('POST', '/api/person/fields', { token, body });
    const path = `/api/person/fields/${field_id}/file`;
    const file = JSON.stringify({ full: `data:image/png;base64,${base64(40)}` });
    await platform().must('PUT', path, { token, body: { file } });
    const value = await sealed(file);
    const { upload_id } = await platform().must('POST', '/api/person/files', { token, body: { value } });
    const decision = { request_field_id: service.rows.photo, kind: 'live', field_id, upload_id };
    await platform().must('POST', '/api/person/connections', {
      token: person.token,
      body: { company_code: company.code, service_code: service.code, decisions: [decision] },
    });
    await refused(platform(), [409, 'contact_data.mandatory'], 'DELETE', path, { token });
  });

  test('is deleted though a service asked it to be provided', async () => {
    const { company, person, token } = await shared();
    const service = await createService(platform(), company, [
      { slug: 'email', label: 'E-mail', type: 'email', mandatory_provide: true },
    ]);
    const field = await createField(platform(), person, { type: 'email', slug: 'mail_2', value: 'x' });
    await connect(platform(), person, service, { email: { field, value: 'x' } });
    assert.equal((await platform().call('DELETE', `/api/person/fields/${field}`, { token })).status, 204);
    assert.deepEqual(await eventNames(platform(), service.id), ['connection_created', 'field_deleted email']);
  });
});
