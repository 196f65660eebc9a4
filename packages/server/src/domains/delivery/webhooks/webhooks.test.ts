import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createService, registerCompany, type TestService } from '@symbolon/testkit/actors/actors';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { onPlatform } from '@symbolon/testkit/platform/platform';
import { Sink } from '@symbolon/testkit/servers/sink';
import { ANSWER_MS } from '../../../http/deadlines.ts';
import { type OutgoingRequest, OutgoingSender } from '../../../outgoing/sender.ts';

const URL = 'https://hooks.example.com/symbolon';
const LOOPBACK = { SYMBOLON_DANGEROUSLY_ALLOW_LOOPBACK_WEBHOOKS: 'true' };

onPlatform('configuring a webhook', (platform) => {
  const fresh = async () => createService(platform(), await registerCompany(platform()));
  const call = (service: TestService, method: string, path: string, body?: unknown) =>
    platform().call(method, `/api/services/${service.id}/webhooks${path}`, {
      token: service.company.token,
      body,
    });
  const create = async (service: TestService, body: object) => {
    const answer = await call(service, 'POST', '', body);
    assert.equal(answer.status, 201, answer.text);
    return answer.body;
  };

  test('a new webhook has its defaults, and shows the generated secret once', async () => {
    const service = await fresh();
    const made = await create(service, { url: URL });
    assert.equal(made.format, 'json');
    assert.equal(made.auth_type, 'hmac');
    assert.equal(made.encrypt_payload, false);
    assert.deepEqual([made.enabled, made.paused], [true, false]);
    assert.equal(made.health, 'unknown');
    assert.deepEqual(made.events, []);
    assert.ok(made.hmac_secret_once.length >= 32);
    assert.equal(made.hmac_secret, `••••${made.hmac_secret_once.slice(-4)}`);
    const read = (await call(service, 'GET', `/${made.id}`)).body;
    assert.equal(read.hmac_secret_once, undefined);
    assert.equal(read.hmac_secret, made.hmac_secret);
    assert.deepEqual((await call(service, 'GET', '')).body.webhooks, [read]);
  });

  test('a webhook keeps secrets that a PUT leaves out or sends back masked', async () => {
    const service = await fresh();
    const made = await create(service, {
      url: URL,
      auth_type: 'basic',
      auth_username: 'integration',
      auth_password: 'open sesame',
    });
    assert.equal(made.auth_password, '••••same');
    const put = (body: object) => call(service, 'PUT', `/${made.id}`, body);
    assert.equal((await put({ url: URL, auth_type: 'basic' })).body.auth_password, '••••same');
    assert.equal((await put({ auth_password: '••••same' })).body.auth_password, '••••same');
    assert.equal((await put({ auth_password: 'another one' })).body.auth_password, '•••• one');
    const cleared = await put({ auth_password: null });
    assert.deepEqual([cleared.status, cleared.body.error_key], [400, 'services.webhook_auth_invalid']);
    const hmac = await put({ auth_type: 'hmac' });
    assert.ok(hmac.body.hmac_secret_once, 'turning to hmac makes a secret');
    assert.equal((await put({ url: URL })).body.hmac_secret_once, undefined);
  });

  test('what a PUT leaves out stays as it is', async () => {
    const service = await fresh();
    const made = await create(service, {
      url: URL,
      events: ['field_updated'],
      format: 'xml',
      auth_type: 'bearer',
      auth_token: 'the-token-of-the-receiver',
      encrypt_payload: true,
      enabled: false,
      paused: true,
    });
    const configuration = ({
      url,
      events,
      format,
      auth_type,
      auth_token,
      encrypt_payload,
      enabled,
      paused,
    }: typeof made) => ({
      ...{ url, events, format, auth_type, auth_token, encrypt_payload, enabled, paused },
    });
    for (const body of [{}, { url: URL }]) {
      const after = await call(service, 'PUT', `/${made.id}`, body);
      assert.equal(after.status, 200, after.text);
      assert.deepEqual(configuration(after.body), configuration(made));
    }
    const changed = (await call(service, 'PUT', `/${made.id}`, { events: [], enabled: true })).body;
    assert.deepEqual(configuration(changed), { ...configuration(made), events: [], enabled: true });
  });

  for (const [mode, credentials] of [
    ['bearer', { auth_token: 'the-token-of-the-receiver' }],
    ['basic', { auth_username: 'integration', auth_password: 'open sesame' }],
    ['header', { auth_header_name: 'x-receiver', auth_header_value: 'the-key-of-the-receiver' }],
  ] as const) {
    test(`the credentials of ${mode} do not go with a webhook to another origin`, async () => {
      const service = await fresh();
      const made = await create(service, { url: URL, auth_type: mode, ...credentials });
      const put = (body: object) => call(service, 'PUT', `/${made.id}`, body);
      const masked = Object.fromEntries(Object.keys(credentials).map((member) => [member, made[member]]));
      for (const body of [{}, masked]) {
        const refused = await put({ url: 'https://elsewhere.example.com/symbolon', ...body });
        proves('error:services.webhook_secret_required');
        assert.deepEqual(
          [refused.status, refused.body.error_key],
          [400, 'services.webhook_secret_required'],
          refused.text,
        );
        assert.deepEqual(refused.body.missing, Object.keys(credentials));
      }
      // Another mode takes the webhook there, and leaves them behind.
      const moved = await put({ url: 'https://elsewhere.example.com/symbolon', auth_type: 'none' });
      assert.equal(moved.status, 200, moved.text);
      for (const member of Object.keys(credentials)) assert.equal(moved.body[member], null, member);
      const back = await put({ auth_type: mode });
      assert.equal(back.body.error_key, 'services.webhook_auth_invalid');
      assert.equal((await put({ url: URL, auth_type: mode, ...credentials })).status, 200);
      // Another path of the same origin is the same receiver.
      assert.equal((await put({ url: 'https://hooks.example.com/other' })).status, 200);
    });
  }

  test('an HMAC secret, which is never sent, stays when the origin changes', async () => {
    const service = await fresh();
    const made = await create(service, { url: URL });
    const moved = await call(service, 'PUT', `/${made.id}`, { url: 'https://elsewhere.example.com/' });
    assert.equal(moved.status, 200, moved.text);
    assert.equal(moved.body.hmac_secret, made.hmac_secret);
    assert.equal(moved.body.hmac_secret_once, undefined);
  });

  test('secrets of webhooks are encrypted at rest', async () => {
    const service = await fresh();
    const made = await create(service, { url: URL, auth_type: 'bearer', auth_token: 'a-very-secret-token' });
    const row = await platform()
      .context.database.reader.selectFrom('webhooks')
      .select('secrets')
      .where('id', '=', made.id)
      .executeTakeFirstOrThrow();
    assert.doesNotMatch(row.secrets, /very-secret/);
    assert.match(row.secrets, /^k1:/);
  });

  for (const url of [
    'http://hooks.example.com/',
    'https://hooks.example.com:8443/',
    'https://user:secret@hooks.example.com/',
    'https://localhost/',
    'https://127.0.0.1/',
    'https://10.1.2.3/',
    'https://169.254.169.254/latest',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://2130706433/',
    'https://0x7f.1/',
    'ftp://hooks.example.com/',
    'hooks.example.com',
    '',
  ]) {
    test(`refuses the address ${url || '(none)'}`, async () => {
      const service = await fresh();
      const answer = await call(service, 'POST', '', { url });
      proves('error:services.webhook_url_invalid', 'limit:webhook-url');
      assert.deepEqual(
        [answer.status, answer.body.error_key],
        [400, 'services.webhook_url_invalid'],
        answer.text,
      );
      assert.deepEqual((await call(service, 'GET', '')).body.webhooks, []);
    });
  }

  for (const [title, body, key] of [
    ['a missing address', {}, 'services.webhook_url_invalid'],
    ['an unknown event', { url: URL, events: ['nothing_happened'] }, 'request.invalid'],
    ['another format', { url: URL, format: 'yaml' }, 'request.invalid'],
    ['bearer without a token', { url: URL, auth_type: 'bearer' }, 'services.webhook_auth_invalid'],
    [
      'a token that breaks the header',
      { url: URL, auth_type: 'bearer', auth_token: 'a\r\nb: c' },
      'services.webhook_auth_invalid',
    ],
    [
      'basic with a colon in the name',
      { url: URL, auth_type: 'basic', auth_username: 'a:b', auth_password: 'c' },
      'services.webhook_auth_invalid',
    ],
    [
      'a header of the platform',
      { url: URL, auth_type: 'header', auth_header_name: 'X-Platform-Event', auth_header_value: 'x' },
      'services.webhook_auth_invalid',
    ],
    [
      'an invalid header',
      { url: URL, auth_type: 'header', auth_header_name: 'a b', auth_header_value: 'x' },
      'services.webhook_auth_invalid',
    ],
    [
      'a value that breaks the header',
      { url: URL, auth_type: 'header', auth_header_name: 'X-My-Key', auth_header_value: 'a\r\nb: c' },
      'services.webhook_auth_invalid',
    ],
  ] as const) {
    test(`refuses ${title}`, async () => {
      const answer = await call(await fresh(), 'POST', '', body);
      proves(`error:${key}`);
      assert.deepEqual([answer.status, answer.body.error_key], [400, key], answer.text);
    });
  }

  test('a service has at most twenty webhooks', async () => {
    const service = await fresh();
    for (let count = 0; count < 20; count++) await create(service, { url: URL });
    const over = await call(service, 'POST', '', { url: URL });
    proves('error:services.webhooks_limit', 'limit:webhooksMost');
    assert.deepEqual([over.status, over.body.error_key], [409, 'services.webhooks_limit']);
  });

  test('webhooks of another company are not found', async () => {
    const service = await fresh();
    const made = await create(service, { url: URL });
    const stranger = await fresh();
    proves('error:services.webhook_not_found');
    for (const [method, body] of [
      ['GET', undefined],
      ['PUT', { url: URL }],
      ['DELETE', undefined],
    ] as const) {
      const across = await platform().call(method, `/api/services/${service.id}/webhooks/${made.id}`, {
        token: stranger.company.token,
        body,
      });
      assert.equal(across.body.error_key, 'services.not_found');
      const beside = await call(stranger, method, `/${made.id}`, body);
      assert.equal(beside.body.error_key, 'services.webhook_not_found');
    }
  });

  test('every change of a webhook is in the log of the service', async () => {
    const service = await fresh();
    const made = await create(service, { url: URL });
    await call(service, 'PUT', `/${made.id}`, { url: URL, enabled: false });
    assert.equal((await call(service, 'DELETE', `/${made.id}`)).status, 204);
    proves('route:DELETE /api/services/{id}/webhooks/{webhookId}');
    const rows = await platform()
      .context.database.reader.selectFrom('service_logs')
      .select(['message', 'metadata'])
      .where('service_id', '=', service.id)
      .where('type', '=', 'webhook')
      .orderBy('id')
      .execute();
    assert.deepEqual(
      rows.map((row) => row.message),
      ['Webhook created', 'Webhook configuration changed', 'Webhook deleted'],
    );
    assert.equal(JSON.parse(rows[0]?.metadata ?? '{}').webhook_id, made.id);
  });
});

onPlatform(
  'the test delivery of a webhook',
  (platform) => {
    test('sends an example now and tells what came of it, without touching queue or health', async () => {
      await using sink = await Sink.start();
      const service = await createService(platform(), await registerCompany(platform()));
      const path = `/api/services/${service.id}/webhooks`;
      const { token } = service.company;
      const hook = await platform().must('POST', path, {
        token,
        body: { url: sink.url, events: ['field_updated'] },
      });
      const good = await platform().must('POST', `${path}/${hook.id}/test`, { token });
      assert.deepEqual([good.delivered, good.status, good.reason], [true, 200, null]);
      assert.equal(sink.received[0]?.body.event, 'field_updated');
      const example = sink.received[0]?.body;
      assert.equal(example.test, true);
      assert.match(example.id, /^00000000-0000-7000-8000-[0-9a-f]{12}$/);
      assert.equal(example.person_user_id, '00000000-0000-7000-8000-000000000000');
      sink.react = () => 302;
      const bad = await platform().must('POST', `${path}/${hook.id}/test`, { token });
      assert.deepEqual([bad.delivered, bad.status], [false, 302]);
      assert.equal((await platform().must('GET', `${path}/${hook.id}`, { token })).health, 'unknown');
      proves('route:POST /api/services/{id}/webhooks/{webhookId}/test');
    });

    test('a test of an endpoint that hangs ends before its call is refused as late, and tells so', async (t) => {
      const service = await createService(platform(), await registerCompany(platform()));
      const { token } = service.company;
      const path = `/api/services/${service.id}/webhooks`;
      const hook = await platform().must('POST', path, { token, body: { url: URL } });
      t.mock.method(OutgoingSender.prototype, 'send', async ({ mostMs }: OutgoingRequest) => {
        assert.ok(mostMs !== undefined && mostMs < ANSWER_MS, `it may take ${mostMs} ms`);
        return {
          kind: 'failed',
          reason: 'timeout',
          detail: 'no complete answer in time',
          durationMs: mostMs,
        };
      });
      const told = await platform().must('POST', `${path}/${hook.id}/test`, { token });
      assert.deepEqual([told.delivered, told.status], [false, null]);
      assert.match(told.reason, /^timeout/);
    });

    for (const name of ['__proto__', 'constructor', 'toString']) {
      test(`sends the header ${name}`, async () => {
        await using sink = await Sink.start();
        const service = await createService(platform(), await registerCompany(platform()));
        const path = `/api/services/${service.id}/webhooks`;
        const { token } = service.company;
        const hook = await platform().must('POST', path, {
          token,
          body: {
            url: sink.url,
            auth_type: 'header',
            auth_header_name: name,
            auth_header_value: 'the-key-of-the-receiver',
          },
        });
        const { delivered } = await platform().must('POST', `${path}/${hook.id}/test`, { token });
        assert.equal(delivered, true);
        const sent = sink.received[0]?.rawHeaders ?? [];
        assert.equal(sent[sent.indexOf(name) + 1], 'the-key-of-the-receiver');
      });
    }

    test('a company may test thirty times a minute', async () => {
      await using sink = await Sink.start();
      const service = await createService(platform(), await registerCompany(platform()));
      const path = `/api/services/${service.id}/webhooks`;
      const { token } = service.company;
      const hook = await platform().must('POST', path, { token, body: { url: sink.url } });
      for (let count = 0; count < 30; count++) {
        await platform().must('POST', `${path}/${hook.id}/test`, { token });
      }
      const over = await platform().call('POST', `${path}/${hook.id}/test`, { token });
      proves('limit:webhookTestsPerMinute');
      assert.deepEqual([over.status, over.body.error_key], [429, 'rate_limit.exceeded']);
      assert.ok(Number(over.headers.get('retry-after')) > 0);
      const other = await createService(platform(), await registerCompany(platform()));
      const theirs = `/api/services/${other.id}/webhooks`;
      const ours = await platform().must('POST', theirs, {
        token: other.company.token,
        body: { url: sink.url },
      });
      await platform().must('POST', `${theirs}/${ours.id}/test`, { token: other.company.token });
    });
  },
  LOOPBACK,
);
