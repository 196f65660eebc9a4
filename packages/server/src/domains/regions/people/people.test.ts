import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
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
  type TestPerson,
  type TestService,
} from '@symbolon/testkit/actors/actors';
import { mailsTo } from '@symbolon/testkit/actors/mails';
import { newPassword } from '@symbolon/testkit/actors/portal-logins';
import { codeFor, createApp, exchange } from '@symbolon/testkit/actors/sign-ins';
import { proves } from '@symbolon/testkit/evidence/evidence';
import type { TestPlatform } from '@symbolon/testkit/platform/platform';
import { eventNames, forgetEvents } from '@symbolon/testkit/platform/raised-events';
import { withRegions } from '@symbolon/testkit/platform/regions';
import type { PersonReplica } from './store.ts';

const text = (slug: string, more: Partial<RequestFieldInput> = {}): RequestFieldInput => ({
  slug,
  label: slug,
  type: 'text',
  ...more,
});

withRegions('people in every region', ['eu', 'us', 'ap'], (regions) => {
  const eu = () => regions().region('eu');
  const us = () => regions().region('us');
  const ap = () => regions().region('ap');
  const settle = () => regions().settle();
  /** Delivers messages until something that waits for them has come about. */
  async function whileSettling<T>(waiting: Promise<T>): Promise<T> {
    let over = false;
    const end = () => {
      over = true;
    };
    waiting.then(end, end);
    while (!over) {
      await settle();
      await setImmediate();
    }
    return waiting;
  }

  /** A service in the United States, and a person at home in Europe who is known everywhere, with a field. */
  async function parties(rows: readonly RequestFieldInput[] = [text('one'), text('two')]) {
    const company = await registerCompany(us());
    const service = await createService(us(), company, rows);
    const person = await registerPerson(eu());
    const field = await createField(eu(), person, { type: 'text', slug: 'mine', value: 'v1' });
    await settle();
    return { company, service, person, field, live: { field, value: 'v1' } };
  }

  async function connected(rows?: readonly RequestFieldInput[], answered: readonly string[] = ['one']) {
    const made = await parties(rows);
    const { live } = made;
    const id = await connect(
      us(),
      made.person,
      made.service,
      Object.fromEntries(answered.map((slug) => [slug, live])),
    );
    await forgetEvents(us());
    await settle();
    return { ...made, id };
  }

  const slotsOf = async (platform: TestPlatform, connectionId: string) => {
    const { reader } = platform.context.database;
    return reader.selectFrom('slot_values').selectAll().where('connection_id', '=', connectionId).execute();
  };
  const registered = async (person: TestPerson) => {
    const { reader } = eu().context.database;
    return reader.selectFrom('remote_slots').selectAll().where('person_id', '=', person.id).execute();
  };
  const personAt = (platform: TestPlatform, person: TestPerson) =>
    platform.context.database.reader
      .selectFrom('persons')
      .selectAll()
      .where('id', '=', person.id)
      .executeTakeFirst();
  const fieldsAt = (platform: TestPlatform, person: TestPerson) =>
    platform.context.database.reader
      .selectFrom('person_fields')
      .selectAll()
      .where('person_id', '=', person.id)
      .orderBy('id')
      .execute();

  async function listed(person: TestPerson, field: string) {
    const { slots } = await eu().must('GET', `/api/person/fields/${field}/slots`, { token: person.token });
    return slots as { connection_id: string; request_field_id: string; service_public_key: string }[];
  }
  /** Saves a new value with a copy for every slot that is listed. */
  async function edit(person: TestPerson, field: string, value: string) {
    const copies = await Promise.all(
      (await listed(person, field)).map(async ({ connection_id, request_field_id }) => ({
        connection_id,
        request_field_id,
        value: await sealed(value),
      })),
    );
    const path = `/api/person/fields/${field}`;
    return eu().must('PUT', path, { token: person.token, body: { value: await sealed(value), copies } });
  }
  const remap = async (
    { person, id, service }: { person: TestPerson; id: string; service: TestService },
    answers: Readonly<Record<string, TestAnswer>>,
  ) =>
    us().call('PUT', `/api/person/connections/${id}/mappings`, {
      token: person.token,
      body: { decisions: await decisionsFor(service.rows, answers) },
    });
  const opened = async (service: TestService, value: string | null | undefined) =>
    typeof value === 'string' ? service.open(value) : undefined;

  test('a replica of a person has its fields without values and secrets', async () => {
    const { person, field } = await parties();
    const home = await personAt(eu(), person);
    for (const platform of [us(), ap()]) {
      const replica = await personAt(platform, person);
      const known: (keyof PersonReplica)[] = [
        'id',
        'display_name',
        'share_code',
        'public_key',
        'public_key_sha256',
        'epoch',
        'created_at',
      ];
      for (const member of known) assert.equal(replica?.[member], home?.[member], member);
      assert.equal(replica?.region, 'eu');
      assert.equal(replica?.email, person.id);
      for (const secret of [
        'login_salt',
        'login_hash',
        'encrypted_private_key',
        'recovery_hash',
        'recovery_private_key',
      ] as const) {
        assert.equal(replica?.[secret], '');
      }
      const [replicated, ...others] = await fieldsAt(platform, person);
      assert.deepEqual(others, []);
      const [stored] = await fieldsAt(eu(), person);
      assert.equal(stored?.id, field);
      assert.deepEqual(replicated, { ...stored, value: null });
    }
  });

  test('changes and deletions of fields arrive in order', async () => {
    const { person, field } = await parties();
    const path = `/api/person/fields/${field}`;
    await edit(person, field, 'v2');
    await eu().must('PUT', path, { token: person.token, body: { label: 'Renamed', private: true } });
    await settle();
    const [stored] = await fieldsAt(eu(), person);
    assert.equal(stored?.version, 2);
    assert.deepEqual(await fieldsAt(ap(), person), [{ ...stored, value: null }]);
    await eu().must('DELETE', path, { token: person.token });
    // The slug is free again at once, and taken by another.
    await createField(eu(), person, { type: 'text', slug: 'mine', value: 'other' });
    await settle();
    const [other] = await fieldsAt(eu(), person);
    assert.deepEqual(await fieldsAt(ap(), person), [{ ...other, value: null }]);
  });

  test('a live slot in another region is listed, requires a copy and gets every value', async () => {
    const { person, service, field, id } = await connected();
    const slots = await listed(person, field);
    assert.deepEqual(slots, [
      {
        connection_id: id,
        request_field_id: service.rows.one,
        slug: 'one',
        service_id: service.id,
        service_public_key: service.publicKey,
        withheld: false,
      },
    ]);
    const path = `/api/person/fields/${field}`;
    const refused = await eu().call('PUT', path, {
      token: person.token,
      body: { value: await sealed('v2') },
    });
    assert.equal(refused.body.error_key, 'contact_data.copies_missing');
    assert.deepEqual(refused.body.missing, slots);

    await edit(person, field, 'v2');
    const [before] = await slotsOf(us(), id);
    assert.equal(await opened(service, before?.value), 'v1');
    await settle();
    const [after] = await slotsOf(us(), id);
    assert.equal(await opened(service, after?.value), 'v2');
    assert.equal(after?.field_version, 2);
    assert.deepEqual(await eventNames(us(), service.id), ['field_updated one']);
    await settle();
    assert.equal((await registered(person)).length, 1);
  });

  test('one act changes slots in several regions', async () => {
    const { person, field, service, id, live } = await connected();
    const near = await createService(eu(), await registerCompany(eu()), [text('one')]);
    const far = await createService(ap(), await registerCompany(ap()), [text('one')]);
    await settle();
    const here = await connect(eu(), person, near, { one: live });
    const there = await connect(ap(), person, far, { one: live });
    assert.equal((await listed(person, field)).length, 3);
    await edit(person, field, 'v2');
    await settle();
    for (const [platform, one, connection] of [
      [eu(), near, here],
      [us(), service, id],
      [ap(), far, there],
    ] as const) {
      const [slot] = await slotsOf(platform, connection);
      assert.equal(await opened(one, slot?.value), 'v2');
      assert.equal(slot?.field_version, 2);
      assert.equal(slot?.registration === null, platform === eu());
      assert.ok((await eventNames(platform, one.id)).includes('field_updated one'));
    }
  });

  test('an attestation appears and disappears once in every region', async () => {
    const company = await registerCompany(us());
    const service = await createService(us(), company, [{ slug: 'mail', label: 'Mail', type: 'email' }]);
    const person = await registerPerson(eu());
    const address = `${person.id}@example.com`;
    const field = await createField(eu(), person, { type: 'email', slug: 'mail', value: address });
    await settle();
    const id = await connect(us(), person, service, { mail: { field, value: address } });
    await forgetEvents(us());
    const path = `/api/person/fields/${field}/verification`;
    const { token } = person;
    await eu().must('POST', path, { token, body: { value: address } });
    const mail = (await mailsTo(eu(), address)).at(-1) ?? '';
    const code = /^Subject: (\d{6}) /m.exec(mail)?.[1];
    const { verification_id } = await eu().must('POST', `${path}/confirm`, {
      token,
      body: { value: address, code },
    });
    await settle();
    const attestedBy = async () => JSON.parse((await slotsOf(us(), id))[0]?.verification ?? 'null');
    assert.equal((await attestedBy()).verification_id, verification_id);
    assert.deepEqual(await eventNames(us(), service.id), ['field_updated mail']);
    await forgetEvents(us());
    await eu().must('PUT', `/api/person/fields/${field}`, { token, body: { label: 'E-mail' } });
    await settle();
    assert.deepEqual(await eventNames(us(), service.id), []);
    await eu().must('DELETE', path, { token });
    await settle();
    assert.equal(await attestedBy(), null);
    assert.deepEqual(await eventNames(us(), service.id), ['field_updated mail']);
  });

  test('the privacy of a field shows on its slots in every region without an event', async () => {
    const { person, field, service, id } = await connected();
    await eu().must('PUT', `/api/person/fields/${field}`, { token: person.token, body: { private: true } });
    await settle();
    assert.equal((await slotsOf(us(), id))[0]?.private, 1);
    assert.deepEqual(await eventNames(us(), service.id), []);
  });

  test('deleting a field ends its slots in every region, and a mandatory slot prevents it', async () => {
    const rows = [text('one', { mandatory_connected: true }), text('two')];
    const { person, field, service, id, company } = await connected(rows, ['one', 'two']);
    const path = `/api/person/fields/${field}`;
    const refused = await eu().call('DELETE', path, { token: person.token });
    assert.equal(refused.body.error_key, 'contact_data.mandatory');
    await publish(us(), company, service.id, [text('one'), text('two')]);
    await settle();
    await eu().must('DELETE', path, { token: person.token });
    await settle();
    assert.deepEqual(await slotsOf(us(), id), []);
    assert.deepEqual((await eventNames(us(), service.id)).sort(), ['field_deleted one', 'field_deleted two']);
    assert.deepEqual(await registered(person), []);
  });

  test('slots that end are removed at home', async () => {
    const ends: Record<string, (of: Awaited<ReturnType<typeof connected>>) => Promise<unknown>> = {
      unmapped: (of) => remap(of, { one: 'remove' }),
      'given once instead': (of) => remap(of, { one: { once: 'x' } }),
      disconnected: ({ person, id }) =>
        us().must('DELETE', `/api/person/connections/${id}`, { token: person.token }),
      'ended by the company': ({ company, service }) =>
        us().must('DELETE', `/api/services/${service.id}?confirm=true`, { token: company.token }),
      'made one-time by the company': ({ company, service }) =>
        publish(us(), company, service.id, [text('one', { one_time: true }), text('two')]),
      'row taken away': ({ company, service }) => publish(us(), company, service.id, [text('two')]),
    };
    for (const [name, end] of Object.entries(ends)) {
      const of = await connected();
      assert.equal((await registered(of.person)).length, 1, name);
      await end(of);
      await settle();
      assert.deepEqual(await registered(of.person), [], name);
      await edit(of.person, of.field, 'v2');
    }
  });

  test('a replaced answer keeps only its new registration', async () => {
    const of = await connected();
    const [before] = await registered(of.person);
    const answer = await remap(of, { one: of.live, two: of.live });
    assert.equal(answer.status, 200, answer.text);
    // Both are known until the other region has reported that the first is gone; the person is asked for one copy.
    assert.equal((await registered(of.person)).length, 3);
    assert.equal((await listed(of.person, of.field)).length, 2);
    await edit(of.person, of.field, 'v2');
    await settle();
    const rows = await registered(of.person);
    assert.equal(rows.length, 2);
    assert.ok(rows.every((row) => row.registration !== before?.registration));
    for (const slot of await slotsOf(us(), of.id)) assert.equal(await opened(of.service, slot.value), 'v2');
  });

  test('a provided consent registers its slots', async () => {
    const { person, company, service, field, live, id } = await connected([text('one')]);
    const rows = await publish(us(), company, service.id, [text('one'), text('late')]);
    const { consents } = await us().must('GET', '/api/person/consents', { token: person.token });
    await us().must('POST', `/api/person/consents/${consents[0].id}/provide`, {
      token: person.token,
      body: { decisions: await decisionsFor(rows, { late: live }) },
    });
    assert.equal((await listed(person, field)).length, 2);
    await edit(person, field, 'v2');
    await settle();
    for (const slot of await slotsOf(us(), id)) assert.equal(await opened(service, slot.value), 'v2');
  });

  test('an act that fails withdraws its registrations', async () => {
    const { person, service, live } = await connected();
    const again = await us().call('POST', '/api/person/connections', {
      token: person.token,
      body: {
        company_code: service.company.code,
        service_code: service.code,
        decisions: await decisionsFor(service.rows, { one: live }),
      },
    });
    assert.equal(again.body.error_key, 'connections.exists');
    assert.equal((await registered(person)).length, 2);
    await settle();
    assert.equal((await registered(person)).length, 1);
  });

  test('an act waits for a field that has not arrived yet', async () => {
    const { person, service } = await parties();
    const other = await createField(eu(), person, { type: 'text', slug: 'other', value: 'o1' });
    const answers = { one: { field: other, value: 'o1' }, two: { field: other, once: 'o1' } };
    const id = await whileSettling(connect(us(), person, service, answers));
    assert.deepEqual((await slotsOf(us(), id)).map((slot) => slot.field_version).sort(), [1, null]);
  });

  test('registrations of slots that were never made are removed', async () => {
    const { person, service, field } = await connected();
    const [stands] = await registered(person);
    assert.ok(stands !== undefined);
    const { remoteSlots, slotCheck } = eu().context;
    const { person_id: _, registered_at: __, ...slot } = stands;
    const registration = us().context.ids.uuid();
    await remoteSlots.register({
      person_id: person.id,
      fields: [{ id: field, version: 1 }],
      slots: [{ ...slot, registration, request_field_id: service.rows.two ?? '' }],
    });
    const { signal } = new AbortController();
    // It may be about to be made.
    assert.equal(await slotCheck.run(signal), 0);
    regions().clock.advance(11 * 60_000);
    assert.equal(await slotCheck.run(signal), 1);
    assert.deepEqual(await registered(person), [stands]);
    assert.equal(await slotCheck.run(signal), 0);
  });

  test('a value given before a newer one arrives does not count as the newer one', async () => {
    const { person, service, field } = await parties();
    await edit(person, field, 'v2');
    const { remoteSlots } = eu().context;
    const { register } = remoteSlots;
    remoteSlots.register = async (request) => {
      remoteSlots.register = register;
      const registration = await register.call(remoteSlots, request);
      await settle();
      return registration;
    };
    // It may be the value before or this one.
    await assert.rejects(connect(us(), person, service, { one: { field, value: 'v1' } }), /field_changed/);
    const id = await connect(us(), person, service, { one: { field, value: 'v2' } });
    assert.equal((await slotsOf(us(), id))[0]?.field_version, 2);
  });

  test('a field that its home has just deleted is not found', async () => {
    const { person, service, field } = await parties();
    await eu().must('DELETE', `/api/person/fields/${field}`, { token: person.token });
    const answers = { one: { field, value: 'v1' } };
    await assert.rejects(connect(us(), person, service, answers), /contact_data\.not_found/);
    await settle();
  });

  test('nothing is stored when the newer field does not arrive', async () => {
    const { person, service, field } = await parties();
    await edit(person, field, 'v2');
    const { personReplicas: replicas } = us().context;
    const { awaitFields } = replicas;
    replicas.awaitFields = replicas.hasFields;
    try {
      await assert.rejects(connect(us(), person, service, { one: { field, value: 'v1' } }), /field_changed/);
    } finally {
      replicas.awaitFields = awaitFields;
    }
    await settle();
    assert.deepEqual(await registered(person), []);
    proves('error:contact_data.field_changed');
    await connect(us(), person, service, { one: { field, value: 'v2' } });
  });

  test('nothing is stored when a field that is new does not arrive in time', async () => {
    const { person, service } = await parties();
    const field = await createField(eu(), person, { type: 'text', slug: 'new', value: 'v1' });
    const { personReplicas: replicas } = us().context;
    const { awaitFields } = replicas;
    replicas.awaitFields = async () => {
      await settle();
      return false;
    };
    try {
      await assert.rejects(connect(us(), person, service, { one: { field, value: 'v1' } }), /field_changed/);
    } finally {
      replicas.awaitFields = awaitFields;
    }
    await settle();
    assert.deepEqual(await registered(person), []);
  });

  test('an edit between the registration and the making of a slot is not lost', async () => {
    const { person, service, field } = await parties();
    const { remoteSlots } = eu().context;
    const { register } = remoteSlots;
    // The home asks for a copy for the slot that is about to be, and it arrives before that.
    remoteSlots.register = async (request) => {
      const registration = await register.call(remoteSlots, request);
      remoteSlots.register = register;
      await edit(person, field, 'v2');
      await settle();
      return registration;
    };
    await assert.rejects(connect(us(), person, service, { one: { field, value: 'v1' } }), /field_changed/);
    await settle();
    assert.deepEqual(await registered(person), []);
    // The same, arriving after: the slot takes it.
    remoteSlots.register = async (request) => {
      const registration = await register.call(remoteSlots, request);
      remoteSlots.register = register;
      await edit(person, field, 'v3');
      return registration;
    };
    const id = await connect(us(), person, service, { one: { field, value: 'v2' } });
    await settle();
    const [slot] = await slotsOf(us(), id);
    assert.equal(await opened(service, slot?.value), 'v3');
  });

  test('an act starts again when the service changes meanwhile', async () => {
    const { person, service, field, live, company } = await parties([text('one')]);
    const { remoteSlots } = eu().context;
    const { register } = remoteSlots;
    remoteSlots.register = async (request) => {
      remoteSlots.register = register;
      const registration = await register.call(remoteSlots, request);
      await publish(us(), company, service.id, [text('one', { mandatory_connected: true })]);
      await settle();
      return registration;
    };
    await connect(us(), person, service, { one: live });
    await settle();
    const rows = await registered(person);
    assert.deepEqual(
      rows.map((row) => row.mandatory),
      [1],
    );
    const { status } = await eu().call('DELETE', `/api/person/fields/${field}`, { token: person.token });
    assert.equal(status, 409);
  });

  test('a slot in another region that was withheld is reported as such, until it has the present value', async () => {
    const made = await connected();
    const { person, field, id } = made;
    const marks = async () => {
      const { token } = person;
      const { slots } = await eu().must('GET', `/api/person/fields/${field}/slots`, { token });
      return slots.map(({ withheld }: { withheld: boolean }) => withheld);
    };
    const withhold = async (value: string) => {
      const copies = (await listed(person, field)).map(({ connection_id, request_field_id }) => ({
        connection_id,
        request_field_id,
        withheld: true,
      }));
      const body = { value: await sealed(value), copies };
      await eu().must('PUT', `/api/person/fields/${field}`, { token: person.token, body });
    };
    assert.deepEqual(await marks(), [false]);
    await withhold('b@example.com');
    assert.deepEqual(await marks(), [true]);
    await edit(person, field, 'c@example.com');
    assert.deepEqual(await marks(), [false]);
    await withhold('d@example.com');
    await settle();
    assert.equal((await remap(made, { one: made.live })).status, 200);
    await settle();
    assert.deepEqual(await marks(), [false], `${id} was answered again`);
  });

  test('copies are sealed for the new key of a service', async () => {
    const { person, field, service } = await connected();
    await us().context.database.write((writer) =>
      us().context.registrations.keyReplaced(
        writer,
        { companyId: service.company.id, serviceId: service.id },
        'another key',
      ),
    );
    await settle();
    assert.equal((await listed(person, field))[0]?.service_public_key, 'another key');
    // One row is written, however many slots follow the service.
    const stored = await eu()
      .context.database.reader.selectFrom('remote_slots')
      .select('service_public_key')
      .where('company_id', '=', service.company.id)
      .execute();
    assert.ok(stored.length > 0 && stored.every((slot) => slot.service_public_key !== 'another key'));
  });

  test('a row that becomes mandatory holds its fields, and lets them go again', async () => {
    const { person, field, service, company } = await connected();
    const stored = () =>
      eu()
        .context.database.reader.selectFrom('remote_slots')
        .select('mandatory')
        .where('company_id', '=', company.id)
        .execute();
    const changed = async () =>
      (await eu().context.database.reader.selectFrom('remote_request_rows').selectAll().execute()).filter(
        ({ company_id }) => company_id === company.id,
      );
    const before = await stored();
    assert.ok(before.length > 0 && before.every(({ mandatory }) => mandatory === 0));
    const rows = (mandatory: boolean) =>
      Object.keys(service.rows).map((slug) => text(slug, { mandatory_connected: mandatory }));
    const remove = () => eu().call('DELETE', `/api/person/fields/${field}`, { token: person.token });

    await publish(us(), company, service.id, rows(true));
    await settle();
    // One row is written for each that changed, however many slots answer it.
    assert.deepEqual(await stored(), before);
    assert.equal((await remove()).body.error_key, 'contact_data.mandatory');

    await publish(us(), company, service.id, rows(false));
    await settle();
    assert.equal((await remove()).status, 204);
    await settle();
    // What no slot answers any more is not kept.
    await publish(us(), company, service.id, rows(true));
    await settle();
    assert.deepEqual(await changed(), []);
  });

  test('a deleted company leaves no slot behind', async () => {
    const { person, company } = await connected();
    await us().context.database.write((writer) =>
      us().context.companyReplicas.companyDeleted(writer, company.id),
    );
    await settle();
    assert.deepEqual(await registered(person), []);
  });

  test('a new password ends tokens from before in every region, those of apps too', async () => {
    const { person } = await parties();
    const shop = await createApp(us(), await registerCompany(us()));
    const code = await codeFor(us(), shop, { personId: person.id, personEpoch: 1 });
    const { body: signIn } = await exchange(us(), shop, code);
    const userinfo = () => us().call('GET', '/api/oauth/userinfo', { token: signIn.access_token });
    assert.equal((await userinfo()).status, 200);
    const { access_token } = await eu().must('PUT', '/api/person/password', {
      token: person.token,
      body: { current_login_secret: person.loginSecret, ...newPassword() },
    });
    // Before the message has come, the new token tells that there is news.
    const asking = us().call('GET', '/api/person/connections', { token: access_token });
    assert.equal((await whileSettling(asking)).status, 200);
    assert.equal((await us().call('GET', '/api/person/connections', { token: person.token })).status, 401);
    assert.equal((await userinfo()).status, 401);
  });

  test('a region requests the replica of an unknown person', async () => {
    const person = await registerPerson(eu());
    const field = await createField(eu(), person, { type: 'text', slug: 'mine', value: 'v1' });
    // As with a region that is new: nothing of them was ever sent to it.
    await eu().context.database.write((writer) => writer.deleteFrom('region_messages').execute());
    const asking = us().call('GET', '/api/person/connections', { token: person.token });
    assert.equal((await whileSettling(asking)).status, 200);
    assert.deepEqual(
      (await fieldsAt(us(), person)).map((row) => row.id),
      [field],
    );
  });

  test('copies follow a company that has moved', async () => {
    const { person, field, service, id } = await connected();
    // The company is at home in Asia now, and Europe has not heard of it.
    const { reader } = us().context.database;
    await ap().context.database.write(async (writer) => {
      const company = service.company.id;
      await writer.deleteFrom('companies').where('id', '=', company).execute();
      for (const table of [
        'companies',
        'services',
        'request_fields',
        'connections',
        'slot_values',
      ] as const) {
        const column = table === 'companies' ? 'id' : 'company_id';
        // biome-ignore lint/suspicious/noExplicitAny: rows of several tables alike
        const rows: any[] = await reader
          .selectFrom(table)
          .selectAll()
          .where(column as 'id', '=', company)
          .execute();
        await writer.insertInto(table).values(rows).execute();
      }
    });
    await us().context.database.write((writer) =>
      writer.updateTable('companies').set({ region: 'ap' }).where('id', '=', service.company.id).execute(),
    );
    await edit(person, field, 'v2');
    await settle();
    const [moved] = await slotsOf(ap(), id);
    assert.equal(await opened(service, moved?.value), 'v2');
    assert.equal(moved?.field_version, 2);
    assert.deepEqual(await eventNames(ap(), service.id), ['field_updated one']);
    const [left] = await slotsOf(us(), id);
    assert.equal(await opened(service, left?.value), 'v1');
    assert.deepEqual(await eventNames(us(), service.id), []);
  });
});
