import assert from 'node:assert/strict';
import { test } from 'node:test';
import { capabilities, type PortalRole, portalRoles } from '@symbolon/protocol';
import {
  createAccountClient,
  createService,
  dataToken,
  registerCompany,
  registerPerson,
} from '../../packages/server/src/testing/actors.ts';
import { onEachEngine } from '../../packages/server/src/testing/platform.ts';
import { addDelegate } from '../../packages/server/src/testing/portal-logins.ts';

/*
 * Every route of the OpenAPI document meets every kind of caller. The table is written by hand: it says who is meant to get
 * past the door; a route that is not in it fails the suite. What the route then answers to a caller it lets in (200, 400,
 * 404 …) is other tests' matter: here it counts that it is neither 401 nor 403.
 */

/** Account clients: one without a capability, and one for each capability group (spec 5.5). */
const ACCOUNT_CALLERS = ['account client', ...capabilities] as const;
const CALLERS = [
  'none',
  'data client',
  'portal',
  'person',
  ...ACCOUNT_CALLERS,
  'operator',
  'expired',
  'revoked',
  'forged',
] as const;
type Caller = (typeof CALLERS)[number];

const OPERATOR = 'operator-token-of-the-tests-0123456789';

const open: readonly Caller[] = CALLERS;
const operator: readonly Caller[] = ['operator'];
const portal: readonly Caller[] = ['portal'];
const person: readonly Caller[] = ['person'];
const dataClient: readonly Caller[] = ['data client'];
const account: readonly Caller[] = ['portal', ...ACCOUNT_CALLERS];
const services: readonly Caller[] = ['portal', 'service_management'];
const delegates: readonly Caller[] = ['portal', 'delegate_management'];
const signInApps: readonly Caller[] = ['portal', 'oauth_apps'];
const profile: readonly Caller[] = ['portal', 'company_profile_fields'];
const customer: readonly Caller[] = ['portal', 'customer_connections'];
const recovery: readonly Caller[] = ['portal', 'service_management', 'oauth_apps'];
const keyReaders: readonly Caller[] = ['data client', 'portal', 'person', 'customer_connections'];
const typeReaders: readonly Caller[] = ['data client', 'person', ...account];
const catalogueReaders: readonly Caller[] = ['data client', 'portal', 'person', 'company_profile_fields'];

const TABLE: Readonly<Record<string, readonly Caller[]>> = {
  'POST /oauth2/token': open,
  'GET /oauth2/authorize': open,
  'GET /api/health': open,
  'POST /api/portal/register': open,
  'POST /api/portal/sign-in': open,
  'POST /api/portal/sign-in/second-factor': open,
  'POST /api/portal/invitation': open,
  'POST /api/portal/invitation/accept': open,
  'GET /api/portal/session': portal,
  'POST /api/portal/sign-out': portal,
  'GET /api/account/sessions': portal,
  'DELETE /api/account/sessions': portal,
  'DELETE /api/account/sessions/{id}': portal,
  'GET /api/account/trusted-devices': portal,
  'DELETE /api/account/trusted-devices': portal,
  'DELETE /api/account/trusted-devices/{id}': portal,
  'PUT /api/account/password': portal,
  'POST /api/account/email': portal,
  'POST /api/account/email/confirm': portal,
  'GET /api/account/2fa': portal,
  'POST /api/account/2fa/enrol': portal,
  'POST /api/account/2fa/confirm': portal,
  'POST /api/account/2fa/recovery-codes': portal,
  'POST /api/account/2fa/off': portal,
  'GET /api/account/delete-request': portal,
  'POST /api/account/delete-request': portal,
  'DELETE /api/account/delete-request': portal,
  'POST /api/account/confirm-delete': portal,
  'GET /api/account/audit-log': portal,
  'GET /api/profile/keys': portal,
  'PUT /api/profile/keys': portal,
  'GET /api/delegates': delegates,
  'POST /api/delegates': delegates,
  'GET /api/delegates/{id}': delegates,
  'PUT /api/delegates/{id}': delegates,
  'DELETE /api/delegates/{id}': delegates,
  'POST /api/delegates/{id}/resend': delegates,
  'GET /api/account': account,
  'GET /api/account-key': portal,
  'POST /api/account-key': portal,
  'GET /api/account/recovery-key': recovery,
  'GET /api/account/recovery-copies': recovery,
  'POST /api/account/clients': portal,
  'GET /api/account/clients': portal,
  'PUT /api/account/clients/{id}/capabilities': portal,
  'POST /api/account/clients/{id}/regenerate-secret': portal,
  'DELETE /api/account/clients/{id}': portal,
  'POST /api/account/oauth-apps': signInApps,
  'GET /api/account/oauth-apps': signInApps,
  'GET /api/account/oauth-apps/{id}': signInApps,
  'PUT /api/account/oauth-apps/{id}': signInApps,
  'POST /api/account/oauth-apps/{id}/regenerate-secret': signInApps,
  'DELETE /api/account/oauth-apps/{id}': signInApps,
  'POST /api/services': services,
  'GET /api/services': services,
  'GET /api/services/{id}': services,
  'PUT /api/services/{id}': services,
  'DELETE /api/services/{id}': services,
  'PUT /api/services/{id}/share-code': services,
  'PUT /api/services/{id}/admin-email': services,
  'PUT /api/services/{id}/audience': services,
  'PUT /api/services/{id}/require-2fa': services,
  'PUT /api/services/{id}/number-matching': services,
  'GET /api/services/{id}/request-fields': services,
  'PUT /api/services/{id}/request-fields': services,
  'GET /api/services/{id}/share-fields': services,
  'PUT /api/services/{id}/share-fields': services,
  'PUT /api/services/{id}/key': services,
  'GET /api/services/{id}/former-keys': services,
  'GET /api/services/{id}/private-key': services,
  'GET /api/services/{id}/private-key.pem': services,
  'POST /api/services/{id}/client': services,
  'GET /api/services/{id}/client': services,
  'DELETE /api/services/{id}/client': services,
  'POST /api/services/{id}/client/regenerate-secret': services,
  'POST /api/services/{id}/webhooks': services,
  'GET /api/services/{id}/webhooks': services,
  'GET /api/services/{id}/webhooks/{webhookId}': services,
  'PUT /api/services/{id}/webhooks/{webhookId}': services,
  'DELETE /api/services/{id}/webhooks/{webhookId}': services,
  'POST /api/services/{id}/webhooks/{webhookId}/test': services,
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
  'GET /api/company-connections/lookup/{companyCode}': customer,
  'GET /api/company-connections/lookup/{companyCode}/{serviceCode}': customer,
  'POST /api/company-connections': customer,
  'GET /api/company-connections': customer,
  'GET /api/company-connections/{id}': customer,
  'DELETE /api/company-connections/{id}': customer,
  'DELETE /api/company-connections/{id}/services/{serviceLinkId}': customer,
  'PUT /api/company-connections/{id}/services/{serviceLinkId}/mappings': customer,
  'GET /api/company-connections/consents': customer,
  'POST /api/company-connections/consents/{id}/provide': customer,
  'POST /api/company-connections/consents/{id}/decline': customer,
  'GET /api/customer/changes': customer,
  'GET /api/keys/{shareCode}': keyReaders,
  'GET /api/keys/{companyCode}/{serviceCode}': keyReaders,
  'POST /api/keys/batch': keyReaders,
  'GET /api/contact-field-types': typeReaders,
  'GET /api/contact-fields': catalogueReaders,
  'GET /api/contact-fields/{id}': catalogueReaders,
  'POST /api/contact-fields': profile,
  'PUT /api/contact-fields/{id}': profile,
  'DELETE /api/contact-fields/{id}': profile,
  'GET /api/contact-data': profile,
  'POST /api/contact-data': profile,
  'GET /api/contact-data/{id}': profile,
  'PUT /api/contact-data/{id}': profile,
  'DELETE /api/contact-data/{id}': profile,
  'GET /api/profile': account,
  'PUT /api/profile': account,
  'POST /api/photos': profile,
  'GET /api/photos': profile,
  'PUT /api/photos/profile': profile,
  'GET /api/photos/{id}': profile,
  'PUT /api/photos/{id}': profile,
  'DELETE /api/photos/{id}': profile,
  'GET /api/photos/{id}/file': profile,
  'GET /api/photos/{id}/thumb': profile,
  'GET /api/person/photos/{id}/file': person,
  'GET /api/person/photos/{id}/thumb': person,
  'GET /api/services/{id}/photos': services,
  'POST /api/services/{id}/photos': services,
  'PUT /api/services/{id}/photos': services,
  'DELETE /api/services/{id}/photos/{photoId}': services,
  'GET /api/admin/companies': operator,
  'GET /api/admin/companies/{id}': operator,
  'PUT /api/admin/companies/{id}/level': operator,
  'GET /api/admin/people': operator,
  'PUT /api/admin/people/{id}/share-codes/{code}': operator,
  'DELETE /api/admin/people/{id}/share-codes/{code}': operator,
  'GET /api/admin/field-types': operator,
  'POST /api/admin/field-types': operator,
  'DELETE /api/admin/field-types/{type}': operator,
  'GET /api/admin/maintenance': operator,
  'PUT /api/admin/maintenance/writes-paused': operator,
  'PUT /api/admin/maintenance/out-of-order': operator,
  'GET /api/admin/statistics': operator,
  'GET /api/admin/acts': operator,
  'POST /api/admin/purge': operator,
  'GET /api/admin/encryption-keys': operator,
  'POST /api/admin/encryption-keys/rotate': operator,
  'DELETE /api/admin/encryption-keys/{version}': operator,
  'POST /api/admin/backup': operator,
};

/**
 * The least role of a portal caller, where it is not the rule: whoever belongs to the company reads, changing things takes a
 * developer.
 */
const ROLES: Readonly<Record<string, PortalRole>> = {
  'POST /api/portal/sign-out': 'viewer',
  'DELETE /api/account/sessions': 'viewer',
  'DELETE /api/account/sessions/{id}': 'viewer',
  'DELETE /api/account/trusted-devices': 'viewer',
  'DELETE /api/account/trusted-devices/{id}': 'viewer',
  'PUT /api/account/password': 'viewer',
  'POST /api/account/email': 'viewer',
  'POST /api/account/email/confirm': 'viewer',
  'POST /api/account/2fa/enrol': 'viewer',
  'POST /api/account/2fa/confirm': 'viewer',
  'POST /api/account/2fa/recovery-codes': 'viewer',
  'POST /api/account/2fa/off': 'viewer',
  'POST /api/keys/batch': 'viewer',
  'PUT /api/services/{id}/key': 'admin',
  'GET /api/customer/changes': 'developer',
  'GET /api/account/recovery-key': 'admin',
  'GET /api/account/recovery-copies': 'admin',
  'GET /api/account/audit-log': 'admin',
  'POST /api/account/clients': 'admin',
  'PUT /api/account/clients/{id}/capabilities': 'admin',
  'POST /api/account/clients/{id}/regenerate-secret': 'admin',
  'DELETE /api/account/clients/{id}': 'admin',
  'POST /api/delegates': 'admin',
  'PUT /api/delegates/{id}': 'admin',
  'DELETE /api/delegates/{id}': 'admin',
  'POST /api/delegates/{id}/resend': 'admin',
  'PUT /api/profile/keys': 'owner',
  'POST /api/account/delete-request': 'owner',
  'DELETE /api/account/delete-request': 'owner',
  'POST /api/account/confirm-delete': 'owner',
};

onEachEngine(
  'the access matrix',
  (platform) => {
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
      const machines = await Promise.all(
        ACCOUNT_CALLERS.map(async (caller) => {
          const granted = caller === 'account client' ? [] : [caller];
          return [caller, (await createAccountClient(platform(), company, granted)).token] as const;
        }),
      );
      const tokens: Readonly<Record<Caller, string | undefined>> = {
        ...(Object.fromEntries(machines) as Record<(typeof ACCOUNT_CALLERS)[number], string>),
        none: undefined,
        'data client': inside,
        portal: company.token,
        person: visitor.token,
        operator: OPERATOR,
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
            const isMachine = caller === 'data client' || ACCOUNT_CALLERS.some((name) => name === caller);
            const key = isMachine ? 'auth.client_endpoint_forbidden' : 'auth.forbidden';
            assert.deepEqual([answer.status, answer.body.error_key], [403, key], told);
          }
        }
      }
    });

    test('every role of the portal gets exactly through the doors meant for it', async () => {
      const company = await registerCompany(platform());
      assert.deepEqual(
        Object.keys(ROLES).filter((route) => !TABLE[route]?.includes('portal')),
        [],
        'roles of routes that the portal does not reach',
      );
      const routes = Object.keys(TABLE).filter((route) => TABLE[route] !== open);
      for (const role of portalRoles) {
        const { token } = await addDelegate(platform(), company, role);
        for (const route of routes.sort(
          (a, b) => Number(a.includes('sign-out')) - Number(b.includes('sign-out')),
        )) {
          const [method = '', pattern = ''] = route.split(' ');
          const answer = await platform().call(method, pattern.replace(/\{\w+\}/g, 'nothing'), { token });
          const told = `${route} as ${role}: ${answer.status} ${answer.text}`;
          const least = ROLES[route] ?? (method === 'GET' ? 'viewer' : 'developer');
          if (!TABLE[route]?.includes('portal')) {
            assert.deepEqual([answer.status, answer.body.error_key], [403, 'auth.forbidden'], told);
          } else if (portalRoles.indexOf(role) < portalRoles.indexOf(least)) {
            assert.deepEqual([answer.status, answer.body.error_key], [403, 'auth.role_forbidden'], told);
          } else {
            assert.ok(answer.status !== 401 && answer.status !== 403, told);
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
  },
  { SYMBOLON_OPERATOR_TOKEN: OPERATOR },
);
