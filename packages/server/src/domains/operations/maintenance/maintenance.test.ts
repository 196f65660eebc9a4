import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { Event } from '@symbolon/protocol';
import {
  createService,
  createWebhook,
  registerCompany,
  registerPerson,
  type TestCompany,
  type TestPerson,
  type TestService,
  tokenFor,
} from '@symbolon/testkit/actors/actors';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { temporaryFolder } from '@symbolon/testkit/folder';
import { type Answer, PlatformAt } from '@symbolon/testkit/platform/calls';
import { engines } from '@symbolon/testkit/platform/engines';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { insidesOf } from '@symbolon/testkit/platform/insides';
import { OPERATOR, startPlatform, type TestPlatform } from '@symbolon/testkit/platform/platform';
import { PlatformProcess } from '@symbolon/testkit/platform/process';
import { raise } from '@symbolon/testkit/platform/raised-events';
import { insertCustomer } from '@symbolon/testkit/platform/rows';
import { type Receiver, startReceiver } from '@symbolon/testkit/servers/receiver';
import pg from 'pg';
import { pino } from 'pino';
import { createContext } from '../../../context.ts';
import { databasePath } from '../../../db/database-path.ts';
import { countTables as countPostgres } from '../../operator/backup/copy-postgres.ts';
import { countTables as countSqlite } from '../../operator/backup/sqlite-tables.ts';

const SECRET = Buffer.alloc(32, 7).toString('base64');

type Verdict = 'answered' | 'db.writes_paused' | 'platform.out_of_order';
interface Row {
  readonly call: string;
  readonly as?: 'data client' | 'portal' | 'person' | 'operator';
  readonly body?: unknown;
  readonly paused: Verdict;
  readonly outOfOrder: Verdict;
}

const OUT = 'platform.out_of_order';
const PAUSED = 'db.writes_paused';

for (const engine of engines) {
  describe(`a region that does not save, or does not answer (${engine})`, () => {
    let platform: TestPlatform & { stop(): Promise<void> };
    /** Every process of the region. */
    let bases: string[] = [];
    let second: Awaited<ReturnType<typeof startProcess>> | undefined;
    let company: TestCompany;
    let service: TestService;
    let person: TestPerson;
    let credentials: { client_id: string; client_secret: string };
    const tokens: Record<string, Record<string, string>> = {};

    before(async () => {
      platform = await startPlatform(engine, {
        SYMBOLON_OPERATOR_TOKEN: OPERATOR,
        SYMBOLON_SECRET: SECRET,
        SYMBOLON_DANGEROUSLY_ALLOW_LOOPBACK_WEBHOOKS: 'true',
      });
      // The other process goes by the real time.
      platform.clock.advance(Date.now() - platform.clock.now());
      // A process that waits for its database on a busy machine tries whether it saves, which writes this one row, also while saving is paused.
      const probe = { name: 'health.probe', value: '0', updated_at: 0 };
      await platform.context.database.write((writer) =>
        writer.insertInto('region_settings').values(probe).execute(),
      );
      const { databaseUrl } = platform.context.config;
      if (databaseUrl !== undefined) second = await startProcess(databaseUrl);
      bases = [platform.url, ...(second === undefined ? [] : [second.url])];
      company = await registerCompany(platform);
      service = await createService(platform, company);
      person = await registerPerson(platform);
      credentials = await platform.must('POST', `/api/services/${service.id}/client`, {
        token: company.token,
      });
      for (const base of bases) {
        tokens[base] = {
          'data client': await tokenFor(at(base), credentials.client_id, credentials.client_secret),
          portal: company.token,
          person: person.token,
          operator: OPERATOR,
        };
      }
    });
    after(async () => {
      await second?.end();
      await platform.stop();
    });

    /** The platform behind another of its addresses. */
    const at = (url: string) => new PlatformAt(url);
    const set = (what: 'writes-paused' | 'out-of-order', on: boolean, base = platform.url) =>
      at(base).must('PUT', `/api/admin/maintenance/${what}`, {
        token: OPERATOR,
        body: { on, reason: 'test' },
      });
    /** Until every process knows. */
    const known = (status: string) =>
      Promise.all(
        bases.map((base) =>
          eventually(`${base} knows`, async () =>
            (await at(base).call('GET', '/api/health')).body?.status === status ? true : undefined,
          ),
        ),
      );
    const grant = (grantType: string) => new URLSearchParams({ grant_type: grantType, ...credentials });
    const rows = (): readonly Row[] => [
      {
        call: 'POST /oauth2/token',
        body: String(grant('client_credentials')),
        paused: 'answered',
        outOfOrder: 'answered',
      },
      {
        call: 'POST /oauth2/token',
        body: String(grant('refresh_token')),
        paused: 'answered',
        outOfOrder: OUT,
      },

      {
        call: 'POST /oauth2/token',
        body: grant('client_credentials'),
        paused: 'answered',
        outOfOrder: 'answered',
      },
      { call: 'POST /oauth2/token', body: grant('authorization_code'), paused: 'answered', outOfOrder: OUT },
      { call: 'POST /oauth2/token', body: grant('refresh_token'), paused: 'answered', outOfOrder: OUT },
      { call: 'POST /oauth2/token', body: new URLSearchParams(), paused: 'answered', outOfOrder: OUT },
      { call: 'GET /oauth2/authorize?client_id=x', paused: 'answered', outOfOrder: OUT },
      { call: 'GET /api/company-data/changes', as: 'data client', paused: PAUSED, outOfOrder: OUT },
      {
        call: 'GET /api/company-data/changes?webhook_id=x',
        as: 'data client',
        paused: PAUSED,
        outOfOrder: OUT,
      },
      { call: 'GET /api/company-data/whoami', as: 'data client', paused: 'answered', outOfOrder: OUT },
      { call: 'GET /api/company-data/connections', as: 'data client', paused: 'answered', outOfOrder: OUT },
      { call: 'DELETE /api/company-data/connections/x', as: 'data client', paused: PAUSED, outOfOrder: OUT },
      { call: 'GET /api/contact-field-types', as: 'data client', paused: 'answered', outOfOrder: OUT },
      {
        call: 'POST /api/keys/batch',
        as: 'data client',
        body: { user_ids: [] },
        paused: PAUSED,
        outOfOrder: OUT,
      },
      { call: 'GET /api/account', as: 'portal', paused: 'answered', outOfOrder: OUT },
      {
        call: 'POST /api/portal/sign-in',
        body: { email: company.email, login_secret: company.loginSecret },
        paused: PAUSED,
        outOfOrder: OUT,
      },
      { call: 'POST /api/portal/sign-out', as: 'portal', paused: PAUSED, outOfOrder: OUT },
      {
        call: `PUT /api/services/${service.id}`,
        as: 'portal',
        body: { name: 'Renamed' },
        paused: PAUSED,
        outOfOrder: OUT,
      },
      { call: `DELETE /api/services/${service.id}`, as: 'portal', paused: PAUSED, outOfOrder: OUT },
      { call: 'GET /api/person/me', as: 'person', paused: 'answered', outOfOrder: OUT },
      { call: 'POST /api/person/fields', as: 'person', body: {}, paused: PAUSED, outOfOrder: OUT },
      // Before authentication costs anything, and before a body is looked at.
      { call: 'POST /api/person/fields', paused: PAUSED, outOfOrder: OUT },
      { call: 'GET /api/account', paused: 'answered', outOfOrder: OUT },
      { call: 'GET /api/nothing', paused: 'answered', outOfOrder: OUT },
      { call: 'PATCH /api/account', paused: 'answered', outOfOrder: OUT },
      { call: 'GET /api/health', paused: 'answered', outOfOrder: 'answered' },
      { call: 'GET /openapi.json', paused: 'answered', outOfOrder: 'answered' },
      { call: 'GET /', paused: 'answered', outOfOrder: 'answered' },
      { call: 'GET /errors', paused: 'answered', outOfOrder: 'answered' },
      { call: 'GET /explorer', paused: 'answered', outOfOrder: 'answered' },
      { call: 'GET /api/admin/statistics', as: 'operator', paused: 'answered', outOfOrder: 'answered' },
      {
        call: `PUT /api/admin/companies/${company.id}/level`,
        as: 'operator',
        body: { level: 'basic' },
        paused: PAUSED,
        outOfOrder: OUT,
      },
      { call: 'POST /api/admin/purge', as: 'operator', paused: PAUSED, outOfOrder: OUT },
    ];
    /** The lean way of the token route takes a form to the letter. */
    const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
    const walk = async (verdictOf: (row: Row) => Verdict) => {
      for (const base of bases) {
        for (const row of rows()) {
          const [method = '', path = ''] = row.call.split(' ');
          const token = row.as === undefined ? undefined : tokens[base]?.[row.as];
          const answer = await at(base).call(method, path, {
            ...(token === undefined ? {} : { token }),
            ...(row.body === undefined ? {} : { body: row.body }),
            ...(typeof row.body === 'string' ? { headers: FORM } : {}),
          });
          check(answer, verdictOf(row), `${row.call} as ${row.as ?? 'nobody'} at ${base}: ${answer.text}`);
        }
      }
    };
    const tables = async () => {
      const { config } = platform.context;
      if (config.databaseUrl === undefined) {
        const database = new DatabaseSync(databasePath(config.dataDir), { readOnly: true });
        const counted = countSqlite(database);
        database.close();
        return counted;
      }
      const client = new pg.Client({ connectionString: config.databaseUrl });
      await client.connect();
      const counted = await countPostgres(client);
      await client.end();
      return counted;
    };

    test('saving paused: every row of the table, in every process; nothing is drained and nothing written', async () => {
      const customer = await insertCustomer(platform, service);
      await raise(platform, service, customer, Event.connectionCreated);
      // The second process hears of it from the first, and the other way round.
      await set('writes-paused', true);
      await known('writes_paused');
      const beforehand = await tables();
      await walk((row) => row.paused);
      assert.deepEqual(await tables(), beforehand);
      const { name } = await platform.must('GET', `/api/services/${service.id}`, { token: company.token });
      assert.equal(name, 'Shop');
      await set('writes-paused', false, bases.at(-1));
      await known('ok');
      const token = tokens[platform.url]?.['data client'] ?? '';
      const drain = () => platform.must('GET', '/api/company-data/changes', { token });
      const { changes } = await drain();
      proves('error:db.writes_paused', 'state:maintenance.writes-paused');
      assert.equal(changes.length, 1, 'what was in the feed still is');
      // The next test counts rows: what was drained is deleted once it has arrived, which another drain tells.
      await drain();
      await eventually('it is deleted', async () => ((await tables()).changes === 0 ? true : undefined));
    });

    test('out of order: every row of the table, in every process', async () => {
      await set('out-of-order', true);
      await known('out_of_order');
      const beforehand = await tables();
      await walk((row) => row.outOfOrder);
      assert.deepEqual(await tables(), beforehand);
      // The stricter state hides the other, and ends without ending it.
      await set('writes-paused', true);
      await known('out_of_order');
      await set('out-of-order', false);
      await known('writes_paused');
      await set('writes-paused', false);
      proves('error:platform.out_of_order', 'state:maintenance.out-of-order');
      await known('ok');
    });

    test('a process that missed the signal follows the maintenance state a second later', {
      skip: engine === 'sqlite' && 'one process: no signal is missed',
    }, async () => {
      const { database } = platform.context;
      const row = { name: 'maintenance.writes_paused', value: '{"since":0,"reason":null}', updated_at: 0 };
      await database.write((writer) => writer.insertInto('region_settings').values(row).execute());
      await known('writes_paused');
      await set('writes-paused', false);
      await known('ok');
    });

    test('a process that starts during maintenance follows the state at once', async () => {
      await set('writes-paused', true);
      using folder = temporaryFolder();
      const config = {
        ...platform.context.config,
        ...(engine === 'postgres' ? { dataDir: folder.path } : {}),
        instance: 'late',
      };
      const late = insidesOf(
        await createContext(config, { clock: platform.clock, log: pino({ level: 'silent' }) }),
      );
      try {
        assert.equal(late.maintenance.state, 'writes_paused');
        assert.deepEqual(late.maintenance.view(), platform.context.maintenance.view());
        assert.equal(late.maintenance.view().writes_paused?.reason, 'test');
      } finally {
        await late.stop();
      }
      await set('writes-paused', false);
      await known('ok');
    });

    test('webhook deliveries stop while writes are paused, and what was answered by then is neither lost nor sent twice', async () => {
      const receiver = await HeldReceiver.start();
      const hooked = await createService(platform, company);
      await createWebhook(platform, hooked, { url: receiver.url });
      const customer = await insertCustomer(platform, hooked);
      const add = (n: number) =>
        raise(platform, hooked, customer, Event.documentCreated, { documentId: `d${n}`, payload: { n } });
      const waiting = async () => {
        const { reader } = platform.context.database;
        const found = await reader
          .selectFrom('webhook_events')
          .select('payload')
          .where('service_id', '=', hooked.id)
          .orderBy('seq')
          .execute();
        return found.map((row) => JSON.parse(row.payload).n);
      };
      const { dispatcher } = platform.context;
      // This process alone delivers: the other would take the queue as soon as it can.
      await second?.end();
      second = undefined;
      bases = [platform.url];
      await dispatcher.start();
      await add(1);
      (await receiver.next()).answer();
      await eventually('the probe is done', async () => ((await waiting()).length === 0 ? true : undefined));

      for (const n of [2, 3, 4]) await add(n);
      const held = await receiver.next();
      await set('writes-paused', true);
      held.answer();
      await dispatcher.scan();
      for (let turn = 0; turn < 200; turn++) await new Promise(setImmediate);
      assert.deepEqual(await waiting(), [2, 3, 4], 'the acknowledgement waits');
      assert.deepEqual(receiver.received, [1, 2], 'nothing more is sent');

      await set('writes-paused', false);
      for (const n of [3, 4]) {
        const next = await receiver.next();
        assert.equal(next.n, n);
        next.answer();
      }
      await eventually('all is delivered', async () => ((await waiting()).length === 0 ? true : undefined));
      assert.deepEqual(receiver.received, [1, 2, 3, 4], 'each once, in order');

      await add(5);
      const last = await receiver.next();
      await set('writes-paused', true);
      last.answer();
      await eventually('it is answered', () => (last.response.writableFinished ? true : undefined));
      // What a process that ends does first.
      platform.context.maintenance.stop();
      await dispatcher.stop();
      assert.deepEqual(
        await waiting(),
        [],
        'a process that ends while paused leaves nothing to be sent again',
      );
      await receiver.stop();
    });
  });
}

function check(answer: Answer, verdict: Verdict, told: string): void {
  if (verdict === 'answered') {
    assert.ok(answer.status < 500, told);
    return;
  }
  assert.deepEqual([answer.status, answer.body?.error_key], [503, verdict], told);
  // The token route has the OAuth code in `error`, and the sentence beside it.
  const isOAuth = answer.body.error === 'temporarily_unavailable';
  const members = ['error', 'error_key', ...(isOAuth ? ['error_description'] : []), 'docs', 'retry_after'];
  assert.deepEqual(Object.keys(answer.body), members, told);
  assert.equal(answer.headers.get('retry-after'), verdict === 'db.writes_paused' ? '30' : '300', told);
}

/** A second process of the region. */
async function startProcess(databaseUrl: string) {
  const folder = temporaryFolder();
  const process = await PlatformProcess.create({
    DATABASE_URL: databaseUrl,
    SYMBOLON_SECRET: SECRET,
    SYMBOLON_OPERATOR_TOKEN: OPERATOR,
    SYMBOLON_DATA_DIR: folder.path,
    SYMBOLON_INSTANCE: 'two',
    SYMBOLON_LOG_LEVEL: 'silent',
    SYMBOLON_RATE_TOKEN: '0',
    SYMBOLON_RATE_DEFAULT: '0',
  });
  await process.start();
  const end = async () => {
    await process.stop();
    folder[Symbol.dispose]();
  };
  return Object.assign(process, { end });
}

/** A webhook's endpoint that answers when the test says so. */
class HeldReceiver {
  readonly received: number[] = [];
  readonly #arrived: { n: number; response: ServerResponse }[] = [];
  #receiver!: Receiver;
  #wake = () => {};

  private constructor() {}

  static async start(): Promise<HeldReceiver> {
    const held = new HeldReceiver();
    held.#receiver = await startReceiver((_request, body, response) => {
      const { n } = JSON.parse(body.toString()) as { n: number };
      held.received.push(n);
      held.#arrived.push({ n, response });
      held.#wake();
    });
    return held;
  }

  get url(): string {
    return this.#receiver.url;
  }

  async next(): Promise<{ n: number; response: ServerResponse; answer: () => void }> {
    for (;;) {
      const first = this.#arrived.shift();
      if (first !== undefined) return { ...first, answer: () => void first.response.writeHead(200).end() };
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  stop(): Promise<void> {
    return this.#receiver.stop();
  }
}
