import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
  connect,
  createField,
  createService,
  dataToken,
  registerPerson,
  type TestPerson,
  type TestService,
} from '@symbolon/testkit/actors/actors';
import { mailsTo } from '@symbolon/testkit/actors/mails';
import { signInByCookie } from '@symbolon/testkit/actors/person-sessions';
import { mailedProof } from '@symbolon/testkit/actors/portal-logins';
import {
  type AskingService,
  ask,
  asked,
  createAskingService,
  enrol,
  poll,
} from '@symbolon/testkit/actors/second-factor';
import { codeFor, createApp, exchange } from '@symbolon/testkit/actors/sign-ins';
import { fromBase32, totpCode } from '@symbolon/testkit/actors/totp';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { refused } from '@symbolon/testkit/evidence/refusals';
import { onEachEngine, type TestPlatform } from '@symbolon/testkit/platform/platform';
import { eventNames, raisedEvents } from '@symbolon/testkit/platform/raised-events';
import type { Kysely } from 'kysely';
import { localNames } from '../../../access/unique-names.ts';
import { writesPaused } from '../../../db/paused-writes.ts';
import type { PersonDeletionHook } from '../../participation.ts';
import { DeletionWorker } from './deletion-worker.ts';

const HOUR_MS = 60 * 60_000;

const deleteAccount = (platform: TestPlatform, person: TestPerson, more: object = {}) =>
  platform.call('DELETE', '/api/person', {
    token: person.token,
    body: { login_secret: person.loginSecret, ...more },
  });

/** The tables with rows in which an id occurs. */
async function tracesOf(platform: TestPlatform, id: string): Promise<string[]> {
  const { database, tables } = platform.context;
  const found = new Set<string>();
  for (const { name, onlyOn = database.engine } of tables) {
    if (onlyOn !== database.engine) continue;
    const rows = await (database.reader as Kysely<never>)
      .selectFrom(name as never)
      .selectAll()
      .execute();
    if (rows.some((row) => JSON.stringify(row).includes(id))) found.add(name);
  }
  return [...found].sort();
}

onEachEngine('deleting an account', (platform) => {
  const work = () => platform().context.deletionWorker.run();
  let service: AskingService;
  before(async () => {
    service = await createAskingService(platform());
  });

  test('ends it at once: signing in fails, and the address is free for a new account', async () => {
    const person = await registerPerson(platform());
    const browser = await signInByCookie(platform(), person);
    const answer = await platform().call('DELETE', '/api/person', {
      headers: browser.write,
      body: { login_secret: person.loginSecret },
    });
    assert.equal(answer.status, 204, answer.text);
    assert.match(answer.headers.get('set-cookie') ?? '', /^__Host-symbolon_person=;|^symbolon_person=;/);
    const byToken = await platform().call('GET', '/api/person/me', { token: person.token });
    assert.deepEqual([byToken.status, byToken.body.error_key], [401, 'auth.invalid']);
    const byCookie = await platform().call('GET', '/api/person/me', { headers: browser.read });
    assert.equal(byCookie.status, 401);
    for (const email of [person.email, person.id]) {
      const login = { email, login_secret: person.loginSecret };
      const again = await platform().call('POST', '/api/person/login', { body: login });
      assert.deepEqual([again.status, again.body.error_key], [401, 'auth.credentials_invalid']);
    }
    const mails = await mailsTo(platform(), person.email);
    assert.ok(mails.some((mail) => mail.includes('Your account is deleted')));
    const next = await registerPerson(platform(), 'Ada', person.email);
    assert.notEqual(next.id, person.id);
    assert.notEqual(next.shareCode, person.shareCode);
    await work();
    assert.equal((await platform().call('GET', '/api/person/me', { token: next.token })).status, 200);
  });

  test('takes a proof, and a second factor when one is on; a wrong proof changes nothing', async () => {
    const person = await registerPerson(platform());
    const wrong = { login_secret: Buffer.alloc(32).toString('base64') };
    await refused(platform(), [401, 'auth.credentials_invalid'], 'DELETE', '/api/person', {
      token: person.token,
      body: wrong,
    });
    await refused(platform(), [400, 'account.key_invalid'], 'DELETE', '/api/person', {
      token: person.token,
      body: {},
    });
    const proof = { login_secret: person.loginSecret };
    const { secret } = await platform().must('POST', '/api/person/totp/enrol', {
      token: person.token,
      body: await mailedProof(platform(), person, 'POST /api/person/totp/enrol'),
    });
    const code = () => totpCode(fromBase32(secret), platform().clock.now());
    await platform().must('POST', '/api/person/totp/confirm', {
      token: person.token,
      body: { code: code() },
    });
    await refused(platform(), [401, 'auth.two_factor_required'], 'DELETE', '/api/person', {
      token: person.token,
      body: proof,
    });
    platform().clock.advance(30_000);
    const { status, text } = await deleteAccount(platform(), person, { code: code() });
    assert.equal(status, 204, text);
    proves('route:DELETE /api/person');
  });

  test('tells services in order, revokes what they ask, and ends what apps were given', async () => {
    const { company } = service;
    const shop = await createService(platform(), company, [{ slug: 'mail', label: 'Mail', type: 'email' }]);
    const data = await dataToken(platform(), shop);
    const person = await registerPerson(platform());
    const field = await createField(platform(), person, { type: 'email', slug: 'own', value: 'a@b.example' });
    await connect(platform(), person, shop, { mail: { field, value: 'a@b.example' } });
    await enrol(platform(), person, service);
    const { challenge_id } = await asked(platform(), service, person);
    const app = await createApp(platform(), company);
    const code = await codeFor(platform(), app, { personId: person.id });
    assert.equal((await deleteAccount(platform(), person)).status, 204);
    await work();
    // Of a connection that was not read of yet, the feed has the last event.
    assert.deepEqual(await eventNames(platform(), shop.id), ['connection_deleted']);
    const ended = (await raisedEvents(platform(), shop.id)).at(-1);
    assert.equal(ended?.customer, person.id);
    assert.deepEqual(await eventNames(platform(), service.id), ['2fa_challenge_completed']);
    const { changes } = await platform().must('GET', '/api/company-data/changes', { token: data });
    assert.equal(changes.at(-1).share_code, person.shareCode);
    assert.equal((await poll(platform(), service, challenge_id)).body.status, 'revoked');
    assert.equal((await ask(platform(), service, person)).status, 404);
    const { items } = await platform().must('GET', '/api/company-data/connections', { token: data });
    assert.deepEqual(items, []);
    const key = await platform().call('GET', `/api/keys/${person.shareCode}`, { token: data });
    assert.equal(key.status, 404);
    assert.equal((await exchange(platform(), app, code)).body.error, 'invalid_grant');
  });

  test('goes on where a process stopped, and past what cannot be ended yet', async () => {
    const services: TestService[] = [];
    for (let count = 0; count < 3; count++) services.push(await createService(platform(), service.company));
    const person = await registerPerson(platform());
    const ids: string[] = [];
    for (const one of services) ids.push(await connect(platform(), person, one));
    assert.equal((await deleteAccount(platform(), person)).status, 204);
    const { context } = platform();
    const { personConnections } = context;
    const lastEvents = async () =>
      Promise.all(services.map(async ({ id }) => (await eventNames(platform(), id)).at(-1)));

    let frozen = true;
    const workerOf = (afterEach: (worker: DeletionWorker) => void) => {
      const part: PersonDeletionHook = {
        bonds: (id) => personConnections.bonds(id),
        async end(personId, id) {
          // As with a company that moves.
          if (frozen && id === ids[1]) throw writesPaused();
          await personConnections.end(personId, id);
          afterEach(worker);
        },
      };
      const { pausedDatabase: database } = context;
      const worker = new DeletionWorker({
        ...context,
        database,
        names: localNames,
        endings: { company: [], login: [], person: [part], session: [], connection: [] },
      });
      return worker;
    };
    const stopping = workerOf((worker) => void worker.stop());
    await stopping.run();
    assert.deepEqual(await lastEvents(), ['connection_deleted', 'connection_created', 'connection_created']);
    const going = workerOf(() => {});
    await going.run();
    assert.deepEqual(await lastEvents(), ['connection_deleted', 'connection_created', 'connection_deleted']);
    frozen = false;
    platform().clock.advance(5_000);
    await going.run();
    assert.deepEqual(await lastEvents(), ['connection_deleted', 'connection_deleted', 'connection_deleted']);
    assert.ok(!(await tracesOf(platform(), person.id)).includes('connections'));
    assert.deepEqual(await tracesOf(platform(), person.email), []);
  });

  test('two requests at once delete it once', async () => {
    const person = await registerPerson(platform());
    const answers = await Promise.all([1, 2].map(() => deleteAccount(platform(), person)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 401]);
    const mails = await mailsTo(platform(), person.email);
    assert.equal(mails.filter((mail) => mail.includes('Subject: Your account is deleted')).length, 1);
  });

  test('leaves nothing but the share code, which is never given again, and what services may still read', async () => {
    const person = await registerPerson(platform());
    await createField(platform(), person, { type: 'text', slug: 'note', value: 'x' });
    await enrol(platform(), person, service);
    const { challenge_id } = await asked(platform(), service, person);
    assert.equal((await deleteAccount(platform(), person)).status, 204);
    await work();
    const waiting = ['changes', 'person_deletions', 'persons', 'share_codes', 'two_factor_challenges'];
    assert.deepEqual(await tracesOf(platform(), person.id), waiting);
    assert.deepEqual(await tracesOf(platform(), person.email), []);
    const { reader } = platform().context.database;
    const row = await reader
      .selectFrom('persons')
      .selectAll()
      .where('id', '=', person.id)
      .executeTakeFirstOrThrow();
    const { display_name, public_key, encrypted_private_key, login_hash } = row;
    assert.deepEqual([display_name, public_key, encrypted_private_key, login_hash], ['', '', '', '']);
    // What came late is ended by a later pass.
    await enrol(platform(), person, service);
    platform().clock.advance(60_000);
    await work();
    assert.ok(!(await tracesOf(platform(), person.id)).includes('two_factor_enrolments'));
    assert.equal((await poll(platform(), service, challenge_id)).body.status, 'revoked');
    // The last pass comes when a day is over, to the millisecond.
    for (const ms of [HOUR_MS, 23 * HOUR_MS - 60_000]) {
      platform().clock.advance(ms);
      await work();
    }
    assert.deepEqual(await tracesOf(platform(), person.id), [
      'changes',
      'share_codes',
      'two_factor_challenges',
    ]);
    const codes = await reader
      .selectFrom('share_codes')
      .selectAll()
      .where('subject_id', '=', person.id)
      .execute();
    assert.deepEqual(
      codes.map(({ code }) => code),
      [person.shareCode],
    );
  });
});
