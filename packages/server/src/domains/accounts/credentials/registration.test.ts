import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { generateKeyPair } from '@symbolon/crypto';
import { personAccount, portalAccount } from '@symbolon/testkit/actors/accounts';
import { mailsTo } from '@symbolon/testkit/actors/mails';
import { codeOfMail, lastMail } from '@symbolon/testkit/actors/portal-logins';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { refusalOf } from '@symbolon/testkit/platform/calls';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { onPlatform, type TestPlatform } from '@symbolon/testkit/platform/platform';

/* Registering in two calls, for people and companies alike. */

const { publicKey } = await generateKeyPair();
const KINDS = [
  {
    kind: 'person',
    path: '/api/person/register',
    account: () => personAccount(publicKey),
    signIn: '/api/person/login',
    table: 'persons',
  },
  {
    kind: 'portal',
    path: '/api/portal/register',
    account: () => portalAccount(publicKey),
    signIn: '/api/portal/sign-in',
    table: 'portal_logins',
  },
] as const;
type Kind = (typeof KINDS)[number];

const WITH_CODE = { SYMBOLON_DANGEROUSLY_REGISTER_WITHOUT_CODE: 'false' };
const CODE_INVALID = [401, 'account.code_invalid'];
const freshEmail = () => `fresh-${randomBytes(6).toString('hex')}@example.com`;
const countMails = async (platform: TestPlatform, email: string, count: number) =>
  eventually(`${count} mails to ${email}`, async () =>
    (await mailsTo(platform, email)).length === count ? true : undefined,
  );

for (const way of KINDS) {
  onPlatform(
    `registering in two calls: ${way.kind}`,
    (platform) => {
      const start = (email: string) => platform().call('POST', way.path, { body: { email } });
      const confirm = (ticket: string, code: string, account: object = way.account()) =>
        platform().call('POST', `${way.path}/confirm`, { body: { ticket, code, account } });
      const refusedBy = (ticket: string, code: string) => refusalOf(confirm(ticket, code));
      const register = async (email: string) => {
        const { ticket } = (await start(email)).body;
        const code = await codeOfMail(platform(), email);
        return { ticket, code, made: await confirm(ticket, code) };
      };
      /** An address that has an account and was mailed nothing yet. */
      const takenEmail = async () => {
        const [email, alias] = [freshEmail(), freshEmail()];
        assert.equal((await register(email)).made.status, 201);
        await platform().context.database.write((writer) =>
          writer.updateTable(way.table).set({ email: alias }).where('email', '=', email).execute(),
        );
        return alias;
      };
      const rows = async () =>
        (await platform().context.database.reader.selectFrom(way.table).select('email').execute()).map(
          (row) => row.email,
        );

      test('takes the address, mails a code, and makes the account by the second call alone', async () => {
        const email = freshEmail();
        const started = await start(email.toUpperCase());
        assert.equal(started.status, 202, started.text);
        assert.deepEqual(Object.keys(started.body), ['ticket']);
        const code = await codeOfMail(platform(), email);
        assert.ok(!(await rows()).includes(email), 'nothing exists before the second call');
        const account = way.account();
        const text = JSON.stringify(account).replaceAll(publicKey, `${publicKey}AAAA`);
        const unusable = await confirm(started.body.ticket, code, JSON.parse(text));
        assert.deepEqual([unusable.status, unusable.body.error_key], [400, 'account.key_invalid']);
        const made = await confirm(started.body.ticket, code, account);
        assert.equal(made.status, 201, made.text);
        assert.ok((await rows()).includes(email));
        const body = { email, login_secret: account.login_secret };
        proves(`route:POST ${way.signIn}`);
        assert.equal((await platform().call('POST', way.signIn, { body })).status, 200);
        assert.ok(!/https?:/.test(await lastMail(platform(), email)), 'no link confirms');
      });

      test('does the same for an address that has an account: one row, one mail, but no code', async () => {
        const [taken, free] = [await takenEmail(), freshEmail()];
        const answers = [await start(free), await start(taken)];
        const shapes = answers.map(({ status, headers, body }) => [
          status,
          [...headers.keys()].sort(),
          Object.keys(body),
          body.ticket.length,
        ]);
        assert.deepEqual(shapes[0], shapes[1]);
        const stored = await platform()
          .context.database.reader.selectFrom('mailed_tickets')
          .selectAll()
          .where('email', 'in', [free, taken])
          .execute();
        const alike = stored.map(({ code_hash, ticket_hash, email: _, ...row }) => ({
          ...row,
          lengths: [code_hash.length, ticket_hash.length],
        }));
        assert.equal(alike.length, 2);
        assert.deepEqual(alike[0], alike[1]);
        await countMails(platform(), free, 1);
        await countMails(platform(), taken, 1);
        const mail = await lastMail(platform(), taken);
        assert.match(mail, /has an account already/);
        const text = mail
          .split(/\r?\n\r?\n/)
          .slice(1)
          .join('\n');
        assert.ok(!/\b\d{6}\b/.test(text), text);
      });

      test('takes no code once the address has an account', async () => {
        const [email, other] = [freshEmail(), freshEmail()];
        const first = (await start(email)).body.ticket;
        const code = await codeOfMail(platform(), email);
        const second = (await start(other)).body.ticket;
        const secondCode = await codeOfMail(platform(), other);
        // Two tickets for one address, as after ten minutes: the limit of mails counts by the real clock.
        await platform().context.database.write((writer) =>
          writer.updateTable('mailed_tickets').set({ email }).where('email', '=', other).execute(),
        );
        assert.equal((await confirm(first, code)).status, 201);
        assert.deepEqual(await refusedBy(second, secondCode), CODE_INVALID);
        assert.equal((await rows()).filter((row) => row === email).length, 1);
      });

      test('an address gets one mail in ten minutes; further tickets have no code', async () => {
        const email = freshEmail();
        const first = (await start(email)).body.ticket;
        const code = await codeOfMail(platform(), email);
        const again = await start(email);
        assert.equal(again.status, 202);
        assert.deepEqual(await refusedBy(again.body.ticket, code), CODE_INVALID, 'only with its own ticket');
        await countMails(platform(), email, 1);
        assert.equal((await confirm(first, code)).status, 201);
        proves('limit:registration-mails', 'limit:registration-code');
      });

      test('a code counts with its own ticket, five tries and a quarter of an hour', async () => {
        const [email, other] = [freshEmail(), freshEmail()];
        const { ticket } = (await start(email)).body;
        const code = await codeOfMail(platform(), email);
        const rival = (await start(other)).body.ticket;
        const rivalCode = await codeOfMail(platform(), other);
        assert.deepEqual(await refusedBy(rival, code), CODE_INVALID);
        assert.deepEqual(await refusedBy('no ticket', code), CODE_INVALID);
        const wrong = code === '111111' ? '222222' : '111111';
        for (let tries = 0; tries < 5; tries++)
          assert.deepEqual(await refusedBy(ticket, wrong), CODE_INVALID);
        assert.deepEqual(await refusedBy(ticket, code), CODE_INVALID, 'after five tries');
        platform().clock.advance(15 * 60_000);
        assert.deepEqual(await refusedBy(rival, rivalCode), CODE_INVALID, 'after a quarter of an hour');
        proves('error:account.code_invalid');
      });

      test('many guesses at once are five tries', async () => {
        const email = freshEmail();
        const { ticket } = (await start(email)).body;
        const code = await codeOfMail(platform(), email);
        const wrong = code === '111111' ? '222222' : '111111';
        await Promise.all(Array.from({ length: 20 }, () => confirm(ticket, wrong)));
        assert.deepEqual(await refusedBy(ticket, code), CODE_INVALID);
      });

      test('a ticket makes one account, however often it is sent', async () => {
        const email = freshEmail();
        const { ticket } = (await start(email)).body;
        const code = await codeOfMail(platform(), email);
        const answers = await Promise.all([1, 2, 3].map(() => confirm(ticket, code)));
        proves(`route:POST ${way.path}/confirm`);
        assert.deepEqual(answers.map((answer) => answer.status).sort(), [201, 401, 401]);
        assert.deepEqual(await refusedBy(ticket, code), CODE_INVALID);
      });

      test('a ticket of the other kind is refused', async () => {
        const email = freshEmail();
        const other = KINDS.find((candidate) => candidate.kind !== way.kind) as Kind;
        const { ticket } = (await start(email)).body;
        const code = await codeOfMail(platform(), email);
        const answer = await platform().call('POST', `${other.path}/confirm`, {
          body: { ticket, code, account: other.account() },
        });
        assert.deepEqual([answer.status, answer.body.error_key], CODE_INVALID);
      });

      test('an account in the first call is refused, whether the address is taken or not', async () => {
        const email = freshEmail();
        assert.equal((await register(email)).made.status, 201);
        for (const address of [email, freshEmail()]) {
          const answer = await platform().call('POST', way.path, {
            body: { email: address, account: way.account() },
          });
          proves('error:account.confirmation_required');
          assert.deepEqual([answer.status, answer.body.error_key], [403, 'account.confirmation_required']);
        }
      });

      test('broken key material costs no try', async () => {
        const email = freshEmail();
        const { ticket } = (await start(email)).body;
        const code = await codeOfMail(platform(), email);
        for (let tries = 0; tries < 6; tries++) {
          const answer = await confirm(ticket, code, { ...way.account(), salt: 'AAAA' });
          assert.equal(answer.body.error_key, 'account.key_invalid');
        }
        assert.equal((await confirm(ticket, code)).status, 201);
      });
    },
    WITH_CODE,
  );
}

onPlatform(
  'registering from one address',
  (platform) => {
    test('is limited', async () => {
      const start = () => platform().call('POST', '/api/person/register', { body: { email: freshEmail() } });
      const statuses = [];
      for (let count = 0; count < 4; count++) statuses.push((await start()).status);
      proves('rate:registration');
      assert.deepEqual(statuses, [202, 202, 202, 429]);
    });
  },
  { ...WITH_CODE, SYMBOLON_RATE_REGISTRATION: '3' },
);
