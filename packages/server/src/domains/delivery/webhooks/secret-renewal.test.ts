import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { afterEach, beforeEach, test } from 'node:test';
import { createService, createWebhook, registerCompany } from '@symbolon/testkit/actors/actors';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { refused } from '@symbolon/testkit/evidence/refusals';
import { onPlatform } from '@symbolon/testkit/platform/platform';
import { type Receiver, startReceiver } from '@symbolon/testkit/servers/receiver';

const HOUR_MS = 60 * 60 * 1000;

onPlatform(
  'renewing the secret of a webhook',
  (platform) => {
    let receiver: Receiver;
    let got: { headers: IncomingHttpHeaders; body: Buffer } | undefined;
    beforeEach(async () => {
      receiver = await startReceiver(({ headers }, body, response) => {
        got = { headers, body };
        response.end();
      });
    });
    afterEach(() => receiver.stop());

    const set = async (more: object = {}) => {
      const service = await createService(platform(), await registerCompany(platform()));
      const { id, hmac_secret_once: old } = await createWebhook(platform(), service, {
        url: receiver.url,
        ...more,
      });
      const at = `/api/services/${service.id}/webhooks/${id}`;
      const { token } = service.company;
      const call = (method: string, path = '', body?: object) =>
        platform().must(method, `${at}${path}`, { token, ...(body && { body }) });
      return {
        at,
        token,
        old: String(old),
        call,
        renew: async (body: object = {}): Promise<string> =>
          (await call('POST', '/regenerate-secret', body)).hmac_secret_once,
        /** By which of the secrets the two signatures of an example are. */
        async signedBy(...secrets: string[]) {
          await call('POST', '/test');
          assert.ok(got !== undefined);
          const { headers, body } = got;
          const under = (secret: string) => createHmac('sha256', secret).update(body).digest('hex');
          return ['x-platform-signature', 'x-platform-signature-next'].map((name) => {
            const given = headers[name];
            return given === undefined ? undefined : secrets.findIndex((secret) => under(secret) === given);
          });
        },
      };
    };

    test('both secrets sign for a day; the signature that receivers know stays as it is', async () => {
      const { call, old, renew, signedBy } = await set();
      assert.equal((await call('GET')).previous_secret_until, undefined);
      const next = await renew();
      proves('route:POST /api/services/{id}/webhooks/{webhookId}/regenerate-secret');
      assert.match(next, /^[\w-]{32,}$/);
      const { hmac_secret: shown, previous_secret_until: until } = await call('GET');
      assert.equal(shown, `••••${next.slice(-4)}`);
      assert.equal(Date.parse(until), platform().clock.now() + 24 * HOUR_MS);
      assert.deepEqual(await signedBy(old, next), [0, 1]);
      // Another change of the configuration leaves it as it is.
      await call('PUT', '', { events: ['connection_created'] });
      assert.deepEqual(await signedBy(old, next), [0, 1]);
    });

    test('the previous one ends by itself', async () => {
      const { call, old, renew, signedBy } = await set();
      const next = await renew({ overlap_hours: 1 });
      assert.deepEqual(await signedBy(old, next), [0, 1]);
      platform().clock.advance(HOUR_MS);
      assert.deepEqual(await signedBy(old, next), [1, undefined]);
      assert.equal((await call('GET')).previous_secret_until, undefined);
      const third = await renew();
      assert.deepEqual(await signedBy(old, next, third), [1, 2]);
    });

    test('the previous one is ended on request, and by a secret that is set', async () => {
      const { call, old, renew, signedBy } = await set();
      const next = await renew({ overlap_hours: 168 });
      assert.deepEqual(await signedBy(old, next), [0, 1]);
      for (let twice = 0; twice < 2; twice++) await call('DELETE', '/previous-secret');
      proves('route:DELETE /api/services/{id}/webhooks/{webhookId}/previous-secret');
      assert.deepEqual(await signedBy(old, next), [1, undefined]);
      const third = await renew();
      await call('PUT', '', { hmac_secret: 'a secret of their own' });
      assert.deepEqual(await signedBy(next, third, 'a secret of their own'), [2, undefined]);
    });

    test('a second renewal waits for the end of the first, unless it ends all others at once', async () => {
      const { at, token, old, renew, signedBy } = await set();
      const next = await renew();
      const body = { overlap_hours: 2 };
      const { body: overlapping } = await refused(
        platform(),
        [409, 'services.webhook_secret_overlaps'],
        'POST',
        `${at}/regenerate-secret`,
        {
          token,
          body,
        },
      );
      assert.ok(overlapping.retry_after > 0 && overlapping.retry_after <= 24 * 3600);
      assert.deepEqual(await signedBy(old, next), [0, 1]);
      const third = await renew({ overlap_hours: 0 });
      assert.deepEqual(await signedBy(old, next, third), [2, undefined]);
    });

    test('a secret of their own is taken and not shown again', async () => {
      const { call, old, signedBy } = await set();
      const answer = await call('POST', '/regenerate-secret', { hmac_secret: 'a secret of their own' });
      assert.equal(answer.hmac_secret_once, undefined);
      assert.deepEqual(await signedBy(old, 'a secret of their own'), [0, 1]);
    });

    test('what cannot be renewed is refused', async () => {
      const bearer = await set({ auth_type: 'bearer', auth_token: 'token-of-theirs' });
      const hmac = await set();
      const path = '/regenerate-secret';
      for (const [{ at, token }, body] of [
        [bearer, {}],
        [hmac, { hmac_secret: '••••abcd' }],
      ] as const)
        await refused(platform(), [400, 'services.webhook_auth_invalid'], 'POST', `${at}${path}`, {
          token,
          body,
        });
      const call = { token: hmac.token, body: { overlap_hours: 169 } };
      await refused(platform(), [400, 'request.invalid'], 'POST', `${hmac.at}${path}`, call);
      await hmac.renew({ overlap_hours: 168 });
      proves('limit:webhookSecretOverlapHoursMost');
    });
  },
  { SYMBOLON_DANGEROUSLY_ALLOW_LOOPBACK_WEBHOOKS: 'true' },
);
