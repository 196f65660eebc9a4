import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refuses } from './refusals.ts';

/** Wire 7, the rows db.writes_paused and platform.out_of_order: method, route, refused while paused, refused out of order. */
const TABLE: readonly (readonly [method: string, route: string, paused: boolean, outOfOrder: boolean])[] = [
  ['POST', '/oauth2/token', false, false],
  ['POST', '/internal/token', false, false],
  ['POST', '/internal/directory/home', false, false],
  ['POST', '/internal/directory/find', false, false],
  ['POST', '/internal/directory/claim', true, true],
  ['POST', '/oauth2/result', true, true],
  ['GET', '/api/company-data/changes', true, true],
  ['GET', '/api/customer/changes', true, true],
  ['GET', '/api/company-data/connections', false, true],
  ['GET', '/api/company-data/connections/:id', false, true],
  ['DELETE', '/api/company-data/connections/:id', true, true],
  ['POST', '/api/keys/batch', true, true],
  ['PUT', '/api/services/:id', true, true],
  ['POST', '/api/portal/sign-in', true, true],
  ['GET', '/oauth2/authorize', false, true],
  ['GET', '/api/account', false, true],
  ['GET', '', false, true],
  ['POST', '', false, true],
  ['GET', '/api/health', false, false],
  ['GET', '/api/regions', false, false],
  ['GET', '/openapi.json', false, false],
  ['GET', '/explorer', false, false],
  ['GET', '/docs/*', false, false],
  ['GET', '/llms.txt', false, false],
  ['GET', '/oauth2/jwks', false, false],
  ['GET', '/.well-known/openid-configuration', false, false],
  ['GET', '/api/admin/statistics', false, false],
  ['PUT', '/api/admin/maintenance/writes-paused', false, false],
  ['PUT', '/api/admin/maintenance/out-of-order', false, false],
  ['POST', '/api/admin/backup', false, false],
  ['POST', '/api/admin/purge', true, true],
  ['PUT', '/api/admin/companies/:id/level', true, true],
];

test('each kind of call is refused exactly in the states that refuse it', () => {
  for (const [method, route, paused, outOfOrder] of TABLE) {
    assert.equal(refuses('writes_paused', method, route), paused, `${method} ${route} while paused`);
    assert.equal(refuses('out_of_order', method, route), outOfOrder, `${method} ${route} out of order`);
  }
});
