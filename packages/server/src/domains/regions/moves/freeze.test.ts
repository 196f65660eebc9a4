import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { Event } from '@symbolon/protocol';
import {
  connect,
  createService,
  createWebhook,
  dataToken,
  registerCompany,
  registerPerson,
  sealed,
  type TestCompany,
  type TestService,
} from '@symbolon/testkit/actors/actors';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { raise } from '@symbolon/testkit/platform/raised-events';
import { withRegions } from '@symbolon/testkit/platform/regions';
import { insertCustomer } from '@symbolon/testkit/platform/rows';
import { listening } from '@symbolon/testkit/servers/listening';
import { PlatformError } from '../../../core/errors.ts';
import { type Leases, MemoryLeases, SharedLeases } from '../../delivery/webhooks/leases.ts';
import { INTERRUPT_MARK, WEBHOOK_CHANNEL } from '../../delivery/webhooks/signals.ts';
import type { FrozenCompany } from './freeze.ts';
import { insertMove, requestedMove, setLifted } from './store.ts';
import { triggersOf } from './testing/moved.ts';

const DAY_MS = 24 * 3_600_000;

withRegions(
  'a frozen company',
  ['eu', 'us'],
  (regions) => {
    const eu = () => regions().region('eu');
    const freezer = () => {
      const { companyMoves } = eu().context;
      assert.ok(companyMoves);
      return companyMoves.freezer;
    };
    let company: TestCompany;
    let service: TestService;
    let other: TestCompany;
    let moving: FrozenCompany;
    before(async () => {
      company = await registerCompany(eu());
      service = await createService(eu(), company);
      other = await registerCompany(eu(), 'Other');
    });
    const newMove = async () => {
      moving = { companyId: company.id, moveId: eu().context.ids.uuid() };
      const at = eu().clock.now();
      const asked = {
        id: moving.moveId,
        companyId: company.id,
        region: 'us',
        by: 'operator',
        now: at,
      } as const;
      // Finished, so that no worker takes it.
      const row = { ...requestedMove(asked), state: 'holding', held_at: at, finished_at: at } as const;
      await eu().context.database.write((writer) => insertMove(writer, row));
      return moving;
    };
    const thaw = async () => {
      await eu().context.database.write((writer) => setLifted(writer, moving.moveId, 1));
      await freezer().thaw(moving);
    };

    test('a frozen company can be read but not written, and other companies work', async () => {
      await freezer().freeze(await newMove());
      await freezer().freeze(moving);
      const { token } = company;
      for (const [method, path, body] of [
        ['PUT', `/api/services/${service.id}`, { name: 'Renamed' }],
        ['POST', '/api/account/clients', { name: 'Automation', capabilities: [] }],
        ['DELETE', `/api/services/${service.id}`, undefined],
        ['PUT', '/api/profile', { display_name: 'Renamed' }],
        ['POST', '/api/portal/sign-in', { email: company.email, login_secret: company.loginSecret }],
      ] as const) {
        const answer = await eu().call(method, path, { token, ...(body === undefined ? {} : { body }) });
        assert.deepEqual(
          [answer.status, answer.body.error_key, answer.headers.get('retry-after')],
          [503, 'db.writes_paused', '30'],
          path,
        );
      }
      const { name } = await eu().must('GET', `/api/services/${service.id}`, { token });
      assert.equal(name, 'Shop');
      await createService(eu(), other);
      await eu().must('PUT', '/api/profile', { token: other.token, body: { display_name: 'Another' } });

      await thaw();
      await thaw();
      assert.deepEqual(await triggersOf(eu(), moving.moveId), []);
      await eu().must('PUT', `/api/services/${service.id}`, { token, body: { name: 'Renamed' } });
      await eu().must('PUT', `/api/services/${service.id}`, { token, body: { name: 'Shop' } });
    });

    test('a freeze waits for open transactions and refuses later ones', async () => {
      const { database } = eu().context;
      await newMove();
      const writing = Promise.withResolvers<void>();
      const written = Promise.withResolvers<void>();
      const write = database.write(async (writer) => {
        await writer
          .updateTable('services')
          .set({ admin_email: 'written@example.com' })
          .where('id', '=', service.id)
          .execute();
        written.resolve();
        // On SQLite this blocks the only writer until the freeze has queued its own write.
        await writing.promise;
      });
      await written.promise;
      let frozen = false;
      const beginning = freezer()
        .freeze(moving)
        .then(() => {
          frozen = true;
        });
      for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
      assert.equal(frozen, false);
      writing.resolve();
      await write;
      await beginning;
      await assert.rejects(
        database.write((writer) =>
          writer
            .updateTable('services')
            .set({ admin_email: 'late@example.com' })
            .where('id', '=', service.id)
            .execute(),
        ),
        (error: PlatformError) => error instanceof PlatformError && error.key === 'db.writes_paused',
      );
      const { admin_email } = await database.reader
        .selectFrom('services')
        .select('admin_email')
        .where('id', '=', service.id)
        .executeTakeFirstOrThrow();
      assert.equal(admin_email, 'written@example.com');
      await thaw();
    });

    test('a company thaws during a long read, and triggers that are left refuse nothing', async (t) => {
      if (eu().engine === 'sqlite') return t.skip('on SQLite readers block no writer');
      const { database } = eu().context;
      await freezer().freeze(await newMove());
      const read = Promise.withResolvers<void>();
      const reading = Promise.withResolvers<void>();
      const backup = database.write(async (writer) => {
        await writer.selectFrom('services').select('id').execute();
        reading.resolve();
        await read.promise;
      });
      await reading.promise;
      await thaw();
      assert.ok((await triggersOf(eu(), moving.moveId)).every((name) => name.startsWith('hold_services_')));
      const body = { name: 'Shop' };
      await eu().must('PUT', `/api/services/${service.id}`, { token: company.token, body });
      read.resolve();
      await backup;
      await freezer().dropOldTriggers();
      assert.deepEqual(await triggersOf(eu(), moving.moveId), []);
    });

    test('a freeze waits for open drains and refuses new ones', async () => {
      const token = await dataToken(eu(), service);
      const customer = await insertCustomer(eu(), service);
      for (const documentId of ['a', 'b'])
        await raise(eu(), service, customer, Event.documentCreated, { documentId });
      const drain = await eu().context.changes.drainFeed(service.id, { clientId: 'client', most: 1 });
      assert.equal(drain.events.length, 1);
      let frozen = false;
      const beginning = freezer()
        .freeze(await newMove())
        .then(() => {
          frozen = true;
        });
      await eventually('the freeze has begun', async () =>
        (await triggersOf(eu(), moving.moveId)).length > 0 ? true : undefined,
      );
      const refused = await eu().call('GET', '/api/company-data/changes?limit=1', { token });
      assert.deepEqual([refused.status, refused.body.error_key], [503, 'db.writes_paused']);
      assert.equal(frozen, false);
      await drain.confirm();
      await beginning;
      await thaw();
      const { changes } = await eu().must('GET', '/api/company-data/changes', { token });
      assert.equal(changes.length, 1, 'the confirmed event is gone, the other one is there');
    });

    test('a company that has thawed keeps no webhook from being delivered', async (t) => {
      await createWebhook(eu(), service, { url: 'https://receiver.example/' });
      const kind: { prototype: Leases } = eu().engine === 'sqlite' ? MemoryLeases : SharedLeases;
      const { acquire } = kind.prototype;
      let held = 0;
      t.mock.method(kind.prototype, 'acquire', async function (this: Leases, id: string) {
        const lease = await acquire.call(this, id);
        if (lease === undefined) return undefined;
        held++;
        const release = async () => {
          await lease.release();
          held--;
        };
        return { ...lease, release };
      });
      await freezer().freeze(await newMove());
      assert.equal(held, 1);
      await thaw();
      assert.equal(held, 0);
    });

    test('a frozen company delivers no webhook, and no event twice', async () => {
      const received: number[] = [];
      const answers: (() => void)[] = [];
      const server = createServer((request, response) => {
        let body = '';
        request.on('data', (chunk) => {
          body += chunk;
        });
        request.on('end', () => {
          received.push(JSON.parse(body).n);
          answers.push(() => response.end());
        });
      });
      const { port } = await listening(server);
      after(() => server.close());
      const hooked = await createService(eu(), company);
      await createWebhook(eu(), hooked, { url: `http://127.0.0.1:${port}/` });
      const customer = await insertCustomer(eu(), hooked);
      for (const n of [1, 2, 3])
        await raise(eu(), hooked, customer, Event.documentCreated, { documentId: `d${n}`, payload: { n } });
      const { dispatcher } = eu().context;
      await dispatcher.start();
      const next = () => eventually('a delivery', () => answers.shift());
      (await next())();
      const second = await next();
      const interrupted = Promise.withResolvers<void>();
      const forget = await eu().context.database.subscribe(WEBHOOK_CHANNEL, (signal) => {
        if (signal.endsWith(INTERRUPT_MARK)) interrupted.resolve();
      });
      let frozen = false;
      const beginning = freezer()
        .freeze(await newMove())
        .then(() => {
          frozen = true;
        });
      await interrupted.promise;
      await forget();
      for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
      assert.equal(frozen, false, 'a delivery is open');
      second();
      await beginning;
      await dispatcher.scan();
      await dispatcher.idle();
      const waiting = await eu()
        .context.database.reader.selectFrom('webhook_events')
        .select('id')
        .where('service_id', '=', hooked.id)
        .execute();
      assert.equal(waiting.length, 1, 'the answered events are deleted, the rest waits');
      assert.deepEqual(received, [1, 2]);
      await thaw();
      await dispatcher.scan();
      (await next())();
      await dispatcher.idle();
      assert.deepEqual(received, [1, 2, 3]);
    });

    test('contracts of a frozen company end when it is free again, and those of others on their day', async () => {
      const until = new Date(eu().clock.now() + DAY_MS).toISOString().slice(0, 10);
      const issueEnding = async (of: TestCompany) => {
        const shop = await createService(eu(), of);
        const person = await registerPerson(eu());
        const body = {
          kind: 'agreement',
          name: 'Lease',
          payload_kind: 'json',
          target: { connection_id: await connect(eu(), person, shop) },
          value: await sealed('{}'),
          metadata: { can_be_cancelled_in_app: true, valid_until: until },
        };
        const issuer = { token: await dataToken(eu(), shop), body };
        const { id } = await eu().must('POST', '/api/company-data/documents', issuer);
        await eu().must('POST', `/api/person/documents/${id}/cancel`, { token: person.token });
        const row = eu()
          .context.database.reader.selectFrom('documents')
          .select('status')
          .where('id', '=', id);
        return async () => (await row.executeTakeFirstOrThrow()).status;
      };
      // Those of the frozen company come first.
      const held = [];
      for (let count = 0; count < 3; count++) held.push(await issueEnding(company));
      const free = await issueEnding(other);
      eu().clock.advance(DAY_MS);
      const sweep = eu().context.domain.sweeps.find(({ name }) => name === 'ending contracts');
      assert.ok(sweep);
      const sweepAll = () => sweep.run(new AbortController().signal);
      await freezer().freeze(await newMove());
      await sweepAll();
      assert.equal(await free(), 'ended');
      for (const status of held) assert.equal(await status(), 'active_but_ending');
      await thaw();
      await sweepAll();
      for (const status of held) assert.equal(await status(), 'ended');
    });
  },
  { SYMBOLON_DANGEROUSLY_ALLOW_LOOPBACK_WEBHOOKS: 'true' },
);
