import assert from 'node:assert/strict';
import { test } from 'node:test';
import { portalRoles } from '@symbolon/protocol';
import {
  createAccountClient,
  createService,
  dataToken,
  registerCompany,
  registerPerson,
} from '@symbolon/testkit/actors/actors';
import { addDelegate } from '@symbolon/testkit/actors/portal-logins';
import { codeFor, createApp, exchange } from '@symbolon/testkit/actors/sign-ins';
import { onPlatform } from '@symbolon/testkit/platform/platform';
import { ACCOUNT_CALLERS, CALLERS, type Caller, OPERATOR, open, ROLES, TABLE } from './access-table.ts';

/* Every route of the OpenAPI document meets every kind of caller. */

onPlatform(
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
      const app = await createApp(platform(), company);
      const signedIn = await exchange(platform(), app, await codeFor(platform(), app));
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
        'sign-in': signedIn.body.access_token,
        expired,
        revoked,
        forged: `${inside.slice(0, -10)}AAAAAAAAAA`,
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
          (a, b) => Number(a.endsWith('portal/sign-out')) - Number(b.endsWith('portal/sign-out')),
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
