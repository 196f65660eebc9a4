import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { before, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { DataClient } from '@symbolon/sdk';
import { PersonClient } from '@symbolon/sdk/person';
import { createAskingService, enrol, setNumberMatching } from '@symbolon/testkit/actors/second-factor';
import { onPlatform } from '@symbolon/testkit/platform/platform';
import { createLogin, hashOf } from '../../examples/second-factor-login/server.ts';

const PASSWORD = 'correct horse battery';

onPlatform('the example of a login form', (platform) => {
  let person: PersonClient;
  let client: DataClient;
  before(async () => {
    const { url } = platform();
    const service = await createAskingService(platform());
    await setNumberMatching(platform(), service, true);
    const { token } = service.company;
    const path = `/api/services/${service.id}/client/regenerate-secret`;
    const made = await platform().must('POST', path, { token });
    const sleep = async (_ms: number, signal?: AbortSignal) => {
      await setImmediate();
      signal?.throwIfAborted();
    };
    const runtime = { sleep, now: () => platform().clock.now() };
    client = new DataClient({ url, clientId: made.client_id, clientSecret: made.client_secret, runtime });
    const access = { baseUrl: url, email: 'ada@example.com', displayName: 'Ada', password: PASSWORD };
    person = (await PersonClient.register(access)).client;
    await enrol(platform(), { id: person.person.person_user_id }, service);
  });

  const newSite = () => {
    const salt = randomBytes(16);
    const { share_code: shareCode } = person.person;
    const account = { name: 'ada', salt, passwordHash: hashOf('secret', salt), shareCode };
    const site = createLogin({ client, accounts: [account], secure: true });
    const call = async (method: 'GET' | 'POST', url: string, more: { form?: object; sid?: string } = {}) => {
      const { form, sid } = more;
      const answer = await site.inject({
        method,
        url,
        headers: {
          ...(sid === undefined ? {} : { cookie: sid }),
          ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        },
        ...(form === undefined ? {} : { payload: new URLSearchParams({ ...form }).toString() }),
      });
      const sent = String(answer.headers['set-cookie'] ?? '');
      return { status: answer.statusCode, body: answer.body, sent, sid: sent.split(';', 1)[0] ?? '' };
    };
    return { site, call };
  };
  const RIGHT = { name: 'ada', password: 'secret' };

  test('asks after the right password alone, and signs in the browser whose digits were typed', async (t) => {
    const { site, call } = newSite();
    t.after(() => site.close());
    for (const form of [{ ...RIGHT, password: 'wrong' }, { ...RIGHT, name: 'eve' }, {}])
      assert.equal((await call('POST', '/login', { form })).status, 401);
    assert.deepEqual(await person.approvals.pending(), []);
    const begun = await call('POST', '/login', { form: RIGHT });
    assert.match(begun.sent, /HttpOnly; SameSite=Strict; Max-Age=3600; Secure/);
    const digits = /<b>(\d\d)<\/b>/.exec(begun.body)?.[1];
    const [card] = await person.approvals.pending();
    const id = card?.challenge_id ?? '';
    assert.match((await call('GET', '/', { sid: begun.sid })).body, /<form/, 'not yet');
    assert.equal(await person.approvals.approve(id, { password: PASSWORD }, digits), 'approved');
    assert.equal((await call('POST', '/finish')).status, 400, 'another browser');
    const done = await call('POST', '/finish', { sid: begun.sid });
    assert.deepEqual([done.status, done.sid === begun.sid], [303, false]);
    assert.match((await call('GET', '/', { sid: done.sid })).body, /Hello ada/);
    assert.equal((await call('POST', '/finish', { sid: begun.sid })).status, 400, 'once');
  });

  test('refuses the login after a denial or while no person can be asked, and stops waiting when it closes', async () => {
    const { site, call } = newSite();
    const begun = await call('POST', '/login', { form: RIGHT });
    const [card] = await person.approvals.pending();
    await person.approvals.deny(card?.challenge_id ?? '');
    assert.equal((await call('POST', '/finish', { sid: begun.sid })).status, 403);
    assert.match((await call('GET', '/', { sid: begun.sid })).body, /<form/);
    // After a denial the service is kept quiet for a while.
    assert.equal((await call('POST', '/login', { form: RIGHT })).status, 503);
    platform().clock.advance(60_000);
    const again = await call('POST', '/login', { form: RIGHT });
    assert.equal(again.status, 200);
    const finishing = call('POST', '/finish', { sid: again.sid });
    await site.close();
    assert.equal((await finishing).status, 403);
  });
});
