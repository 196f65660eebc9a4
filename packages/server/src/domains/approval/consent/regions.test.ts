import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, test } from 'node:test';
import { consentDecisionText } from '@symbolon/protocol';
import {
  createField,
  createService,
  decisionsFor,
  openSealed,
  registerCompany,
  registerPerson,
  sealed,
  type TestCompany,
  type TestPerson,
  type TestService,
} from '@symbolon/testkit/actors/actors';
import {
  createApp,
  decide,
  type Opened,
  opened,
  openRequest,
  pollResult,
  told,
} from '@symbolon/testkit/actors/consent';
import { mailsTo } from '@symbolon/testkit/actors/mails';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { eventNames } from '@symbolon/testkit/platform/raised-events';
import { withRegions } from '@symbolon/testkit/platform/regions';

withRegions('an app and a person of different regions', ['eu', 'us'], (regions) => {
  const eu = () => regions().region('eu');
  const us = () => regions().region('us');
  let company: TestCompany;
  let service: TestService;
  let person: TestPerson;
  before(async () => {
    company = await registerCompany(us(), 'There');
    service = await createService(us(), company, [{ slug: 'note', label: 'Note', type: 'text' }]);
    await regions().settle();
    person = await registerPerson(eu());
  });

  test('the person’s home sends the decision on, with a field that was just made', async () => {
    const app = await createApp(us(), company);
    const claims = JSON.stringify([{ name: 'mail', type: 'email', required: true }]);
    const request = await opened(us(), app, { mode: 'one_time', claims, state: 's' });
    const begun = await decide(eu(), person, 'begin', request);
    assert.equal(begun.status, 200, begun.text);
    const field_id = await createField(eu(), person, { type: 'email', slug: 'mail', value: 'a@b.example' });
    const wrapper = await sealed('a@b.example');
    const answer = { claims: [{ name: 'mail', field_id, wrapper }] };
    const approved = await decide(eu(), person, 'approve', request, answer);
    assert.equal(approved.status, 200, approved.text);
    const { code, iss } = told(approved.body.redirect_to);
    assert.ok(code && iss);
    const row = await us()
      .context.database.reader.selectFrom('sign_ins')
      .selectAll()
      .where('client_id', '=', app.id)
      .executeTakeFirstOrThrow();
    assert.equal(row.share_code, person.shareCode);
    assert.equal(await openSealed(JSON.parse(row.claims).mail), 'a@b.example');
    const again = await decide(eu(), person, 'approve', request, answer);
    assert.deepEqual([again.status, again.body.error_key], [409, 'oauth.request_decided']);
    const nobody = await decide(eu(), person, 'approve', { ...request, request_token: 'x' });
    assert.deepEqual([nobody.status, nobody.body.error_key], [404, 'oauth.request_not_found']);
    const list = await eu().must('GET', '/api/person/sign-ins', { token: person.token });
    assert.deepEqual(
      list.sign_ins.map((one: { app: { client_id: string } }) => one.app.client_id),
      [app.id],
    );
    const path = `/api/person/sign-ins/${list.sign_ins[0].sign_in_id}`;
    assert.equal((await eu().call('DELETE', path, { token: person.token })).status, 204);
  });

  test('two factors are proven at home, once, for the decision elsewhere', async () => {
    const app = await createApp(us(), company, { require_2fa: true });
    const request = await opened(us(), app);
    const act = actOf(request, {});
    await eu().must('POST', '/api/person/presence/mailed-code', { token: person.token, body: { act } });
    const mailed_code = /\b\d{6}\b/.exec((await mailsTo(eu(), person.email)).at(-1) ?? '')?.[0] ?? '';
    const weak = { kind: 'password', login_secret: person.loginSecret };
    const refused = await decide(eu(), person, 'approve', request, { proof: weak });
    assert.deepEqual([refused.status, refused.body.error_key], [401, 'auth.two_factor_required']);
    const proof = { ...weak, mailed_code };
    const approved = await decide(eu(), person, 'approve', request, { proof });
    assert.equal(approved.status, 200, approved.text);
    const second = await opened(us(), app);
    assert.equal((await decide(eu(), person, 'approve', second, { proof })).status, 401);
  });

  test('connecting, enrolling and a detached result work across regions', async () => {
    const app = await createApp(us(), company, { service_id: service.id });
    const asked = await openRequest(us(), app, { mode: 'connect' });
    const field = await createField(eu(), person, { type: 'text', slug: 'note', value: 'hello' });
    const decisions = await decisionsFor(service.rows, { note: { field, value: 'hello' } });
    const connected = await decide(eu(), person, 'approve', asked.body, { decisions });
    assert.equal(connected.status, 200, connected.text);
    assert.deepEqual(await eventNames(us(), service.id), ['connection_created']);
    const begun = await decide(eu(), person, 'begin', await opened(us(), app, { mode: 'connect' }));
    assert.equal(begun.body.connected, true);

    const state = 'state-of-16-chars';
    const enrolling = await opened(us(), app, { mode: '2fa_enroll', response_mode: 'detached', state });
    proves('route:POST /api/consent/requests/{id}/approve');
    assert.equal((await decide(eu(), person, 'approve', enrolling)).status, 200);
    proves('route:POST /oauth2/result');
    assert.deepEqual((await pollResult(us(), app, state)).body, { enrolled: true, state });
    const list = await eu().must('GET', '/api/person/two-factor/enrollments', { token: person.token });
    assert.equal(list.enrollments.length, 1);
  });

  // The last one: the region is away afterwards.
  test('a region that stops waits for word that a result was handed over, and tells no other one', async (t) => {
    const app = await createApp(us(), company);
    const states = ['state-before-the-stop', 'state-after-the-stop'] as const;
    for (const state of states) {
      const request = await opened(us(), app, { response_mode: 'detached', state });
      assert.equal((await decide(eu(), person, 'approve', request)).status, 200);
    }
    const { peers } = regions().frontDoor;
    const call = peers.call.bind(peers);
    const [sending, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    t.mock.method(peers, 'call', async (...asked: Parameters<typeof call>) => {
      if (asked[1].path === '/internal/relayed-answers') {
        sending.resolve();
        await held.promise;
      }
      return call(...asked);
    });
    const poll = async (state: string) => {
      const body = new URLSearchParams({ client_id: app.id, client_secret: app.secret ?? '', state });
      return (await fetch(`${regions().url}/oauth2/result`, { method: 'POST', body })).status;
    };
    assert.equal(await poll(states[0]), 200);
    await sending.promise;
    const closed = us().app.close();
    assert.equal(await poll(states[1]), 503);
    held.resolve();
    await closed;
    const delivered = async () => {
      const rows = await us()
        .context.database.reader.selectFrom('consent_requests')
        .select('delivered')
        .where('client_id', '=', app.id)
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      return rows.map((row) => row.delivered);
    };
    // The last request has ended; what was handed over may still be on its way into the database.
    await eventually('the first is recorded', async () => (await delivered())[0] === 1 || undefined);
    assert.deepEqual(await delivered(), [1, 0]);
  });
});

const actOf = ({ request_id }: Opened, decision: object) =>
  `consent ${request_id} ${createHash('sha256').update(consentDecisionText(decision)).digest('hex')}`;
