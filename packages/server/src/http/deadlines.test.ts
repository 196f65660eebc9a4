import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { registerCompany } from '@symbolon/testkit/actors/actors';
import { observe } from '@symbolon/testkit/evidence/evidence';
import { FakeTimers } from '@symbolon/testkit/platform/fake-timers';
import { onEachEngine } from '@symbolon/testkit/platform/platform';
import { UNLIMITED_RATES } from '@symbolon/testkit/platform/rates';
import { sql } from 'kysely';
import { pino } from 'pino';
import { Type } from 'typebox';
import { Cookies } from '../access/cookies.ts';
import { FailureLimit } from '../access/failure-limit.ts';
import { RateLimits } from '../access/rate-limits.ts';
import { systemClock } from '../core/clock.ts';
import { Deadline } from '../core/deadline.ts';
import { createIds } from '../core/ids.ts';
import { noInstruments } from '../core/instruments.ts';
import { systemTimers } from '../core/timers.ts';
import { lock, type Writer } from '../db/database.ts';
import { noMaintenance } from './admission.ts';
import { createApp } from './app.ts';
import { boundHandlers } from './deadlines.ts';
import { routesOf } from './routes.ts';

/** As long as a call may take. */
const MOST_MS = 8_000;

/** A server with routes of a test's own, and its time. */
function startApp() {
  const timers = new FakeTimers();
  const app = createApp({
    authenticator: { authenticate: () => Promise.reject(new Error('never asked')) } as never,
    cookies: new Cookies(() => false),
    issuer: () => '',
    regions: { apiUrl: () => undefined, names: [] },
    maintenance: noMaintenance,
    rateLimits: new RateLimits(UNLIMITED_RATES),
    failures: new FailureLimit(UNLIMITED_RATES),
    ids: createIds(systemClock),
    log: pino({ level: 'silent' }),
    trustedProxies: undefined,
    corsOrigins: new Set(),
    instruments: noInstruments,
    securityLog: { refused: () => {} } as never,
    connections: { most: 0, perAddress: 0 },
    availability: { failed: () => false },
    timers,
    largeBodies: { folder: { path: tmpdir(), ids: createIds(systemClock) }, blobs: {} as never },
    checkResponses: false,
  });
  boundHandlers(app);
  observe(app);
  return { app, timers, route: routesOf(app, { tags: ['platform'], access: 'open' }) };
}

onEachEngine('the deadline of a request', (platform) => {
  /** Holds the row of a company, and on SQLite everything, until it is ended. */
  const hold = async () => {
    const { database } = platform().context;
    const { id } = await registerCompany(platform());
    const [held, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const done = database.write(async (writer) => {
      await lock(database.engine, writer, 'companies', [id]);
      held.resolve();
      await end.promise;
    });
    await held.promise;
    const release = async () => {
      end.resolve();
      await done;
    };
    return { id, release };
  };
  const note = (writer: Writer, name: string) =>
    writer.insertInto('region_settings').values({ name, value: '1', updated_at: 0 }).execute();
  const noted = async (...names: string[]) => {
    const { reader } = platform().context.database;
    const rows = await reader
      .selectFrom('region_settings')
      .select('name')
      .where('name', 'in', names)
      .execute();
    return rows.map(({ name }) => name).sort();
  };

  test('a call that waits for others is refused, and what it would have saved is not saved', async () => {
    const { database } = platform().context;
    const { app, timers, route } = startApp();
    const { id, release } = await hold();
    const [begun, over] = [Promise.withResolvers<void>(), Promise.withResolvers<unknown>()];
    const save = async () => {
      begun.resolve();
      await database.write(async (writer) => {
        await lock(database.engine, writer, 'companies', [id]);
        await note(writer, 'late');
      });
    };
    route('POST /late', { summary: 'Saves' }, () => {
      const saving = save();
      saving.then(over.resolve, over.resolve);
      return saving;
    });
    const answer = app.inject({ method: 'POST', url: '/late' });
    await begun.promise;
    timers.advance(MOST_MS);
    const { statusCode, headers, body } = await answer;
    assert.deepEqual(
      [statusCode, JSON.parse(body).error_key, headers['retry-after']],
      [503, 'platform.busy', '5'],
    );
    await release();
    assert.equal(((await over.promise) as { key?: string }).key, 'platform.busy');
    assert.deepEqual(await noted('late'), []);
    assert.equal(timers.size, 0);
  });

  test('a call that had saved something by then is in doubt, and goes on', async () => {
    const { database } = platform().context;
    const { app, timers, route } = startApp();
    const { id } = await registerCompany(platform());
    const [saved, goOn, over] = [
      Promise.withResolvers<void>(),
      Promise.withResolvers<void>(),
      Promise.withResolvers<void>(),
    ];
    route('POST /twice', { summary: 'Saves twice' }, async () => {
      await database.write((writer) => note(writer, 'first'));
      saved.resolve();
      await goOn.promise;
      await database.write(async (writer) => {
        await lock(database.engine, writer, 'companies', [id]);
        await note(writer, 'second');
      });
      over.resolve();
    });
    const answer = app.inject({ method: 'POST', url: '/twice' });
    await saved.promise;
    timers.advance(MOST_MS);
    const { statusCode, body } = await answer;
    assert.deepEqual([statusCode, JSON.parse(body).error_key], [503, 'db.unavailable']);
    goOn.resolve();
    await over.promise;
    assert.deepEqual(await noted('first', 'second'), ['first', 'second']);
  });

  test('an answer that has begun takes as long as it takes', async () => {
    const { app, timers, route } = startApp();
    const stream = new PassThrough();
    const sent = Promise.withResolvers<void>();
    route('GET /stream', { summary: 'Streams', ok: Type.Any() }, async (_request, reply) => {
      const sending = reply.type('text/plain').send(stream as never);
      sent.resolve();
      return sending as never;
    });
    const answer = app.inject({ method: 'GET', url: '/stream' });
    await sent.promise;
    timers.advance(10 * MOST_MS);
    stream.end('whole');
    const { statusCode, body } = await answer;
    assert.deepEqual([statusCode, body], [200, 'whole']);
  });

  test('a route says when it takes longer', async () => {
    const { app, timers, route } = startApp();
    const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const declared = { summary: 'Takes long', answersWithin: 2 * MOST_MS, ok: Type.Object({}) };
    route('GET /long', declared, async () => {
      begun.resolve();
      await end.promise;
      return {};
    });
    const answer = app.inject({ method: 'GET', url: '/long' });
    await begun.promise;
    timers.advance(MOST_MS);
    end.resolve();
    assert.equal((await answer).statusCode, 200);
  });

  test('a transaction waits no longer than its request', async () => {
    const { database } = platform().context;
    if (database.engine === 'sqlite') return;
    const bounds = (writer: Writer) =>
      sql<{ ms: string }>`
        select setting as ms from pg_settings where name in ('lock_timeout', 'statement_timeout')
      `.execute(writer);
    const { rows } = await new Deadline(systemTimers, 1_500).bound(() => database.write(bounds));
    assert.equal(rows.length, 2);
    for (const { ms } of rows) assert.ok(Number(ms) > 0 && Number(ms) <= 1_300, ms);
  });
});
