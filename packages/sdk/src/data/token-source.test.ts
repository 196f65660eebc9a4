import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AuthenticationError, RegionError, TransportError } from '../http/errors.ts';
import { FakePlatform, refusal } from '../testing/fake-platform.ts';
import { fakeService } from '../testing/fake-service.ts';

const WHOAMI = '/api/company-data/whoami';
const whoami = { company_user_id: 'c', service_id: 's' };

test('the data client uses one token for every call until shortly before it expires', async () => {
  await using service = await fakeService({}, { [`GET ${WHOAMI}`]: () => ({ body: whoami }) });
  await service.client.whoami();
  service.clock.pass(3539_000);
  await service.client.whoami();
  assert.equal(service.platform.count('/oauth2/token'), 1);
  service.clock.pass(2000);
  await service.client.whoami();
  assert.equal(service.platform.count('/oauth2/token'), 2);
});

test('simultaneous calls share one form-encoded token request', async () => {
  await using service = await fakeService({}, { [`GET ${WHOAMI}`]: () => ({ body: whoami }) });
  await Promise.all([service.client.whoami(), service.client.whoami(), service.client.whoami()]);
  const asked = service.platform.requests.filter(({ path }) => path === '/oauth2/token');
  assert.equal(asked.length, 1);
  assert.equal(asked[0]!.text, 'grant_type=client_credentials&client_id=svc_1&client_secret=secret');
});

test('the data client repeats a call after a 401 exactly once with a new token', async () => {
  await using service = await fakeService(
    {},
    {
      [`GET ${WHOAMI}`]: ({ token }) => (token === 't1' ? refusal(401, 'auth.expired') : { body: whoami }),
    },
  );
  assert.deepEqual(await service.client.whoami(), whoami);
  assert.equal(service.platform.count(WHOAMI), 2);
  service.platform.route(`GET ${WHOAMI}`, () => refusal(401, 'auth.invalid'));
  await assert.rejects(service.client.whoami(), AuthenticationError);
  assert.equal(service.platform.count(WHOAMI), 4);
});

test('a 421 moves the data client to the base URL it names', async () => {
  await using region = await FakePlatform.start({ [`GET ${WHOAMI}`]: () => ({ body: whoami }) });
  await using service = await fakeService(
    {},
    {
      [`GET ${WHOAMI}`]: () => refusal(421, 'region.rebase_required', { details: { api_url: region.url } }),
    },
  );
  assert.deepEqual(await service.client.whoami(), whoami);
  assert.deepEqual(await service.client.whoami(), whoami);
  assert.equal(service.platform.count(WHOAMI), 1, 'the second call goes straight to the region');
  assert.equal(region.requests[0]!.token, 't1');
});

test('the data client throws an error after a second 421', async () => {
  await using service = await fakeService({}, {});
  service.platform.route(`GET ${WHOAMI}`, () =>
    refusal(421, 'region.rebase_required', { details: { api_url: service.platform.url } }),
  );
  await assert.rejects(service.client.whoami(), RegionError);
  assert.equal(service.platform.count(WHOAMI), 2);
});

test('the data client does not follow a 421 to an unsafe base URL', async () => {
  for (const api_url of ['ftp://elsewhere', 'nonsense', undefined, 'https://user:pw@elsewhere']) {
    await using service = await fakeService(
      {},
      {
        [`GET ${WHOAMI}`]: () => refusal(421, 'region.rebase_required', { details: { api_url } }),
      },
    );
    await assert.rejects(service.client.whoami(), RegionError);
    assert.equal(service.platform.count(WHOAMI), 1);
  }
});

test('a front door on https never sends its token to an api_url on http', async () => {
  const asked: string[] = [];
  const fetch = async (input: string | URL | Request) => {
    asked.push(String(input));
    return Response.json({
      token_type: 'Bearer',
      expires_in: 3600,
      access_token: 't',
      api_url: 'http://region',
    });
  };
  await using service = await fakeService({}, {}, { url: 'https://front.example', runtime: { fetch } });
  await assert.rejects(service.client.whoami(), (error) => {
    assert.ok(error instanceof TransportError);
    return error.errorKey === 'sdk.api_url_refused';
  });
  assert.deepEqual(asked, ['https://front.example/oauth2/token']);
});

test('wrong credentials throw an AuthenticationError with key, status and request id', async () => {
  await using service = await fakeService({}, { 'POST /oauth2/token': () => refusal(401, 'invalid_client') });
  await assert.rejects(service.client.whoami(), (error) => {
    assert.ok(error instanceof AuthenticationError);
    assert.deepEqual([error.errorKey, error.status, error.requestId], ['invalid_client', 401, 'r-1']);
    assert.doesNotMatch(error.message, /secret/);
    return true;
  });
});
