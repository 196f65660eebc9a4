import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { Event } from '@symbolon/protocol';
import {
  connect,
  createDataClient,
  createField,
  createService,
  createWebhook,
  registerCompany,
  registerPerson,
  sealed,
  type TestPerson,
  tokenFor,
} from '@symbolon/testkit/actors/actors';
import type { Answer } from '@symbolon/testkit/platform/calls';
import { engines } from '@symbolon/testkit/platform/engines';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { OPERATOR, type TestPlatform } from '@symbolon/testkit/platform/platform';
import { raise } from '@symbolon/testkit/platform/raised-events';
import { startRegions, type TestRegions } from '@symbolon/testkit/platform/regions';
import { listening } from '@symbolon/testkit/servers/listening';
import { isAtLength, rounds } from '@symbolon/testkit/thoroughness';
import type { Engine } from '../../../db/database.ts';
import { finish } from './testing/moved.ts';

const PEOPLE = rounds(4, 6);
/** There and back, and there again. */
const DESTINATIONS = ['us', 'eu', 'us'].slice(0, rounds(2, 3));

const pairs: readonly { eu: Engine; us: Engine }[] = engines.includes('postgres')
  ? [{ eu: 'sqlite', us: 'postgres' }, ...(isAtLength ? [{ eu: 'postgres', us: 'postgres' } as const] : [])]
  : [{ eu: 'sqlite', us: 'sqlite' }];

/*
 * People of both regions edit, disconnect and connect, the company drains its feed and changes its service, while it moves
 * there and back. A refused call is repeated, at the base that the refusal names. A call that was answered with success must
 * count exactly once.
 */
for (const pair of pairs) {
  describe(`a company that is used while it moves (${pair.eu} to ${pair.us})`, () => {
    let regions: TestRegions;
    before(async () => {
      regions = await startRegions(pair, ['eu', 'us'], {
        SYMBOLON_LOG_LEVEL: 'silent',
        SYMBOLON_DANGEROUSLY_ALLOW_LOOPBACK_WEBHOOKS: 'true',
      });
    });
    after(() => regions.stop());

    test('every acknowledged edit is kept and delivered in order', async () => {
      const eu = regions.region('eu');
      const us = regions.region('us');
      const company = await registerCompany(eu);
      const service = await createService(eu, company, [{ slug: 'nick', label: 'Nick', type: 'text' }]);
      const client = await createDataClient(eu, service);
      const people = await Promise.all(
        Array.from({ length: PEOPLE }, async (_, n) => {
          const home = n % 2 === 0 ? eu : us;
          const person = await registerPerson(home);
          const field = await createField(home, person, { type: 'text', slug: 'nick', value: '0' });
          return { home, person, field, value: '0', edits: 0, connectionId: '' };
        }),
      );
      await regions.settle();
      for (const one of people) {
        one.connectionId = await connect(one.home, one.person, service, {
          nick: { field: one.field, value: '0' },
        });
      }
      await regions.settle();

      let moving = true;
      /** Every drained event in the order of arrival. */
      const told: { id: string; person: string; value: string | undefined }[] = [];

      const edit = async (one: (typeof people)[number]) => {
        const value = String(one.edits + 1);
        const { token } = one.person;
        const path = `/api/person/fields/${one.field}`;
        const { slots } = await one.home.must('GET', `${path}/slots`, { token });
        const copies = await Promise.all(
          slots.map(async ({ connection_id, request_field_id }: Record<string, string>) => ({
            connection_id,
            request_field_id,
            value: await sealed(value),
          })),
        );
        const answer = await one.home.call('PUT', path, {
          token,
          body: { value: await sealed(value), copies },
        });
        if (refused(answer)) return;
        assert.equal(answer.status, 200, answer.text);
        one.edits++;
        one.value = value;
      };
      const users = people.map(async (one) => {
        while (moving) {
          await edit(one);
          await settled(regions);
        }
      });
      // Set once every edit has reached the company's region: after that, an empty drain is the last.
      let quiet = false;
      let drains = 0;
      const drain = async () => {
        let base: TestPlatform = eu;
        let token: string | undefined;
        for (let last = false; ; ) {
          token ??= await tokenFor(base, client.clientId, client.clientSecret);
          const answer = await base.call('GET', '/api/company-data/changes', { token });
          if (answer.status === 421) {
            base = answer.body.api_url === us.url ? us : eu;
            token = undefined;
            continue;
          }
          if (!refused(answer)) {
            assert.equal(answer.status, 200, answer.text);
            drains++;
            for (const event of answer.body.changes) {
              // The clock leaps past the leases of rows on their way: these come again, under the same id.
              if (told.some(({ id }) => id === event.id)) continue;
              const value = event.value === undefined ? undefined : await service.open(event.value);
              told.push({ id: event.id, person: event.person_user_id, value });
            }
            if (last && answer.body.changes.length === 0) return;
          }
          last = quiet;
          await settled(regions);
        }
      };
      const consumer = drain();

      const held: number[] = [];
      for (const to of DESTINATIONS) {
        const from = to === 'us' ? eu : us;
        const move = await again(() =>
          from.call('POST', `/api/admin/companies/${company.id}/moves`, {
            token: OPERATOR,
            body: { region: to },
          }),
        );
        const { companyMoves } = from.context;
        assert.ok(companyMoves);
        await finish(regions, companyMoves.moveSource, async () => {
          const now = await from.must('GET', `/api/admin/moves/${move.body.id}`, { token: OPERATOR });
          if (now.state === 'done') held.push(now.held_ms);
          return now.state === 'done';
        });
      }
      moving = false;
      await Promise.all(users);
      await regions.settle();
      quiet = true;
      await consumer;

      const home = DESTINATIONS.at(-1) === 'us' ? us : eu;
      assert.ok(people.every((one) => one.edits > 0) && drains > 0);
      for (const one of people) {
        const slot = await home.context.database.reader
          .selectFrom('slot_values')
          .selectAll()
          .where('connection_id', '=', one.connectionId)
          .executeTakeFirstOrThrow();
        assert.equal(await service.open(slot.value ?? ''), one.value, 'the last value that was acknowledged');
        const values = told.flatMap((event) =>
          event.person === one.person.id && event.value !== undefined ? [Number(event.value)] : [],
        );
        assert.equal(values.at(-1), Number(one.value), 'and it was delivered');
        assert.deepEqual(
          values,
          values.toSorted((a, b) => a - b),
          'in order',
        );
      }
      const { connection_count } = await home.context.database.reader
        .selectFrom('services')
        .select('connection_count')
        .where('id', '=', service.id)
        .executeTakeFirstOrThrow();
      assert.equal(connection_count, PEOPLE);
      assert.equal(held.length, DESTINATIONS.length);
    });

    test('webhooks deliver every event once and in order, before and after the move', async () => {
      const EVENTS = rounds(200, 400);
      const received: number[] = [];
      const receiver = createServer((request, response) => {
        let body = '';
        request.on('data', (part) => {
          body += part;
        });
        request.on('end', () => {
          received.push(JSON.parse(body).n);
          response.end();
        });
      });
      const { port } = await listening(receiver);
      const eu = regions.region('eu');
      const us = regions.region('us');
      const company = await registerCompany(eu);
      const service = await createService(eu, company);
      await createWebhook(eu, service, { url: `http://127.0.0.1:${port}/` });
      const person = await registerPerson(eu);
      await regions.settle();
      const connectionId = await connect(eu, person, service);
      const known = await eu.context.database.reader
        .selectFrom('persons')
        .selectAll()
        .where('id', '=', person.id)
        .executeTakeFirstOrThrow();
      // The event of the connection itself is not counted.
      await eu.context.database.write((writer) =>
        writer.deleteFrom('webhook_events').where('service_id', '=', service.id).execute(),
      );
      await eu.must('POST', `/api/admin/companies/${company.id}/moves`, {
        token: OPERATOR,
        body: { region: 'us' },
      });
      for (const { context } of [eu, us]) await context.dispatcher.start();
      const raising = (async () => {
        let home = eu;
        for (let n = 1; n <= EVENTS; ) {
          try {
            await raise(home, service, { connectionId, person: known }, Event.documentCreated, {
              documentId: `d${n}`,
              payload: { n },
            });
            n++;
          } catch (error) {
            assert.equal((error as { key?: string }).key, 'db.writes_paused');
            await settled(regions);
            const { region } = await eu.context.database.reader
              .selectFrom('companies')
              .select('region')
              .where('id', '=', company.id)
              .executeTakeFirstOrThrow();
            home = region === null ? eu : us;
          }
        }
      })();
      await eventually('some are delivered', () => (received.length >= 50 ? true : undefined));
      await eu.context.companyMoves?.moveSource.run();
      await raising;
      await eventually('all are delivered', () => (received.length >= EVENTS ? true : undefined));
      for (const { context } of [eu, us]) await context.dispatcher.idle();
      assert.deepEqual(
        received,
        Array.from({ length: EVENTS }, (_, index) => index + 1),
      );
      const { region } = await eu.context.database.reader
        .selectFrom('companies')
        .select('region')
        .where('id', '=', company.id)
        .executeTakeFirstOrThrow();
      assert.equal(region, 'us');
      const left = await us.context.database.reader.selectFrom('webhook_events').select('id').execute();
      assert.deepEqual(left, []);
      receiver.close();
      receiver.closeAllConnections();
    });

    test('people who connect during the move are connected in the new region', async () => {
      const eu = regions.region('eu');
      const us = regions.region('us');
      const company = await registerCompany(eu);
      const service = await createService(eu, company, [{ slug: 'nick', label: 'Nick', type: 'text' }]);
      const people: { home: TestPlatform; person: TestPerson; field: string }[] = [];
      for (let n = 0; n < rounds(6, 10); n++) {
        const home = n % 2 === 0 ? eu : us;
        const person = await registerPerson(home);
        people.push({
          home,
          person,
          field: await createField(home, person, { type: 'text', slug: 'nick', value: 'v' }),
        });
      }
      await regions.settle();
      await eu.must('POST', `/api/admin/companies/${company.id}/moves`, {
        token: OPERATOR,
        body: { region: 'us' },
      });
      const { companyMoves } = eu.context;
      assert.ok(companyMoves);
      const moved = companyMoves.moveSource.run();
      const connected: string[] = [];
      for (const { home, person, field } of people) {
        const { body } = await again(async () => {
          await settled(regions);
          return home.call('POST', '/api/person/connections', {
            token: person.token,
            body: {
              company_code: company.code,
              service_code: service.code,
              decisions: [
                {
                  request_field_id: service.rows.nick,
                  kind: 'live',
                  field_id: field,
                  value: await sealed('v'),
                },
              ],
            },
          });
        });
        connected.push(body.connection_id);
      }
      await moved;
      await regions.settle();
      const rows = await us.context.database.reader
        .selectFrom('connections')
        .select('id')
        .where('company_id', '=', company.id)
        .execute();
      assert.deepEqual(rows.map((row) => row.id).sort(), connected.toSorted());
      for (const { home, person, field } of people) {
        const { token } = person;
        const { slots } = await home.must('GET', `/api/person/fields/${field}/slots`, { token });
        assert.equal(slots.length, 1, 'and their home knows it');
        const { connections } = await home.must('GET', '/api/person/connections', { token });
        assert.equal(connections.length, 1);
      }
    });
  });
}

/** Temporary refusals: the same call is repeated. */
function refused({ status, body }: Answer): boolean {
  return status === 503 || (status === 409 && body.error_key.startsWith('contact_data.'));
}

async function again(call: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await call();
    if (answer.status < 300) return answer;
    assert.ok(refused(answer), answer.text);
  }
}

/** Yields to the event loop and delivers messages between regions. */
async function settled(regions: TestRegions): Promise<void> {
  await new Promise(setImmediate);
  await regions.settle().catch(() => {});
}
