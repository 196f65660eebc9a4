import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FastifyRequest } from 'fastify';
import { actorOf, companyOf, dataClientOf, loginOf, personOf } from './callers.ts';
import type { Principal } from './principal.ts';

const PERSON: Principal = { kind: 'person', personId: 'p', epoch: 1 };
const PORTAL: Principal = {
  kind: 'portal',
  companyId: 'c',
  loginId: 'l',
  email: 'l@example.com',
  role: 'owner',
  sessionId: 's',
  sessionHash: 'h',
  factor: null,
  lacksFactor: false,
};
const ACCOUNT: Principal = { kind: 'account_client', clientId: 'a', companyId: 'c', endpoints: [] };
const DATA: Principal = { kind: 'data_client', clientId: 'd', companyId: 'c', serviceId: 's', endpoints: [] };

test('a handler that takes another kind of caller than its route lets in is refused', () => {
  const by = (principal: Principal | null) => ({ principal, peer: null, ip: '::1' }) as FastifyRequest;
  for (const [read, taken, key] of [
    [companyOf, [PORTAL, ACCOUNT], 'auth.forbidden'],
    [actorOf, [PORTAL, ACCOUNT], 'auth.forbidden'],
    [loginOf, [PORTAL], 'auth.forbidden'],
    [personOf, [PERSON], 'auth.forbidden'],
    [dataClientOf, [DATA], 'auth.client_endpoint_forbidden'],
  ] as const) {
    for (const principal of [null, PERSON, PORTAL, ACCOUNT, DATA]) {
      const isTaken = taken.some((one) => one === principal);
      if (isTaken) assert.ok(read(by(principal)));
      else assert.throws(() => read(by(principal)), { key, status: 403 }, `${read.name} ${principal?.kind}`);
    }
  }
});
