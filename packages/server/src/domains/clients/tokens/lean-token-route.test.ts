import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createService, registerCompany } from '../../../testing/actors.ts';
import { type Answer, onEachEngine, startPlatform } from '../../../testing/platform.ts';

/** An ordinary form, and the same one in a way that only the route itself takes. */
const ORDINARY = 'application/x-www-form-urlencoded';
const BY_THE_ROUTE = 'application/x-www-form-urlencoded; charset=utf-8';

onEachEngine('the lean way of the token route', (platform) => {
  test('answers to the letter what the route answers', async () => {
    const service = await createService(platform(), await registerCompany(platform()));
    const client = await platform().must('POST', `/api/services/${service.id}/client`, {
      token: service.company.token,
    });
    const good = `client_id=${client.client_id}&client_secret=${client.client_secret}`;
    for (const body of [
      `grant_type=client_credentials&${good}`,
      `grant_type=client_credentials&${good}&unknown=1`,
      `grant_type=client_credentials&client_id=${client.client_id}&client_secret=wrong`,
      'grant_type=client_credentials&client_id=svc_nobody&client_secret=x',
      `grant_type=client_credentials&grant_type=client_credentials&${good}`,
      `grant_type=authorization_code&${good}`,
      `grant_type=password&${good}`,
      'grant_type=client_credentials',
      'a=%ff%fe&=&&',
    ]) {
      const [lean, route] = await Promise.all(
        [ORDINARY, BY_THE_ROUTE].map((type) =>
          platform().call('POST', '/oauth2/token', { body, headers: { 'content-type': type } }),
        ),
      );
      assert.deepEqual(comparable(lean), comparable(route), body);
    }
  });

  test('leaves what is out of the ordinary to the route', async () => {
    const large = await platform().call('POST', '/oauth2/token', {
      body: `a=${'x'.repeat(20_000)}`,
      headers: { 'content-type': ORDINARY },
    });
    assert.deepEqual([large.status, large.body.error_key], [413, 'request.too_large']);
    const empty = await platform().call('POST', '/oauth2/token', { headers: { 'content-type': ORDINARY } });
    assert.equal(empty.body.error_key, 'invalid_request');
    const elsewhere = await platform().call('GET', '/oauth2/token');
    assert.equal(elsewhere.status, 405);
  });
});

test('it counts under the same limit', async () => {
  const platform = await startPlatform('sqlite', { SYMBOLON_RATE_TOKEN: '2' });
  const call = (type: string) =>
    platform.call('POST', '/oauth2/token', {
      body: 'grant_type=password',
      headers: { 'content-type': type },
    });
  const answers = [
    await call(ORDINARY),
    await call(BY_THE_ROUTE),
    await call(ORDINARY),
    await call(BY_THE_ROUTE),
  ];
  assert.deepEqual(
    answers.map((answer) => answer.status),
    [400, 400, 429, 429],
  );
  assert.deepEqual(answers[2]?.body, answers[3]?.body);
  await platform.stop();
});

/** Everything but what differs from request to request. */
function comparable(answer: Answer | undefined): object {
  const { access_token: token, ...body } = answer?.body ?? {};
  const headers = Object.fromEntries(answer?.headers ?? []);
  for (const name of ['x-request-id', 'date', 'content-length']) {
    assert.ok(headers[name] !== undefined, name);
    delete headers[name];
  }
  return { status: answer?.status, headers, body, hasToken: typeof token === 'string' };
}
