import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createService,
  dataToken,
  registerCompany,
  registerPerson,
} from '../../packages/server/src/testing/actors.ts';
import { onEachEngine } from '../../packages/server/src/testing/platform.ts';

/*
 * Every route of the OpenAPI document meets every kind of caller. The table is written by hand: it says who is meant to get
 * past the door; a route that is not in it fails the suite. What the route then answers to a caller it lets in (200, 400,
 * 404 …) is other tests' matter: here it counts that it is neither 401 nor 403.
 */

const CALLERS = ['none', 'data client', 'portal', 'person', 'expired', 'revoked', 'forged'] as const;
type Caller = (typeof CALLERS)[number];

const open: readonly Caller[] = CALLERS;
const portal: readonly Caller[] = ['portal'];
const person: readonly Caller[] = ['person'];
const dataClient: readonly Caller[] = ['data client'];
const keyReaders: readonly Caller[] = ['data client', 'portal', 'person'];

const TABLE: Readonly<Record<string, readonly Caller[]>> = {
  'POST /oauth2/token': open,
  'GET /oauth2/authorize': open,
  'GET /api/health': open,
  'POST /api/portal/register': open,
  'POST /api/portal/sign-in': open,
  'POST /api/portal/sign-out': portal,
  'GET /api/account': portal,
  'GET /api/account-key': portal,
  'POST /api/account-key': portal,
  'GET /api/account/recovery-key': portal,
  'GET /api/account/recovery-copies': portal,
  'POST /api/services': portal,
  'GET /api/services': portal,
  'GET /api/services/{id}': portal,
  'PUT /api/services/{id}': portal,
  'DELETE /api/services/{id}': portal,
  'PUT /api/services/{id}/share-code': portal,
  'PUT /api/services/{id}/admin-email': portal,
  'PUT /api/services/{id}/audience': portal,
  'PUT /api/services/{id}/require-2fa': portal,
  'PUT /api/services/{id}/number-matching': portal,
  'GET /api/services/{id}/request-fields': portal,
  'PUT /api/services/{id}/request-fields': portal,
  'GET /api/services/{id}/share-fields': portal,
  'PUT /api/services/{id}/share-fields': portal,
  'GET /api/services/{id}/private-key': portal,
  'GET /api/services/{id}/private-key.pem': portal,
  'POST /api/services/{id}/client': portal,
  'GET /api/services/{id}/client': portal,
  'DELETE /api/services/{id}/client': portal,
  'POST /api/services/{id}/client/regenerate-secret': portal,
  'POST /api/services/{id}/webhooks': portal,
  'GET /api/services/{id}/webhooks': portal,
  'GET /api/services/{id}/webhooks/{webhookId}': portal,
  'PUT /api/services/{id}/webhooks/{webhookId}': portal,
  'DELETE /api/services/{id}/webhooks/{webhookId}': portal,
  'POST /api/services/{id}/webhooks/{webhookId}/test': portal,
  'POST /api/person/register': open,
  'POST /api/person/login/parameters': open,
  'POST /api/person/login': open,
  'POST /api/person/recover/key': open,
  'POST /api/person/recover': open,
  'PUT /api/person/password': person,
  'GET /api/person/me': person,
  'GET /api/person/fields': person,
  'POST /api/person/fields': person,
  'GET /api/person/fields/{id}': person,
  'PUT /api/person/fields/{id}': person,
  'DELETE /api/person/fields/{id}': person,
  'GET /api/person/fields/{id}/slots': person,
  'POST /api/person/fields/{id}/verification': person,
  'POST /api/person/fields/{id}/verification/confirm': person,
  'DELETE /api/person/fields/{id}/verification': person,
  'GET /api/person/lookup/{companyCode}': person,
  'GET /api/person/lookup/{companyCode}/{serviceCode}': person,
  'POST /api/person/connections': person,
  'GET /api/person/connections': person,
  'GET /api/person/connections/{id}': person,
  'PUT /api/person/connections/{id}/mappings': person,
  'DELETE /api/person/connections/{id}': person,
  'GET /api/person/consents': person,
  'POST /api/person/consents/{id}/provide': person,
  'POST /api/person/consents/{id}/decline': person,
  'GET /api/company-data/whoami': dataClient,
  'GET /api/company-data/request-fields': dataClient,
  'GET /api/company-data/connections': dataClient,
  'GET /api/company-data/connections/{id}': dataClient,
  'DELETE /api/company-data/connections/{id}': dataClient,
  'GET /api/company-data/logs': dataClient,
  'GET /api/company-data/changes': dataClient,
  'GET /api/keys/{shareCode}': keyReaders,
  'GET /api/keys/{companyCode}/{serviceCode}': keyReaders,
  'POST /api/keys/batch': keyReaders,
  'GET /api/contact-field-types': keyReaders,
  'GET /api/contact-fields': keyReaders,
};

onEachEngine('the access matrix', (platform) => {
  test('every route has its row, and every row its route', async () => {
    assert.deepEqual(await documented(), Object.keys(TABLE).sort());
  });

  test('every caller gets exactly through the doors meant for it', async () => {
    const company = await registerCompany(platform());
    const service = await createService(platform(), company);
    const early = await createService(platform(), company);
    const expired = await dataToken(platform(), early);
    platform().clock.advance(3_600_000);
    const leaving = await createService(platform(), company);
    const revoked = await dataToken(platform(), leaving);
    await platform().must('POST', `/api/services/${leaving.id}/client/regenerate-secret`, {
      token: company.token,
    });
    const inside = await dataToken(platform(), service);
    const visitor = await registerPerson(platform());
    const tokens: Readonly<Record<Caller, string | undefined>> = {
      none: undefined,
      'data client': inside,
      portal: company.token,
      person: visitor.token,
      expired,
      revoked,
      forged: `${inside.slice(0, -3)}AAA`,
    };
    // Sign-out and the change of a password end the caller's own credentials, so they come last.
    const last = ['PUT /api/person/password', 'POST /api/portal/sign-out'];
    const rows = Object.entries(TABLE).sort(([a], [b]) => last.indexOf(a) - last.indexOf(b));
    for (const [route, allowed] of rows) {
      const [method = '', pattern = ''] = route.split(' ');
      const path = pattern.replace(/\{\w+\}/g, 'nothing');
      for (const caller of CALLERS) {
        const token = tokens[caller];
        const answer = await platform().call(method, path, token === undefined ? {} : { token });
        const told = `${route} as ${caller}: ${answer.status} ${answer.text}`;
        if (allowed === open) {
          assert.ok(answer.status !== 403 && !String(answer.body?.error_key).startsWith('auth.'), told);
        } else if (allowed.includes(caller)) {
          assert.ok(answer.status !== 401 && answer.status !== 403, told);
        } else if (caller === 'none' || caller === 'revoked' || caller === 'forged') {
          assert.deepEqual([answer.status, answer.body.error_key], [401, 'auth.invalid'], told);
        } else if (caller === 'expired') {
          assert.deepEqual([answer.status, answer.body.error_key], [401, 'auth.expired'], told);
        } else {
          const key = caller === 'data client' ? 'auth.client_endpoint_forbidden' : 'auth.forbidden';
          assert.deepEqual([answer.status, answer.body.error_key], [403, key], told);
        }
      }
    }
  });

  async function documented(): Promise<string[]> {
    const { paths } = await platform().must('GET', '/openapi.json');
    return Object.entries(paths as Record<string, object>)
      .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`))
      .sort();
  }
});
