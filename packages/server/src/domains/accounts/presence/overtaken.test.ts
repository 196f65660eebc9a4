import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { credentials } from '@symbolon/testkit/actors/accounts';
import { registerCompany, registerPerson, type TestPerson } from '@symbolon/testkit/actors/actors';
import { addPasskey, passkeyProof } from '@symbolon/testkit/actors/passkeys';
import { enrolSecondFactor, mailedProof } from '@symbolon/testkit/actors/portal-logins';
import { fromBase32, totpCode } from '@symbolon/testkit/actors/totp';
import type { Answer } from '@symbolon/testkit/platform/calls';
import { onPlatform } from '@symbolon/testkit/platform/platform';

const STEP = 30_000;

onPlatform('a call that another one overtakes after its proof was found good', (platform) => {
  const call = (person: TestPerson, method: string, path: string, body: object) =>
    platform().call(method, `/api/person/${path}`, { token: person.token, body });
  const mailed = (person: TestPerson, act: string) =>
    mailedProof(platform(), person, `POST /api/person/${act}`);
  const set = ({ id }: TestPerson, columns: Readonly<Record<string, string | number | null>>) =>
    platform().context.database.write((writer) =>
      writer
        .updateTable('persons')
        .set(columns as never)
        .where('id', '=', id)
        .execute(),
    );
  /** Makes a call during which something changes between the proof and the act. */
  const overtaken = async (
    t: TestContext,
    proof: 'prove' | 'take',
    change: () => Promise<unknown>,
    making: () => Promise<Answer>,
    of: 'personPresence' | 'loginPresence' = 'personPresence',
  ) => {
    const presence = platform().context[of];
    const checks: Record<string, (...values: never[]) => Promise<unknown>> =
      proof === 'prove' ? (presence as never) : (presence.factors as never);
    const check = checks[proof]?.bind(checks);
    const { mock } = t.mock.method(checks, proof, async (...values: never[]) => {
      const proven = await check?.(...values);
      await change();
      return proven;
    });
    const { status, body } = await making();
    assert.equal(mock.callCount(), 1);
    mock.restore();
    return [status, body?.error_key];
  };
  const on = { totp_enabled_at: 1 };
  const off = { totp_enabled_at: null };

  test('is refused: the second factor is begun and switched on as it is by now', async (t) => {
    const person = await registerPerson(platform());
    const begin = async () => {
      const proof = await mailed(person, 'totp/enrol');
      return () => call(person, 'POST', 'totp/enrol', proof);
    };
    const begun = async () => {
      const secret = fromBase32((await (await begin())()).body.secret);
      return () => call(person, 'POST', 'totp/confirm', { code: totpCode(secret, platform().clock.now()) });
    };
    const cases = [
      [begin, 'prove', on, 'account.two_factor_on'],
      [begun, 'take', on, 'account.two_factor_on'],
      [begun, 'take', { totp_secret: 'another' }, 'account.two_factor_not_started'],
    ] as const;
    for (const [prepare, proof, columns, key] of cases) {
      const making = await prepare();
      assert.deepEqual(await overtaken(t, proof, () => set(person, columns), making), [409, key]);
      await set(person, off);
      platform().clock.advance(STEP);
    }
    const confirm = await begun();
    assert.equal((await confirm()).status, 200);
    platform().clock.advance(STEP);
  });

  test('is refused: a passkey that was removed gets no name and no key, and is not removed again', async (t) => {
    const person = await registerPerson(platform());
    const gone = [404, 'account.passkey_not_found'];
    const add = async (by?: object) => {
      const { id, authenticator } = await addPasskey(platform(), person, { ...(by && { proof: by }) });
      const { database } = platform().context;
      const removeIt = () =>
        database.write((writer) => writer.deleteFrom('person_passkeys').where('id', '=', id).execute());
      const proofFor = async (act: string) => {
        const { kind: _, ...passkey } = await passkeyProof(platform(), person.token, act, authenticator);
        return passkey;
      };
      return { id, removeIt, proofFor };
    };
    const { id, ...first } = await add();
    const body = {
      passkey: await first.proofFor(`wrap key of passkey ${id}`),
      encrypted_private_key: credentials().encrypted_private_key,
    };
    const wrap = () => call(person, 'PUT', `passkeys/${id}/key`, body);
    assert.deepEqual(await overtaken(t, 'prove', first.removeIt, wrap), gone);
    const { id: next, ...second } = await add();
    const passkey = await second.proofFor(`POST /api/person/passkeys/${next}/remove`);
    const remove = () => call(person, 'POST', `passkeys/${next}/remove`, { passkey });
    assert.deepEqual(await overtaken(t, 'prove', second.removeIt, remove), gone);
    const renamed = await call(person, 'PUT', `passkeys/${id}`, { name: 'Phone' });
    assert.deepEqual([renamed.status, renamed.body.error_key], gone);
    const unknown = await wrap();
    assert.deepEqual([unknown.status, unknown.body.error_key], gone);
    // A passkey of the account proves, and is not the one whose key is to be wrapped.
    const { id: other, proofFor } = await add();
    const { proofFor: anotherProof } = await add({
      passkey: await proofFor('POST /api/person/passkeys/options'),
    });
    const swapped = { ...body, passkey: await anotherProof(`wrap key of passkey ${other}`) };
    const refused = await call(person, 'PUT', `passkeys/${other}/key`, swapped);
    assert.deepEqual([refused.status, refused.body.error_key], [401, 'auth.passkey_invalid']);
  });

  test('is refused: the second step of a sign-in whose ticket was used', async (t) => {
    const company = await registerCompany(platform());
    const { code } = await enrolSecondFactor(platform(), company);
    platform().clock.advance(STEP);
    const { email, loginSecret: login_secret } = company;
    const first = await platform().call('POST', '/api/portal/sign-in', { body: { email, login_secret } });
    const body = { ticket: first.body.ticket, code: code() };
    const { database } = platform().context;
    const use = () => database.write((writer) => writer.deleteFrom('sign_in_tickets').execute());
    const second = () => platform().call('POST', '/api/portal/sign-in/second-factor', { body });
    const refused = [401, 'auth.ticket_invalid'];
    assert.deepEqual(await overtaken(t, 'take', use, second, 'loginPresence'), refused);
  });
});
