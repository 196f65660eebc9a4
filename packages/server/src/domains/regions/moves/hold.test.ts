import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { Event } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import {
  createService,
  dataToken,
  registerCompany,
  type TestCompany,
  type TestService,
} from '../../../testing/actors.ts';
import { eventually } from '../../../testing/eventually.ts';
import { withRegions } from '../../../testing/regions.ts';
import { insertCustomer, raise } from '../../../testing/rows.ts';
import { INTERRUPT_MARK, WEBHOOK_CHANNEL } from '../../delivery/webhooks/signals.ts';
import type { Hold } from './hold.ts';
import { insertMove, setLifted } from './store.ts';
import type { CompanyMoveRow } from './tables.ts';
import { triggersOf } from './testing/moved.ts';

withRegions(
  'a company that is held',
  ['eu', 'us'],
  (regions) => {
    const eu = () => regions().region('eu');
    const holds = () => {
      const { companyMoves } = eu().context;
      assert.ok(companyMoves);
      return companyMoves.holds;
    };
    let company: TestCompany;
    let service: TestService;
    let other: TestCompany;
    let hold: Hold;
    before(async () => {
      company = await registerCompany(eu());
      service = await createService(eu(), company);
      other = await registerCompany(eu(), 'Other');
    });
    const newHold = async () => {
      hold = { companyId: company.id, moveId: eu().context.ids.uuid() };
      const at = eu().clock.now();
      const row: CompanyMoveRow = {
        id: hold.moveId,
        company_id: company.id,
        to_region: 'us',
        state: 'holding',
        asked_by: 'operator',
        reason: null,
        attempts: 1,
        retry_at: null,
        held_at: at,
        held_ms: null,
        undo_wanted: 0,
        lifted: 0,
        rows_copied: 0,
        worker: null,
        worker_until: null,
        created_at: at,
        updated_at: at,
        switched_at: null,
        finished_at: at,
      };
      await eu().context.database.write((writer) => insertMove(writer, row));
      return hold;
    };
    const end = async () => {
      await eu().context.database.write((writer) => setLifted(writer, hold.moveId, 1));
      await holds().end(hold);
    };

    test('writes nothing, is read, and is as before when it ends; others do not notice', async () => {
      await holds().begin(await newHold());
      await holds().begin(hold);
      const { token } = company;
      for (const [method, path, body] of [
        ['PUT', `/api/services/${service.id}`, { name: 'Renamed' }],
        ['POST', '/api/account/clients', { name: 'Automation', capabilities: [] }],
        ['DELETE', `/api/services/${service.id}`, undefined],
        ['PUT', '/api/profile', { display_name: 'Renamed' }],
        ['POST', '/api/portal/sign-in', { email: company.email, password: company.password }],
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

      await end();
      await end();
      assert.deepEqual(await triggersOf(eu(), hold.moveId), []);
      await eu().must('PUT', `/api/services/${service.id}`, { token, body: { name: 'Renamed' } });
      await eu().must('PUT', `/api/services/${service.id}`, { token, body: { name: 'Shop' } });
    });

    test('begins when whoever writes has finished, and whoever comes later is refused', async () => {
      const { database } = eu().context;
      await newHold();
      const writing = Promise.withResolvers<void>();
      const written = Promise.withResolvers<void>();
      const write = database.write(async (writer) => {
        await writer
          .updateTable('services')
          .set({ admin_email: 'written@example.com' })
          .where('id', '=', service.id)
          .execute();
        written.resolve();
        // On SQLite the writer is held while this waits: no longer than it takes the hold to ask for it.
        await writing.promise;
      });
      await written.promise;
      let held = false;
      const beginning = holds()
        .begin(hold)
        .then(() => {
          held = true;
        });
      for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
      assert.equal(held, false);
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
      await end();
    });

    test('ends though somebody reads for long, as a backup does; what is left keeps nobody from anything', async (t) => {
      if (eu().engine === 'sqlite') return t.skip('readers keep nobody from anything there');
      const { database } = eu().context;
      await holds().begin(await newHold());
      const read = Promise.withResolvers<void>();
      const reading = Promise.withResolvers<void>();
      const backup = database.write(async (writer) => {
        await writer.selectFrom('services').select('id').execute();
        reading.resolve();
        await read.promise;
      });
      await reading.promise;
      await end();
      assert.ok((await triggersOf(eu(), hold.moveId)).every((name) => name.startsWith('hold_services_')));
      const body = { name: 'Shop' };
      await eu().must('PUT', `/api/services/${service.id}`, { token: company.token, body });
      read.resolve();
      await backup;
      await holds().tidy();
      assert.deepEqual(await triggersOf(eu(), hold.moveId), []);
    });

    test('waits for what is being drained, and drains nothing more', async () => {
      const token = await dataToken(eu(), service);
      const customer = await insertCustomer(eu(), service);
      for (const documentId of ['a', 'b'])
        await raise(eu(), service, customer, Event.documentCreated, { documentId });
      const drain = await eu().context.changes.drain(service.id, 1);
      assert.equal(drain.events.length, 1);
      let held = false;
      const beginning = holds()
        .begin(await newHold())
        .then(() => {
          held = true;
        });
      await eventually('it has begun', async () =>
        (await triggersOf(eu(), hold.moveId)).length > 0 ? true : undefined,
      );
      const refused = await eu().call('GET', '/api/company-data/changes?limit=1', { token });
      assert.deepEqual([refused.status, refused.body.error_key], [503, 'db.writes_paused']);
      assert.equal(held, false);
      await drain.confirm();
      await beginning;
      await end();
      const { changes } = await eu().must('GET', '/api/company-data/changes', { token });
      assert.equal(changes.length, 1, 'what was confirmed is gone, what was not is there');
    });

    test('delivers nothing, and nothing twice', async () => {
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
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      after(() => server.close());
      const { port } = server.address() as AddressInfo;
      const hooked = await createService(eu(), company);
      await eu().must('POST', `/api/services/${hooked.id}/webhooks`, {
        token: company.token,
        body: { url: `http://127.0.0.1:${port}/` },
      });
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
      let held = false;
      const beginning = holds()
        .begin(await newHold())
        .then(() => {
          held = true;
        });
      await interrupted.promise;
      await forget();
      for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
      assert.equal(held, false, 'a delivery is under way');
      second();
      await beginning;
      await dispatcher.scan();
      await dispatcher.idle();
      const waiting = await eu()
        .context.database.reader.selectFrom('webhook_events')
        .select('id')
        .where('service_id', '=', hooked.id)
        .execute();
      assert.equal(waiting.length, 1, 'what was answered is acknowledged, the rest waits');
      assert.deepEqual(received, [1, 2]);
      await end();
      await dispatcher.scan();
      (await next())();
      await dispatcher.idle();
      assert.deepEqual(received, [1, 2, 3]);
    });
  },
  { SYMBOLON_DANGEROUSLY_ALLOW_LOOPBACK_WEBHOOKS: 'true' },
);
