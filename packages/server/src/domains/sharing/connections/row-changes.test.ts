import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequestFieldInput } from '@symbolon/protocol';
import {
  connect,
  createField,
  createService,
  dataToken,
  decisionsFor,
  publish,
  registerCompany,
  registerPerson,
  sealed,
  type TestPerson,
  type TestService,
} from '@symbolon/testkit/actors/actors';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { onEachEngine, type TestPlatform } from '@symbolon/testkit/platform/platform';
import { eventNames, forgetEvents } from '@symbolon/testkit/platform/raised-events';
import { insertConnections, insertPeople, putAnswer } from '@symbolon/testkit/platform/rows';
import { statementsOf } from '@symbolon/testkit/platform/statements';

const text = (slug: string, more: Partial<RequestFieldInput> = {}): RequestFieldInput => ({
  slug,
  label: slug,
  type: 'text',
  ...more,
});
const once = (slug: string) => text(slug, { one_time: true });

/** A publish that may be refused. */
async function publishing(platform: TestPlatform, service: TestService, rows: readonly RequestFieldInput[]) {
  const path = `/api/services/${service.id}/request-fields`;
  const { token } = service.company;
  const { config_token } = await platform.must('GET', path, { token });
  return platform.call('PUT', path, { token, body: { config_token, request_fields: rows } });
}

/** A service with connected people who have answered its first two rows, without keys that are keys. */
async function crowd(platform: TestPlatform, size: number): Promise<TestService> {
  const service = await createService(platform, await registerCompany(platform), [text('a'), text('b')]);
  const ids = await insertConnections(platform, service, await insertPeople(platform, size));
  for (const connectionId of ids)
    for (const slug of ['a', 'b']) await putAnswer(platform, service, { connectionId, slug }, { value: 'x' });
  return service;
}

onEachEngine('a publish to many connections', (platform) => {
  test('takes as many statements and writes as many rows for sixty connections as for two', async () => {
    const few = await crowd(platform(), 2);
    const many = await crowd(platform(), 60);
    const stages: readonly (readonly [string, readonly RequestFieldInput[]])[] = [
      ['a new row', [text('a'), text('b'), text('c')]],
      ['a new row beside an open one', [text('a'), text('b'), text('c'), text('d')]],
      ['an answered row less', [text('b'), text('c'), text('d')]],
      ['an answered row turned one-time', [once('b'), text('c'), text('d')]],
    ];
    for (const [name, rows] of stages) {
      const sent = [];
      for (const { company, id } of [few, many])
        sent.push(await statementsOf(platform(), () => publish(platform(), company, id, rows)));
      assert.ok((sent[0]?.statements ?? 0) > 0);
      assert.deepEqual(sent[1], sent[0], name);
      await platform().context.jobWorker.run();
    }
    const left = await platform()
      .context.database.reader.selectFrom('slot_values')
      .select(['request_field_id', 'live'])
      .where('company_id', '=', many.company.id)
      .execute();
    assert.equal(left.length, 60);
    assert.ok(left.every((slot) => slot.request_field_id === many.rows.b && slot.live === 0));
  });
});

onEachEngine('rows that a publish takes away or makes one-time', (platform) => {
  /** A person who answers rows a and b live with one field. */
  async function answered(rows: readonly RequestFieldInput[] = [text('a'), text('b')]) {
    const company = await registerCompany(platform());
    const service = await createService(platform(), company, rows);
    const person = await registerPerson(platform());
    const field = await createField(platform(), person, { type: 'text', slug: 'mine', value: 'x' });
    const live = { field, value: 'x' };
    const id = await connect(platform(), person, service, { a: live, b: live });
    const data = await dataToken(platform(), service);
    return { company, service, person, field, id, data };
  }
  type Answered = Awaited<ReturnType<typeof answered>>;

  const jobs = () => platform().context.jobWorker.run();
  const stored = async (id: string) => {
    const { reader } = platform().context.database;
    const slots = await reader
      .selectFrom('slot_values')
      .selectAll()
      .where('connection_id', '=', id)
      .execute();
    return new Map(slots.map((slot) => [slot.request_field_id, slot]));
  };
  /** All that readers say of the answers: to the person, to the company, in its list, on its feed. */
  async function shown({ person, data, id, field }: Answered) {
    const { token } = person;
    const connection = await platform().must('GET', `/api/person/connections/${id}`, { token });
    const read = await platform().must('GET', `/api/company-data/connections/${id}`, { token: data });
    const list = await platform().must('GET', '/api/company-data/connections', { token: data });
    const { slots } = await platform().must('GET', `/api/person/fields/${field}/slots`, { token });
    return {
      mappings: connection.mappings,
      values: read.values,
      private: read.values_private,
      listed: list.items[0].values,
      followers: slots.map((slot: { slug: string }) => slot.slug),
    };
  }
  const drain = async ({ data }: Answered) => {
    const { changes } = await platform().must('GET', '/api/company-data/changes', { token: data });
    await forgetEvents(platform());
    return changes;
  };
  const edit = async ({ person, field, id }: Answered, rowIds: readonly string[], value: string) =>
    platform().must('PUT', `/api/person/fields/${field}`, {
      token: person.token,
      body: {
        value: await sealed(value),
        copies: await Promise.all(
          rowIds.map(async (rowId) => ({
            connection_id: id,
            request_field_id: rowId,
            value: await sealed(value),
          })),
        ),
      },
    });

  test('a row that goes is gone for all readers at once, and its answers are deleted after', async () => {
    const of = await answered();
    const { service, id, field, person } = of;
    await edit(of, [service.rows.a ?? '', service.rows.b ?? ''], 'y');
    await publish(platform(), of.company, service.id, [text('b')]);
    assert.equal((await stored(id)).size, 2);
    const at = await shown(of);
    assert.deepEqual(Object.keys(at.values), ['b']);
    assert.deepEqual(Object.keys(at.listed), ['b']);
    assert.deepEqual(Object.keys(at.private), ['b']);
    assert.deepEqual(
      at.mappings.map((row: { slug: string }) => row.slug),
      ['b'],
    );
    assert.deepEqual(at.followers, ['b']);
    // An event from before tells what the slot holds: nothing.
    const events = await drain(of);
    assert.deepEqual(
      events.slice(1).map((event: { event: string; slug: string }) => [event.event, event.slug]),
      [
        ['field_deleted', 'a'],
        ['field_updated', 'b'],
      ],
    );
    // An edit reaches the row that is left, and its copies name no other.
    await edit(of, [service.rows.b ?? ''], 'z');
    assert.deepEqual(await eventNames(platform(), service.id), ['field_updated b']);
    const before = await shown(of);
    await jobs();
    assert.deepEqual([...(await stored(id)).keys()], [service.rows.b]);
    assert.deepEqual(await shown(of), before);
    await platform().must('DELETE', `/api/person/fields/${field}`, { token: person.token });
    assert.equal((await stored(id)).size, 0);
  });

  test('answers to a row that went take no room', async () => {
    const of = await answered([text('a'), text('b'), text('c')]);
    const { database } = platform().context;
    // As large as all answers of a connection may be together.
    await database.write((writer) =>
      writer
        .updateTable('slot_values')
        .set({ value: 'x'.repeat(8 * 1024 * 1024) })
        .where('connection_id', '=', of.id)
        .where('request_field_id', '=', of.service.rows.a ?? '')
        .execute(),
    );
    const body = { decisions: await decisionsFor(of.service.rows, { c: { once: 'x' } }) };
    const path = `/api/person/connections/${of.id}/mappings`;
    const put = () => platform().call('PUT', path, { token: of.person.token, body });
    assert.equal((await put()).body.error_key, 'contact_data.answers_too_large');
    await publish(platform(), of.company, of.service.id, [text('b'), text('c')]);
    assert.equal((await put()).status, 200);
    await jobs();
  });

  test('an answer to a row that turned one-time follows nothing at once, and is a snapshot after', async () => {
    const of = await answered();
    const { service, id, person, field } = of;
    const { token } = person;
    await edit(of, [service.rows.a ?? '', service.rows.b ?? ''], 'y');
    await publish(platform(), of.company, service.id, [once('a'), text('b')]);
    assert.equal((await stored(id)).get(service.rows.a ?? '')?.live, 1);
    const before = await shown(of);
    assert.deepEqual([before.values.a.live, before.values.b.live], [false, true]);
    assert.deepEqual([before.listed.a.live, before.listed.b.live], [false, true]);
    assert.deepEqual(before.followers, ['b']);
    const told = (await drain(of)).filter((event: { event: string }) => event.event === 'field_updated');
    assert.deepEqual(
      told.map((event: { slug: string; live: boolean }) => [event.slug, event.live]),
      [
        ['a', false],
        ['b', true],
      ],
    );
    await platform().must('PUT', `/api/person/fields/${field}`, { token, body: { private: true } });
    assert.deepEqual((await shown(of)).private, { a: false, b: true });
    await edit(of, [service.rows.b ?? ''], 'z');
    assert.deepEqual(await eventNames(platform(), service.id), ['field_updated b']);
    const changed = await shown(of);
    assert.deepEqual(changed.values.a, before.values.a);
    await jobs();
    assert.equal((await stored(id)).get(service.rows.a ?? '')?.live, 0);
    assert.deepEqual(await shown(of), changed);
  });

  test('the source of an answer that turned one-time can go before a worker came by', async () => {
    const of = await answered();
    const { service, id, person, field } = of;
    await publish(platform(), of.company, service.id, [once('a'), text('b')]);
    await platform().must('DELETE', `/api/person/fields/${field}`, { token: person.token });
    const kept = [...(await stored(id)).values()];
    assert.deepEqual(
      kept.map((slot) => [slot.request_field_id, slot.live, slot.field_id]),
      [[service.rows.a, 0, null]],
    );
    await jobs();
    assert.deepEqual([...(await stored(id)).values()], kept);
  });

  test('a row cannot turn back while its answers are being made snapshots', async () => {
    const of = await answered();
    const { service } = of;
    await publish(platform(), of.company, service.id, [once('a'), text('b')]);
    const refused = await publishing(platform(), service, [text('a'), text('b')]);
    proves('error:service.busy');
    assert.deepEqual(
      [refused.status, refused.body.error_key, refused.headers.get('retry-after')],
      [503, 'service.busy', '10'],
    );
    // It may go, and a row that stays one-time does not prevent publishing.
    assert.equal((await publishing(platform(), service, [once('a'), text('b'), text('c')])).status, 200);
    await jobs();
    assert.equal((await publishing(platform(), service, [text('a'), text('b')])).status, 200);
    assert.equal((await shown(of)).values.a.live, false);
    await edit(of, [service.rows.b ?? ''], 'z');
    const nobody = await createService(platform(), of.company, [text('a')]);
    await publish(platform(), of.company, nobody.id, [once('a')]);
    assert.equal((await publishing(platform(), nobody, [text('a')])).status, 200, 'nobody is connected');
  });

  test('publishes that follow one another before a worker comes by each have their effect', async () => {
    const of = await answered();
    const { service, id, person } = of;
    const { token } = person;
    await publish(platform(), of.company, service.id, [text('b')]);
    const { a } = await publish(platform(), of.company, service.id, [text('a'), once('b')]);
    assert.notEqual(a, service.rows.a);
    // The new row of the old name is asked, and has no answer.
    const connection = await platform().must('GET', `/api/person/connections/${id}`, { token });
    assert.deepEqual(
      connection.pending_consent.request_fields.map((row: { id: string }) => row.id),
      [a],
    );
    assert.deepEqual(Object.keys((await shown(of)).values), ['b']);
    const body = { decisions: await decisionsFor({ a: a ?? '' }, { a: { once: 'new' } }) };
    const path = `/api/person/consents/${connection.pending_consent.id}/provide`;
    await platform().must('POST', path, { token, body });
    await jobs();
    const slots = await stored(id);
    assert.deepEqual([...slots.keys()].sort(), [a, service.rows.b].sort());
    assert.equal(slots.get(service.rows.b ?? '')?.live, 0);
    assert.deepEqual(Object.keys((await shown(of)).values), ['a', 'b']);
  });

  test('a step that is cut off leaves nothing, and the next one goes on where the last ended', async () => {
    const service = await crowd(platform(), 5);
    await publish(platform(), service.company, service.id, [text('b', { one_time: true })]);
    const { database, jobs: known } = platform().context;
    const [job] = await known.of(database.reader, { companyId: service.company.id, serviceId: service.id });
    const kind = known.kind('request_fields');
    assert.ok(job !== undefined && kind !== undefined);
    const left = async () => {
      const rows = await database.reader
        .selectFrom('slot_values')
        .select(['request_field_id', 'live'])
        .where('company_id', '=', service.company.id)
        .execute();
      const removed = rows.filter((slot) => slot.request_field_id === service.rows.a).length;
      return [removed, rows.filter((slot) => slot.live === 1).length - removed];
    };
    let state: unknown = JSON.parse(job.state);
    const step = (cut: boolean) =>
      database.write(async (writer) => {
        const of = { id: job.id, companyId: job.company_id, serviceId: job.service_id, state };
        const done = await kind.step(writer, of, 4);
        if (cut) throw new Error('cut off');
        return done;
      });
    const lefts = [];
    for (let finished = false; !finished; ) {
      await assert.rejects(step(true), { message: 'cut off' });
      lefts.push(await left());
      const done = await step(false);
      ({ state, finished } = done);
    }
    assert.deepEqual(lefts, [
      [5, 5],
      [3, 3],
      [1, 1],
    ]);
    assert.deepEqual(await left(), [0, 0]);
    await jobs();
  });

  test('a service that is deleted meanwhile takes its answers along', async () => {
    const of = await answered();
    await publish(platform(), of.company, of.service.id, [text('b')]);
    const path = `/api/services/${of.service.id}?confirm=true`;
    await platform().must('DELETE', path, { token: of.company.token });
    await jobs();
    assert.equal((await stored(of.id)).size, 0);
  });
});

onEachEngine('consents that are answered at the same time', (platform) => {
  const waiting = async (person: TestPerson) =>
    (await platform().must('GET', '/api/person/consents', { token: person.token })).consents;

  test('as a publish, a job or the end of the connection leave no answer without a row', async () => {
    const { database, jobWorker } = platform().context;
    const company = await registerCompany(platform());
    for (let round = 0; round < 6; round++) {
      const service = await createService(platform(), company, [text('a')]);
      const people = await Promise.all([1, 2, 3, 4].map(() => registerPerson(platform())));
      const ids = await Promise.all(people.map((person) => connect(platform(), person, service)));
      const rows = await publish(platform(), company, service.id, [text('a'), text('b'), text('c')]);
      await forgetEvents(platform());
      const consents = await Promise.all(people.map(waiting));
      const act = async (index: number, decline: boolean) => {
        const path = `/api/person/consents/${consents[index][0].id}/${decline ? 'decline' : 'provide'}`;
        const body = decline
          ? { request_field_ids: [rows.b] }
          : { decisions: await decisionsFor(rows, { b: { once: 'x' }, c: { once: 'x' } }) };
        const { token } = people[index] as TestPerson;
        return platform().call('POST', path, { token, body });
      };
      const next = round % 2 === 0 ? [text('a'), text('c')] : [text('a'), text('c'), text('d')];
      const [, ...answers] = await Promise.all([
        publish(platform(), company, service.id, next),
        act(0, false),
        act(1, true),
        act(2, false),
        act(3, round % 3 === 0),
        platform().call('DELETE', `/api/person/connections/${ids[3]}`, { token: people[3]?.token ?? '' }),
        jobWorker.run(),
      ]);
      for (const answer of answers.slice(0, 4))
        assert.ok([200, 404, 422].includes((answer as { status: number }).status));
      await jobWorker.run();
      const asked = await database.reader
        .selectFrom('request_fields')
        .select('id')
        .where('service_id', '=', service.id)
        .execute();
      const known = asked.map(({ id }) => id);
      for (const table of ['slot_values', 'consent_rows'] as const) {
        const orphans = await database.reader
          .selectFrom(table)
          .select('connection_id')
          .where('connection_id', 'in', ids)
          .where((eb) =>
            eb.or([eb('request_field_id', 'not in', known), eb('connection_id', '=', ids[3] ?? '')]),
          )
          .execute();
        assert.deepEqual(orphans, [], table);
      }
      // What a customer decided is not asked again, and all else is.
      for (const [index, person] of people.slice(0, 3).entries()) {
        const { status } = answers[index] as { status: number };
        const open = (await waiting(person)).flatMap((consent: { request_fields: { slug: string }[] }) =>
          consent.request_fields.map(({ slug }) => slug),
        );
        const provided = status === 200 && index !== 1;
        const expected = [...(provided ? [] : ['c']), ...(round % 2 === 0 ? [] : ['d'])];
        assert.deepEqual(open, expected, `person ${index}`);
      }
    }
  });

  test('as a second publish are refused by the old id, and count under the new one', async () => {
    const company = await registerCompany(platform());
    const service = await createService(platform(), company, [text('a')]);
    const person = await registerPerson(platform());
    await connect(platform(), person, service);
    await publish(platform(), company, service.id, [text('a'), text('b')]);
    const [{ id: old }] = await waiting(person);
    platform().clock.advance(5000);
    // What a publish asks of companies alone gives the consents of people a new id, and not a new time.
    await publish(platform(), company, service.id, [
      text('a'),
      text('b'),
      text('c', { audience: 'company' }),
    ]);
    const [joined] = await waiting(person);
    assert.notEqual(joined.id, old);
    assert.equal(Date.parse(joined.created_at), platform().clock.now() - 5000);
    const decline = (id: string) =>
      platform().call('POST', `/api/person/consents/${id}/decline`, { token: person.token, body: {} });
    assert.equal((await decline(old)).body.error_key, 'consents.not_found');
    assert.equal((await decline(joined.id)).status, 200);
    assert.deepEqual(await waiting(person), []);
    // An audience that becomes wider asks no existing customer.
    await publish(platform(), company, service.id, [text('a'), text('b'), text('c')]);
    assert.deepEqual(await waiting(person), []);
  });
});
