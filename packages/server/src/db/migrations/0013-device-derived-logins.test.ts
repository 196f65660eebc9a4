import assert from 'node:assert/strict';
import { test } from 'node:test';
import { credentials, portalAccount } from '@symbolon/testkit/actors/accounts';
import { openSealed, sealed, sharedPublicKey } from '@symbolon/testkit/actors/actors';
import { mailsTo } from '@symbolon/testkit/actors/mails';
import { codeOfMail, lastMail, loginMaterial, WRONG_SECRET } from '@symbolon/testkit/actors/portal-logins';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { engines } from '@symbolon/testkit/platform/engines';
import { openBefore } from '@symbolon/testkit/platform/places';
import { startPlatform, type TestPlatform } from '@symbolon/testkit/platform/platform';
import { type Kysely, sql } from 'kysely';
import type { Engine } from '../database.ts';

/* Logins of the portal from before login secrets: with rows from before the migration, all the way to a sign-in. */

const OWNER = 'owner@acme.example';
const DELEGATE = 'admin@acme.example';

/** A database as the release before the migration left it, with a company, a delegate and a person. */
const oldDatabase = (engine: Engine) =>
  openBefore(engine, '0013', async (db) => {
    await sql`
      insert into companies (id, name, email, code, account_public_key, account_public_key_sha256, account_private_key,
        recovery_public_key, recovery_private_key, level, created_at, card_version)
      values ('company', 'Acme', ${OWNER}, 'ACME22', '', '', '', 'old key', '{"iter":100000}', 'free', 1, 1)
    `.execute(db);
    for (const [id, email, role] of [
      ['company', OWNER, 'owner'],
      ['delegate', DELEGATE, 'admin'],
    ])
      await sql`
        insert into portal_logins (company_id, id, email, name, role, password_hash, totp_last_step, created_at)
        values ('company', ${id}, ${email}, 'Somebody', ${role}, '$argon2id$', 0, 1)
      `.execute(db);
    await sql`
      insert into portal_sessions (company_id, login_id, id, token_hash, transport, user_agent, created_at,
        last_seen_at, expires_at)
      values ('company', 'company', 'session', 'hash', 'token', '', 1, 1, 9999999999999)
    `.execute(db);
    await sql`
      insert into recovery_copies (company_id, id, kind, sealed, created_at)
      values ('company', 'copy', 'client_secret', '{}', 1)
    `.execute(db);
    await sql`
      insert into persons (id, email, display_name, share_code, public_key, public_key_sha256, key_salt, login_hash,
        encrypted_private_key, recovery_hash, recovery_private_key, epoch, created_at)
      values ('person', 'ada@example.com', 'Ada', 'ADA222', '', '', 'c2FsdA==', '', '{}', '', '{}', 1, 1)
    `.execute(db);
  });

const signIn = (platform: TestPlatform, email: string, login_secret: string) =>
  platform.call('POST', '/api/portal/sign-in', { body: { email, login_secret } });
const start = (platform: TestPlatform, email: string) =>
  platform.call('POST', '/api/portal/reset', { body: { email } });
const finish = (platform: TestPlatform, body: object) =>
  platform.call('POST', '/api/portal/reset/confirm', { body });

for (const engine of engines) {
  test(`logins from before are reset by mail, and by nothing else (${engine})`, async () => {
    await using place = await oldDatabase(engine);
    await using platform = await startPlatform(engine, place.environment);
    const read = platform.context.database.reader;

    const [person] = await read.selectFrom('persons').selectAll().execute();
    assert.deepEqual([person?.login_version, person?.login_salt], [1, 'c2FsdA==']);
    const ready = { version: 1, salt: 'c2FsdA==' };
    const ask = { body: { email: 'ada@example.com' } };
    proves('route:POST /api/person/login/parameters');
    assert.deepEqual(await platform.must('POST', '/api/person/login/parameters', ask), ready);

    const logins = await read.selectFrom('portal_logins').selectAll().execute();
    for (const login of logins) {
      assert.ok(!('password_hash' in login));
      assert.deepEqual([login.login_hash, login.login_version, login.public_key], [null, null, null]);
    }
    assert.deepEqual(await read.selectFrom('portal_sessions').selectAll().execute(), []);

    // Like an unknown address, whatever is sent.
    const unknown = await signIn(platform, 'nobody@example.com', WRONG_SECRET);
    for (const secret of [WRONG_SECRET, Buffer.alloc(32).toString('base64')]) {
      const refused = await signIn(platform, OWNER, secret);
      assert.deepEqual([refused.status, refused.body], [unknown.status, unknown.body]);
    }
    const recover = { email: OWNER, recovery_secret: WRONG_SECRET, ...credentials() };
    const refused = await platform.call('POST', '/api/portal/recover', { body: recover });
    assert.deepEqual([refused.status, refused.body.error_key], [401, 'account.recovery_invalid']);
    const path = '/api/portal/login/parameters';
    const parameters = await platform.must('POST', path, { body: { email: OWNER } });
    assert.deepEqual(
      [parameters.version, Buffer.from(parameters.salt, 'base64').length],
      [1, 16],
      'as for an unknown address',
    );

    // The first call is alike for all.
    const answers = [await start(platform, OWNER), await start(platform, 'nobody@example.com')];
    proves('route:POST /api/portal/reset');
    assert.deepEqual(
      answers.map(({ status, body }) => [status, Object.keys(body), body.ticket.length]),
      [
        [202, ['ticket'], 43],
        [202, ['ticket'], 43],
      ],
    );
    const code = await codeOfMail(platform, OWNER);
    const ticket = answers[0]?.body.ticket as string;
    const material = await loginMaterial();
    const { recovery_key } = portalAccount(await sharedPublicKey());
    const withoutKey = await finish(platform, { ticket, code, ...material });
    proves('error:account.recovery_key_required', 'error:account.company_login_only');
    assert.deepEqual([withoutKey.status, withoutKey.body.error_key], [400, 'account.recovery_key_required']);
    const wrong = await finish(platform, { ticket, code: '000000', ...material, recovery_key });
    assert.deepEqual([wrong.status, wrong.body.error_key], [401, 'account.code_invalid']);
    const copy = JSON.parse(await sealed('the recovery key'));
    const body = {
      ticket,
      code,
      ...material,
      recovery_key: { public_key: await sharedPublicKey(), sealed: copy },
    };
    const done = await finish(platform, body);
    proves('route:POST /api/portal/reset/confirm');
    assert.equal(done.status, 204, done.text);
    assert.equal((await finish(platform, body)).status, 401, 'once');
    const mail = await lastMail(platform, OWNER);
    assert.match(mail, /was reset/);
    assert.match(mail, /new recovery key/);

    const session = await signIn(platform, OWNER, material.login_secret);
    assert.equal(session.status, 200, session.text);
    const { token } = session.body;
    const [company] = await read.selectFrom('companies').selectAll().execute();
    assert.deepEqual(
      [company?.recovery_public_key, company?.recovery_private_key],
      [await sharedPublicKey(), ''],
    );
    assert.deepEqual(await read.selectFrom('recovery_copies').selectAll().execute(), []);
    const opened = await platform.must('POST', '/api/account/recovery-key/open', {
      token,
      body: { login_secret: material.login_secret },
    });
    assert.equal(await openSealed(JSON.stringify(opened.sealed)), 'the recovery key');
    const { items } = await platform.must('GET', '/api/account/audit-log', { token });
    const acts = items.map((entry: { action: string; actor: { name: string } }) => [
      entry.action,
      entry.actor.name,
    ]);
    assert.deepEqual(
      acts.find(([action]: string[]) => action === 'login.reset'),
      ['login.reset', OWNER],
    );
    proves('state:login.reset');

    // A login that has secrets is not reset by mail; its mailbox is told so.
    await platform.context.database.write((writer) =>
      (writer as unknown as Kysely<{ mailed_tickets: object }>).deleteFrom('mailed_tickets').execute(),
    );
    const own = { key: { public_key: await sharedPublicKey() }, ...credentials() };
    const delegate = (await start(platform, DELEGATE)).body.ticket;
    const delegateCode = await codeOfMail(platform, DELEGATE);
    const foreign = await finish(platform, {
      ticket: delegate,
      code: delegateCode,
      ...own,
      recovery_key,
    });
    assert.deepEqual([foreign.status, foreign.body.error_key], [403, 'account.company_login_only']);
    const reset = { ticket: delegate, code: delegateCode, ...own };
    assert.equal((await finish(platform, reset)).status, 204);
    assert.equal((await signIn(platform, DELEGATE, own.login_secret)).status, 200);
    assert.equal((await mailsTo(platform, 'nobody@example.com')).length, 1);
    assert.match(await lastMail(platform, 'nobody@example.com'), /no sign-in to reset/);
  });
}
