import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
  createField,
  createService,
  dataToken,
  registerCompany,
  registerPerson,
} from '@symbolon/testkit/actors/actors';
import type { Answer } from '@symbolon/testkit/platform/calls';
import { engines } from '@symbolon/testkit/platform/engines';
import { onPlatform, type TestPlatform } from '@symbolon/testkit/platform/platform';
import { isAtLength, someOf } from '@symbolon/testkit/thoroughness';
import { sql } from 'kysely';
import { OPERATOR } from './access-table.ts';
import { bodySchema, documentedRoutes, type Route, type Schema, sampleOf } from './openapi.ts';

/*
 * The OpenAPI document drives this suite: every route meets every kind of bad input it could be sent. An answer is a 4xx
 * with its key; nothing is written, nothing fails, nothing is given away.
 */

const HOSTILE_VALUES: readonly unknown[] = [
  null,
  true,
  -1,
  1.5,
  1e308,
  '',
  ' ',
  '\u0000',
  '\ud800',
  'x'.repeat(70_000),
  '../../etc/passwd',
  '%00',
  "' or 1=1 --",
  '__proto__',
  'constructor',
  [],
  [[]],
  {},
  { constructor: 1 },
  { toString: null },
  { _enc: 1, k: 'AAAA', iv: 'AAAA', d: 'AAAA' },
  JSON.stringify({ _enc: 1, k: 'A'.repeat(344), iv: 'AAAAAAAAAAA=', d: 'AAAA' }),
];
const HOSTILE_SEGMENTS = [
  'nothing',
  '%2e%2e%2f',
  '%00',
  '__proto__',
  "'",
  'x'.repeat(199),
  'x'.repeat(5000),
  '%F0%9F%92%A9',
  '%FF',
];
const HOSTILE_QUERIES = [
  'limit=0',
  'limit=-1',
  'limit=1e3',
  'limit=501',
  'offset=1.5',
  'client_id=%00',
  'limit=x',
  'limit=1&limit=2',
  'offset=-1',
  'offset=1e99',
  'usertype=robot',
  'confirm=maybe',
  '%=%',
];

/** Callers choose the names, and deleting what is not there changes nothing. */
const NAMED_BY_CALLERS: ReadonlySet<string> = new Set(['DELETE /api/person/drafts/{name}']);

/** Errors that the body alone brings about, whatever the address and the engine: such a body is sent once. */
const OF_THE_BODY: ReadonlySet<string> = new Set(['request.invalid', 'request.malformed']);
const refusedBodies = new Set<string>();

onPlatform('bad input', (platform) => {
  let routes: Route[] = [];
  let tokens: Record<string, string> = {};
  let ids: string[] = [];

  before(async () => {
    routes = await documentedRoutes(platform());
    assert.ok(routes.length > 300, `${routes.length} routes`);
    const company = await registerCompany(platform());
    const service = await createService(platform(), company, [
      { slug: 'email', label: 'E-mail', type: 'email' },
    ]);
    const person = await registerPerson(platform());
    const field = await createField(platform(), person, {
      type: 'email',
      slug: 'mail',
      value: 'a@example.com',
    });
    tokens = {
      data_client: await dataToken(platform(), service),
      portal: company.token,
      person: person.token,
      operator: OPERATOR,
    };
    ids = [service.id, field];
  });

  const tokenOf = ({ operation }: Route) => {
    const caller = operation['x-callers']?.find((kind) => tokens[kind] !== undefined);
    return caller === undefined ? {} : { token: tokens[caller] ?? '' };
  };
  /** The address of a route whose ids are real where there are any. */
  const addressesOf = ({ path }: Route) =>
    path.includes('{')
      ? (isAtLength ? ids : ids.slice(0, 1)).map((id) => path.replace(/\{\w+\}/g, id))
      : [path];

  test('every route with a body refuses what is no such body, and writes nothing', async () => {
    const taking = routes.filter(({ operation }) => bodySchema(operation) !== undefined);
    for (const [turn, route] of taking.entries()) {
      const schema = bodySchema(route.operation);
      const before = await rowCounts(platform());
      let refusedAll = true;
      for (const address of addressesOf(route)) {
        for (const [index, body] of [...hostileBodies(schema as Schema, turn)].entries()) {
          const name = `${route.method} ${route.path} ${index}`;
          if (refusedBodies.has(name)) continue;
          const answer = await platform().call(route.method, address, { ...tokenOf(route), body });
          assertDecent(answer, route, body);
          if (OF_THE_BODY.has(answer.body?.error_key)) refusedBodies.add(name);
          if (answer.status < 400) refusedAll = false;
          // A good one among them may have shut the platform.
          if (answer.status < 400 && address.includes('/maintenance/')) {
            await platform().must(route.method, address, { ...tokenOf(route), body: { on: false } });
          }
        }
      }
      if (refusedAll)
        assert.deepEqual(
          await rowCounts(platform()),
          before,
          `${route.method} ${route.path} wrote something`,
        );
    }
  });

  test('every route with a body refuses what is no JSON', async (t) => {
    if (platform().engine !== engines[0]) return t.skip('what reads bodies knows no engine');
    const taking = routes.filter(({ operation }) => bodySchema(operation) !== undefined);
    for (const [turn, route] of taking.entries()) {
      const [address = ''] = addressesOf(route);
      const send = (contentType: string, body: string | Buffer) =>
        raw(platform(), route.method, address, { ...tokenOf(route), contentType, body });
      const most = route.operation['x-body-limit'] ?? 1024 * 1024;
      const depth = Math.min(100_000, most / 2);
      const deep = `${'['.repeat(depth)}${']'.repeat(depth)}`;
      const bodies = [
        ['application/json', '{', 400],
        ['application/json', '{"a":1}}', 400],
        ['application/json', deep, 400],
        ['application/json', '{"__proto__":{"admin":true}}', 400],
        ['application/json', '{"\\u005f_proto__":{"admin":true}}', 400],
        ['application/json', Buffer.from([0x22, 0xff, 0xfe, 0x22]), 400],
        ['application/json', `"${'x'.repeat(most)}"`, 413],
        ['text/plain', '{}', 415],
        ['application/x-www-form-urlencoded', 'a=b', 415],
        ['multipart/form-data; boundary=x', '--x--', 415],
        ['application/json; charset=utf-16', '{', 400],
      ] as const;
      for (const [contentType, body, status] of someOf(bodies, turn)) {
        const answer = await send(contentType, body);
        assert.equal(
          answer.status,
          status,
          `${route.method} ${route.path} ${contentType} ${String(body).slice(0, 40)} ${answer.text}`,
        );
        assertDecent(answer, route, contentType);
      }
    }
  });

  test('every route answers hostile addresses and queries', async () => {
    for (const [turn, route] of routes.filter(({ operation }) => operation.parameters?.length).entries()) {
      for (const segment of someOf(HOSTILE_SEGMENTS, turn)) {
        const address = route.path.replace(/\{\w+\}/g, segment);
        if (address === route.path) continue;
        const answer = await platform().call(route.method, address, tokenOf(route));
        assertDecent(answer, route, segment);
        if (!NAMED_BY_CALLERS.has(`${route.method} ${route.path}`))
          assert.ok(answer.status >= 400, `${route.method} ${address.slice(0, 80)}: ${answer.status}`);
      }
      if (route.method !== 'GET') continue;
      for (const query of someOf(HOSTILE_QUERIES, turn)) {
        for (const address of addressesOf(route)) {
          assertDecent(await platform().call('GET', `${address}?${query}`, tokenOf(route)), route, query);
        }
      }
    }
  });

  test('headers out of order are refused or read over', async () => {
    for (const headers of [
      { authorization: 'Bearer' },
      { authorization: 'Bearer  ' },
      { authorization: `Bearer ${'x'.repeat(5000)}` },
      { authorization: 'Basic AAAA' },
      { authorization: 'Bearer sps_nothing' },
      { authorization: 'Bearer a.b.c' },
    ]) {
      const answer = await platform().call('GET', '/api/account', { headers });
      assert.deepEqual(
        [answer.status, answer.body.error_key],
        [401, 'auth.invalid'],
        JSON.stringify(headers).slice(0, 60),
      );
    }
    for (const accept of ['application/xml;q=abc', ',,,', ';;', 'x'.repeat(4000), 'application/xml;q=0']) {
      const answer = await platform().call('GET', '/api/account', {
        headers: { accept },
        ...{ token: tokens.portal ?? '' },
      });
      assert.equal(answer.status, 200, accept.slice(0, 40));
    }
  });
});

/** @param turn of the route: in a usual run each has a part of the values, and so has each of its members */
function* hostileBodies(schema: Schema, turn: number): Generator<unknown> {
  yield* someOf([null, 7, 'text', [], [1, 2], true], turn);
  const sample = sampleOf(schema) as Record<string, unknown>;
  for (const name of schema.required ?? []) {
    const { [name]: _, ...rest } = sample;
    yield rest;
  }
  yield { ...sample, unknown_member: 1 };
  yield { ...sample, constructor: { prototype: {} } };
  for (const [place, [name, member]] of Object.entries(schema.properties ?? {}).entries()) {
    for (const value of someOf(someOf(HOSTILE_VALUES, turn), place)) yield { ...sample, [name]: value };
    if (member.items !== undefined) {
      yield { ...sample, [name]: HOSTILE_VALUES };
      yield { ...sample, [name]: Array.from({ length: 20_000 }, () => 1) };
      for (const value of someOf(someOf(HOSTILE_VALUES, turn + 1), place)) {
        yield {
          ...sample,
          [name]: [{ ...(sampleOf(member.items) as object), ...firstMember(member.items, value) }],
        };
      }
    }
  }
}

function firstMember(schema: Schema, value: unknown): object {
  const [name] = Object.keys(schema.properties ?? {});
  return name === undefined ? {} : { [name]: value };
}

function assertDecent(answer: Answer, route: Route, input: unknown): void {
  const told = `${route.method} ${route.path} with ${JSON.stringify(input)?.slice(0, 120)}: ${answer.status} ${answer.text.slice(0, 300)}`;
  assert.ok(answer.status < 500, told);
  if (answer.status < 400) return;
  assert.equal(typeof answer.body?.error_key, 'string', told);
  assert.equal(typeof answer.body?.error, 'string', told);
  assert.doesNotMatch(answer.text, /node_modules|\.ts:\d|at async|SQLITE|select |insert /i, told);
}

async function raw(
  platform: TestPlatform,
  method: string,
  address: string,
  call: { token?: string; contentType: string; body: string | Buffer },
): Promise<Answer> {
  const response = await fetch(`${platform.url}${address}`, {
    method,
    headers: {
      'content-type': call.contentType,
      ...(call.token === undefined ? {} : { authorization: `Bearer ${call.token}` }),
    },
    body: call.body as BodyInit,
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
}

const TABLES = [
  'companies',
  'services',
  'request_fields',
  'share_fields',
  'clients',
  'recovery_copies',
  'persons',
  'person_fields',
  'connections',
  'slot_values',
  'consent_rows',
  'changes',
  'service_logs',
  'portal_logins',
  'portal_sessions',
  'sign_in_tickets',
  'login_codes',
  'trusted_devices',
  'delegate_invitations',
  'company_deletions',
  'audit_log',
  'contact_fields',
  'contact_data',
  'photos',
  'share_photos',
  'blobs',
] as const;

async function rowCounts(platform: TestPlatform): Promise<Record<string, unknown> | undefined> {
  const counts = TABLES.map((table) => sql`(select count(*) from ${sql.table(table)}) as ${sql.ref(table)}`);
  const { schema } = platform.context.database;
  const { rows } = await sql<Record<string, unknown>>`select ${sql.join(counts)}`.execute(schema);
  return rows[0];
}
