import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createAccountClient,
  createService,
  dataToken,
  registerCompany,
  registerPerson,
} from '@symbolon/testkit/actors/actors';
import { withRegions } from '@symbolon/testkit/platform/regions';
import { OPERATOR, open, TABLE } from './access-table.ts';

/*
 * Callers who are at home elsewhere: the wrong region answers with the base that is right, and so does the front door, which
 * passes on what pages call (wire 5.2).
 */

/** What the front door passes on for every caller. */
const PASSED_ON = ['/api/person/', '/api/portal/', '/api/consent/', '/api/oauth/', '/oauth2/'];
const isPassedOn = (base: string, path: string, frontDoor: string) =>
  base === frontDoor && PASSED_ON.some((prefix) => path.startsWith(prefix));

/** A front door of its own has none of the operator's routes. */
const isAbsent = (base: string, path: string, frontDoor: string) =>
  base === frontDoor && path.startsWith('/api/admin/');

/** Calls of people that every region answers: they are about connections, and the connection tells the region. */
const PEOPLE_SPAN = [
  '/api/person/lookup',
  '/api/person/plugin-pass',
  '/api/person/flow-runs',
  '/api/person/connections',
  '/api/person/consents',
  '/api/person/photos',
  '/api/person/documents',
  '/api/person/messages',
  '/api/person/connect-requests',
  '/api/person/blocked-services',
  '/api/person/two-factor',
  '/api/person/sign-ins',
  '/api/consent',
  '/api/keys',
  '/api/contact-field',
];

withRegions('callers of another region', ['eu', 'us'], (regions) => {
  const routes = Object.keys(TABLE)
    .filter((route) => TABLE[route] !== open)
    .map((route) => {
      const [method = '', pattern = ''] = route.split(' ');
      return { route, method, pattern, path: pattern.replace(/\{\w+\}/g, 'nothing') };
    });

  test('machines and sessions are sent home from every route', async () => {
    const us = regions().region('us');
    const company = await registerCompany(us);
    const service = await createService(us, company);
    const machines = {
      'data client': await dataToken(us, service),
      'account client': (await createAccountClient(us, company, ['service_management'])).token,
    };
    await regions().settle();
    for (const [caller, token] of Object.entries(machines)) {
      for (const base of [regions().region('eu').url, regions().url]) {
        for (const { method, path } of routes) {
          const answer = await fetch(`${base}${path}`, {
            method,
            headers: { authorization: `Bearer ${token}` },
          });
          const told = `${method} ${base}${path} as ${caller}: ${answer.status}`;
          if (isPassedOn(base, path, regions().url)) {
            assert.ok([401, 403].includes(answer.status), told);
            await answer.arrayBuffer();
            continue;
          }
          if (isAbsent(base, path, regions().url)) {
            assert.equal(answer.status, 404, told);
            await answer.arrayBuffer();
            continue;
          }
          assert.equal(answer.status, 421, told);
          const body = (await answer.json()) as { error_key: string; api_url: string };
          assert.deepEqual([body.error_key, body.api_url], ['region.rebase_required', us.url], told);
        }
      }
    }
    for (const { method, path } of routes) {
      const answer = await fetch(`${regions().url}${path}`, {
        method,
        headers: { authorization: `Bearer ${company.token}` },
      });
      const told = `${method} ${path} with a session at the front door`;
      if (isPassedOn(regions().url, path, regions().url)) {
        assert.ok(answer.status !== 421 && answer.status < 500, `${told}: ${answer.status}`);
      } else assert.equal(answer.status, isAbsent(regions().url, path, regions().url) ? 404 : 421, told);
      await answer.arrayBuffer();
    }
  });

  test('the front door asks for no session exactly where the regions ask for none', async () => {
    for (const [route, callers] of Object.entries(TABLE)) {
      const [method = '', pattern = ''] = route.split(' ');
      const path = pattern.replace(/\{\w+\}/g, 'nothing');
      if (!isPassedOn(regions().url, path, regions().url)) continue;
      // Of a region that there is not.
      const headers = { cookie: 'symbolon_person=spp_gone_a; symbolon_session=sps_a' };
      const answer = await fetch(`${regions().url}${path}`, { method, headers, redirect: 'manual' });
      const isRefused = (await answer.text()).includes('"auth.invalid"');
      assert.ok(answer.status < 500, `${route}: ${answer.status}`);
      assert.equal(isRefused, callers !== open, `${route}: ${answer.status}`);
    }
  });

  test('people are answered about connections everywhere, about themselves at home', async () => {
    const us = regions().region('us');
    const eu = regions().region('eu');
    const person = await registerPerson(us);
    await regions().settle();
    for (const { route, method, pattern, path } of routes) {
      if (!TABLE[route]?.includes('person')) continue;
      const answer = await eu.call(method, path, { token: person.token });
      const told = `${route}: ${answer.status} ${answer.text}`;
      if (PEOPLE_SPAN.some((prefix) => pattern.startsWith(prefix))) {
        assert.ok(![401, 403, 421].includes(answer.status) && answer.status < 500, told);
      } else {
        assert.deepEqual(
          [answer.status, answer.body.error_key, answer.body.api_url],
          [421, 'region.rebase_required', us.url],
          told,
        );
      }
    }
  });

  test('only regions get through the routes between regions', async () => {
    const eu = regions().region('eu');
    const company = await registerCompany(eu);
    const person = await registerPerson(eu);
    const tokens = [undefined, company.token, person.token, OPERATOR];
    for (const [method, path] of [
      ['POST', '/internal/token'],
      ['POST', '/internal/messages'],
      ['POST', '/internal/names/held'],
      ['POST', '/internal/sessions/known'],
      ['POST', '/internal/people/slots'],
    ] as const) {
      for (const token of tokens) {
        const answer = await eu.call(method, path, token === undefined ? {} : { token });
        assert.ok([401, 403].includes(answer.status), `${method} ${path}: ${answer.status}`);
      }
    }
  });
});
