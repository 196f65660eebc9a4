import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { portalRoles } from '@symbolon/protocol';
import {
  createAccountClient,
  createService,
  dataToken,
  registerCompany,
  registerPerson,
} from '@symbolon/testkit/actors/actors';
import { addDelegate, requireSecondFactor } from '@symbolon/testkit/actors/portal-logins';
import { codeFor, createApp, exchange } from '@symbolon/testkit/actors/sign-ins';
import type { Answer } from '@symbolon/testkit/platform/calls';
import { startPlatform } from '@symbolon/testkit/platform/platform';
import {
  ACCOUNT_CALLERS,
  CALLERS,
  type Caller,
  OPERATOR,
  OPERATOR_READS,
  open,
  ROLES,
  TABLE,
  WITHOUT_SECOND_FACTOR,
} from './access-table.ts';
import { documentedRoutes } from './openapi.ts';

/* Every route of the OpenAPI document meets every kind of caller. Who may call what knows no engine: one is enough. */

describe('the access matrix', () => {
  let platform: Awaited<ReturnType<typeof startPlatform>>;
  before(async () => {
    platform = await startPlatform('sqlite');
  });
  after(() => platform?.stop());

  test('every route has its row, and every row its route', async () => {
    const routes = await documentedRoutes(platform);
    assert.deepEqual(routes.map(({ method, path }) => `${method} ${path}`).sort(), Object.keys(TABLE).sort());
  });

  test('every caller gets exactly through the doors meant for it', async () => {
    const company = await registerCompany(platform);
    const service = await createService(platform, company);
    const early = await createService(platform, company);
    const expired = await dataToken(platform, early);
    platform.clock.advance(3_600_000);
    const leaving = await createService(platform, company);
    const revoked = await dataToken(platform, leaving);
    await platform.must('POST', `/api/services/${leaving.id}/client/regenerate-secret`, {
      token: company.token,
    });
    const inside = await dataToken(platform, service);
    const visitor = await registerPerson(platform);
    const app = await createApp(platform, company);
    const signedIn = await exchange(platform, app, await codeFor(platform, app));
    const machines = await Promise.all(
      ACCOUNT_CALLERS.map(async (caller) => {
        const granted = caller === 'account client' ? [] : [caller];
        return [caller, (await createAccountClient(platform, company, granted)).token] as const;
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
    for (const route of routesWithLast('PUT /api/person/password', 'POST /api/portal/sign-out')) {
      const allowed = TABLE[route] ?? [];
      await Promise.all(
        CALLERS.map(async (caller) => {
          const answer = await call(route, tokens[caller]);
          const told = `${route} as ${caller}: ${answer.status} ${answer.text}`;
          assert.ok(answer.status < 500, told);
          const key = answer.body?.error_key;
          if (allowed === open) {
            assert.ok(answer.status !== 403 && !String(key).startsWith('auth.'), told);
          } else if (allowed.includes(caller)) {
            assert.ok(answer.status !== 401 && answer.status !== 403, told);
          } else {
            assert.deepEqual([answer.status, key], refusalOf(caller), told);
          }
        }),
      );
    }
  });

  test('every role of the portal gets exactly through the doors meant for it', async () => {
    const company = await registerCompany(platform);
    assert.deepEqual(
      Object.keys(ROLES).filter((route) => !TABLE[route]?.includes('portal')),
      [],
      'roles of routes that the portal does not reach',
    );
    const logins = await Promise.all(
      portalRoles.map(async (role) => [role, (await addDelegate(platform, company, role)).token] as const),
    );
    for (const route of routesWithLast('POST /api/portal/sign-out')) {
      if (TABLE[route] === open) continue;
      const least = ROLES[route] ?? (route.startsWith('GET ') ? 'viewer' : 'developer');
      await Promise.all(
        logins.map(async ([role, token]) => {
          const answer = await call(route, token);
          const told = `${route} as ${role}: ${answer.status} ${answer.text}`;
          assert.ok(answer.status < 500, told);
          const refused = [answer.status, answer.body?.error_key];
          if (!TABLE[route]?.includes('portal')) {
            assert.deepEqual(refused, [403, 'auth.forbidden'], told);
          } else if (portalRoles.indexOf(role) < portalRoles.indexOf(least)) {
            assert.deepEqual(refused, [403, 'auth.role_forbidden'], told);
          } else {
            assert.ok(answer.status !== 401 && answer.status !== 403, told);
          }
        }),
      );
    }
  });

  test('an operator token that only reads gets through every door of the operator that reads, and no other', async () => {
    const seen = { read: 0, refused: 0 };
    for (const { method, path } of await documentedRoutes(platform)) {
      if (!path.startsWith('/api/admin/')) continue;
      const answer = await call(`${method} ${path}`, OPERATOR_READS);
      const told = `${method} ${path}: ${answer.status} ${answer.text}`;
      if (method === 'GET') {
        seen.read += 1;
        assert.ok(answer.status < 500 && answer.status !== 401 && answer.status !== 403, told);
      } else {
        seen.refused += 1;
        assert.deepEqual([answer.status, answer.body?.error_key], [403, 'auth.role_forbidden'], told);
        assert.match(answer.body.error, /token only reads/, told);
      }
    }
    assert.ok(seen.read > 15 && seen.refused > 15, JSON.stringify(seen));
    for (const [route, allowed] of Object.entries(TABLE)) {
      if (allowed === open || allowed.includes('operator')) continue;
      const answer = await call(route, OPERATOR_READS);
      assert.deepEqual([answer.status, answer.body?.error_key], [403, 'auth.forbidden'], route);
    }
  });

  test('a login without the second factor that its company requires may set one up, and nothing else', async () => {
    const company = await registerCompany(platform);
    await requireSecondFactor(platform, company);
    const left: string[] = [];
    for (const route of routesWithLast('POST /api/portal/sign-out')) {
      if (TABLE[route] === open || !TABLE[route]?.includes('portal')) continue;
      const answer = await call(route, company.token);
      if (answer.body?.error_key === 'auth.second_factor_missing') assert.equal(answer.status, 403);
      else left.push(route);
    }
    assert.deepEqual(left.sort(), [...WITHOUT_SECOND_FACTOR].sort());
  });

  function call(route: string, token: string | undefined): Promise<Answer> {
    const [method = '', pattern = ''] = route.split(' ');
    return platform.call(
      method,
      pattern.replace(/\{\w+\}/g, 'nothing'),
      token === undefined ? {} : { token },
    );
  }
});

/** Every route, and at the end those that end the credentials of whoever calls them. */
function routesWithLast(...last: readonly string[]): string[] {
  return Object.keys(TABLE).sort((a, b) => last.indexOf(a) - last.indexOf(b));
}

/** The refusal for a caller without the right. */
function refusalOf(caller: Caller): [status: number, key: string] {
  if (caller === 'none' || caller === 'revoked' || caller === 'forged') return [401, 'auth.invalid'];
  if (caller === 'expired') return [401, 'auth.expired'];
  const isMachine = caller === 'data client' || ACCOUNT_CALLERS.some((name) => name === caller);
  return [403, isMachine ? 'auth.client_endpoint_forbidden' : 'auth.forbidden'];
}
