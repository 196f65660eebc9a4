import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSealed, registerCompany, registerPerson, sealed } from '@symbolon/testkit/actors/actors';
import { createApp, openRequest, pollResult, VERIFIER } from '@symbolon/testkit/actors/consent';
import {
  approve,
  asked,
  cardsOf,
  createAskingService,
  enrol,
  poll,
} from '@symbolon/testkit/actors/second-factor';
import { breakAnswers } from '@symbolon/testkit/platform/broken-answers';
import { PlatformAt } from '@symbolon/testkit/platform/calls';
import { Listener } from '@symbolon/testkit/platform/event-stream';
import { withRegions } from '@symbolon/testkit/platform/regions';

/* Pages and sign-in clients know the front door alone. People and apps are at home in different regions. */

withRegions('signing in across regions', ['eu', 'us'], (regions) => {
  /** The one address that pages and sign-in clients know. */
  const door = () => {
    const { url, clock } = regions();
    const none = undefined as never;
    const insides = { engine: 'sqlite', clock, context: none, app: none, dataDir: '' } as const;
    return Object.assign(new PlatformAt(url), insides);
  };

  for (const [home, other] of [
    ['eu', 'us'],
    ['us', 'eu'],
  ] as const) {
    const near = () => regions().region(home);
    const far = () => regions().region(other);

    test(`a person of ${home} signs in at an app of ${other}`, async () => {
      const [person, company] = [await registerPerson(near()), await registerCompany(far())];
      const app = await createApp(far(), company);
      await regions().settle();
      const credentials = { email: person.email, login_secret: person.loginSecret };
      const { access_token: token } = await door().must('POST', '/api/person/login', { body: credentials });

      const claims = JSON.stringify([{ name: 'mail', type: 'email', required: true }]);
      const opened = await openRequest(door(), app, { mode: 'one_time', state: 's1', claims });
      assert.equal(opened.status, 200, opened.text);
      const { request_id: id, request_token } = opened.body;
      assert.equal(opened.body.company.company_user_id, company.id);
      const decide = (what: string, body: object) =>
        door().call('POST', `/api/consent/requests/${id}/${what}`, {
          token,
          body: { request_token, ...body },
        });
      const begun = await decide('begin', {});
      assert.equal(begun.status, 200, begun.text);
      const wrapper = await sealed('ada@example.com');
      const approved = await decide('approve', { claims: [{ name: 'mail', wrapper }] });
      assert.equal(approved.status, 200, approved.text);
      const back = new URL(approved.body.redirect_to);
      assert.equal(back.searchParams.get('state'), 's1');
      assert.equal(back.searchParams.get('iss'), regions().url);

      const exchange = () =>
        door().call('POST', '/oauth2/token', {
          body: new URLSearchParams({
            grant_type: 'authorization_code',
            client_id: app.id,
            client_secret: app.secret ?? '',
            code: back.searchParams.get('code') ?? '',
            redirect_uri: app.redirectUri,
            code_verifier: VERIFIER,
          }),
        });
      const exchanged = await exchange();
      assert.equal(exchanged.status, 200, exchanged.text);
      const userInfo = () =>
        door().call('GET', '/api/oauth/userinfo', { token: exchanged.body.access_token });
      const info = await userInfo();
      assert.equal(info.status, 200, info.text);
      assert.deepEqual([info.body.sub, info.body.share_code], [person.shareCode, person.shareCode]);
      assert.equal(await openSealed(info.body.values.mail), 'ada@example.com');
      const access_token: string = exchanged.body.access_token;
      const byForm = { body: new URLSearchParams({ access_token }) };
      const posted = await door().call('POST', '/api/oauth/userinfo', byForm);
      assert.deepEqual([posted.status, posted.body], [200, info.body]);

      const again = await exchange();
      assert.deepEqual([again.status, again.body.error], [400, 'invalid_grant']);
      assert.equal((await userInfo()).status, 401, 'a second use takes back what the first gave');
    });

    test(`a person of ${home} is asked by a service of ${other}, and approves`, async () => {
      const service = await createAskingService(far());
      const person = await registerPerson(near());
      await regions().settle();
      await enrol(far(), person, service);
      using device = await Listener.open(door(), { token: person.token });
      const { challenge_id: id } = await asked(far(), service, person);
      await device.heard(1);
      assert.deepEqual(
        device.events.map(({ name, data }) => [name, data.id]),
        [['two_factor_challenge', id]],
      );
      const [card] = await cardsOf(door(), person);
      assert.equal(card.challenge_id, id);
      const answer = await approve(door(), person, id);
      assert.equal(answer.status, 200, answer.text);
      assert.equal((await poll(far(), service, id)).body.status, 'approved');
      assert.deepEqual(await cardsOf(door(), person), []);
    });
  }

  test('a detached result is used up when the front door has handed it to the screen, not before', async () => {
    const [person, company] = [
      await registerPerson(regions().region('eu')),
      await registerCompany(regions().region('us')),
    ];
    const app = await createApp(regions().region('us'), company);
    await regions().settle();
    const state = 'state-over-the-front-door';
    const { body } = await openRequest(door(), app, { response_mode: 'detached', state });
    const { token } = person;
    const approved = await door().call('POST', `/api/consent/requests/${body.request_id}/approve`, {
      token,
      body: { request_token: body.request_token },
    });
    assert.equal(approved.status, 200, approved.text);
    const stop = breakAnswers(regions());
    try {
      for (let round = 0; round < 3; round++) await assert.rejects(pollResult(door(), app, state));
    } finally {
      stop();
    }
    const polls = await Promise.all(Array.from({ length: 20 }, () => pollResult(door(), app, state)));
    assert.deepEqual(polls.map(({ status }) => status).sort(), [200, ...Array<number>(19).fill(410)]);
  });

  test('what an app asks for wrongly is refused at the front door as in its region', async () => {
    const company = await registerCompany(regions().region('us'));
    const app = await createApp(regions().region('us'), company);
    for (const parameters of [{ redirect_uri: 'https://evil.example/cb' }, { client_id: 'app_nobody' }]) {
      const answer = await openRequest(door(), app, parameters);
      const direct = await openRequest(regions().region('us'), app, parameters);
      assert.deepEqual([answer.status, answer.body], [direct.status, direct.body]);
      assert.ok(answer.status >= 400 && answer.status !== 421);
    }
    const authorize = `/oauth2/authorize?client_id=${app.id}&response_type=code`;
    const answers = await Promise.all(
      [door(), regions().region('us')].map((at) => at.call('GET', authorize)),
    );
    assert.deepEqual(answers[0]?.body, answers[1]?.body);
  });
});
