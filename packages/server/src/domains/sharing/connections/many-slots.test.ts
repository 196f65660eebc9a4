import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  connect,
  createField,
  createService,
  createWebhook,
  registerCompany,
  registerPerson,
  sealed,
  type TestPerson,
  type TestService,
} from '@symbolon/testkit/actors/actors';
import { onEachEngine, type TestPlatform } from '@symbolon/testkit/platform/platform';
import { raisedEvents } from '@symbolon/testkit/platform/raised-events';
import { statementsOf } from '@symbolon/testkit/platform/statements';
import { LiveSlots } from './live-slots.ts';

const ROWS = ['first', 'second', 'third'] as const;

interface Followed {
  readonly person: TestPerson;
  readonly fieldId: string;
  readonly slots: readonly { service: TestService; connectionId: string; rowId: string }[];
}

/** A field that answers three rows of each of some services. */
async function followed(platform: TestPlatform, services: number): Promise<Followed> {
  const company = await registerCompany(platform);
  const person = await registerPerson(platform);
  const fieldId = await createField(platform, person, { type: 'text', slug: 'city', value: 'Turin' });
  const slots: { service: TestService; connectionId: string; rowId: string }[] = [];
  for (let index = 0; index < services; index++) {
    const rows = ROWS.map((slug) => ({ slug, label: slug, type: 'text' }));
    const service = await createService(platform, company, rows);
    const answer = { field: fieldId, value: 'Turin' };
    const connectionId = await connect(platform, person, service, {
      first: answer,
      second: answer,
      third: answer,
    });
    for (const slug of ROWS) slots.push({ service, connectionId, rowId: service.rows[slug] ?? '' });
  }
  return { person, fieldId, slots };
}

async function edit(platform: TestPlatform, { person, fieldId, slots }: Followed, text: string) {
  const value = await sealed(text);
  await platform.must('PUT', `/api/person/fields/${fieldId}`, {
    token: person.token,
    body: {
      value,
      copies: slots.map(({ connectionId, rowId }) => ({
        connection_id: connectionId,
        request_field_id: rowId,
        value,
      })),
    },
  });
}

async function addWebhook(platform: TestPlatform, service: TestService, events: readonly string[]) {
  await createWebhook(platform, service, { url: 'https://hooks.example.com/', auth_type: 'none', events });
}

onEachEngine('a field that many slots follow', (platform) => {
  test('an edit takes as many statements for sixty slots as for six', async () => {
    const few = await followed(platform(), 2);
    const many = await followed(platform(), 20);
    // The first edit of a process compiles statements as well.
    await edit(platform(), few, 'Bergen');
    const ofFew = await statementsOf(platform(), () => edit(platform(), few, 'Oslo'));
    const ofMany = await statementsOf(platform(), () => edit(platform(), many, 'Oslo'));
    assert.ok(ofFew.statements > 0);
    assert.equal(ofMany.statements, ofFew.statements);
  });

  test('a copy of the version that a slot has already changes nothing and raises no event', async () => {
    const field = await followed(platform(), 1);
    await edit(platform(), field, 'Milan');
    const { clock, database } = platform().context;
    const liveSlots = new LiveSlots({ clock, database });
    const copies = field.slots.map(({ connectionId, rowId }) => ({
      connection_id: connectionId,
      request_field_id: rowId,
      value: 'again',
    }));
    const arrive = (version: number) =>
      database.write(async (writer) => {
        const row = await writer
          .selectFrom('person_fields')
          .selectAll()
          .where('id', '=', field.fieldId)
          .executeTakeFirstOrThrow();
        const after = { ...row, version: row.version + version };
        return liveSlots.follow(writer, { before: after, after, copies, late: true });
      });
    assert.deepEqual([(await arrive(0)).length, (await arrive(1)).length], [0, 3]);
  });

  test('every slot gets its copy and every service its events in the order of its rows, those of an edit before replaced', async () => {
    const field = await followed(platform(), 4);
    const { database } = platform().context;
    const ids = field.slots.map(({ connectionId }) => connectionId);
    await edit(platform(), field, 'Oslo');
    const first = await database.reader
      .selectFrom('changes')
      .select('id')
      .where('connection_id', 'in', ids)
      .execute();
    await edit(platform(), field, 'Lima');

    for (const { service } of field.slots) {
      const raised = await raisedEvents(platform(), service.id);
      assert.deepEqual(
        raised.map(({ event, slug }) => [event, slug]),
        [['connection_created', null], ...ROWS.map((slug) => ['field_updated', slug])],
      );
    }
    const now = await database.reader
      .selectFrom('changes')
      .select('id')
      .where('connection_id', 'in', ids)
      .where('event', '=', 'field_updated')
      .execute();
    const before = new Set(first.map(({ id }) => id));
    assert.equal(now.filter(({ id }) => before.has(id)).length, 0);
    const values = await database.reader
      .selectFrom('slot_values')
      .select(['value', 'field_version', 'verification'])
      .where('connection_id', 'in', ids)
      .execute();
    const [{ service }] = field.slots as [(typeof field.slots)[0]];
    for (const { value, field_version, verification } of values) {
      assert.equal(await service.open(value ?? ''), 'Lima');
      assert.equal(field_version, 3);
      assert.equal(verification, null);
    }
    assert.equal(values.length, field.slots.length);
  });

  test('a webhook gets what it wants of them, in their order, and nothing of another service', async () => {
    const field = await followed(platform(), 3);
    const [one, , , two] = field.slots;
    assert.ok(one && two);
    await addWebhook(platform(), one.service, []);
    await addWebhook(platform(), one.service, ['field_updated']);
    await addWebhook(platform(), two.service, ['connection_created']);
    await edit(platform(), field, 'Oslo');
    const queued = await platform()
      .context.database.reader.selectFrom('webhook_events')
      .select(['service_id', 'webhook_id', 'event', 'slug'])
      .where('service_id', 'in', [...new Set(field.slots.map(({ service }) => service.id))])
      .orderBy('seq')
      .execute();
    const ofWebhooks = [...Map.groupBy(queued, (row) => row.webhook_id).values()];
    assert.equal(ofWebhooks.length, 2);
    for (const rows of ofWebhooks) {
      assert.deepEqual(
        rows.map(({ service_id, event, slug }) => [service_id, event, slug]),
        ROWS.map((slug): unknown[] => [one.service.id, 'field_updated', slug]),
      );
    }
  });
});
