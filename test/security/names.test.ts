import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
  createField,
  createService,
  dataToken,
  registerCompany,
  registerPerson,
} from '@symbolon/testkit/actors/actors';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { onPlatform } from '@symbolon/testkit/platform/platform';
import { OPERATOR } from './access-table.ts';
import { bodySchema, documentedRoutes, type Route, type Schema, sampleOf } from './openapi.ts';

/*
 * A name that anybody can set is shown to others: on a consent page, in a mail, on a terminal. The routes come from the
 * OpenAPI document, so that a new one whose name is not checked fails here.
 */

/** A member of a request that is a name: where it is, and a body that has it. */
interface NamedMember {
  readonly method: string;
  readonly path: string;
  readonly token: string | undefined;
  readonly pointer: string;
  body(name: string): unknown;
}

const NAME_MEMBERS = new Set(['name', 'display_name', 'label']);
/** What an app calls a claim is its own matter: people are shown the label. */
const CLAIM_NAMES = /^\/(?:claims|claim_config)\/0\/name$/;

/** Without NUL, which no body may contain. */
const REFUSED = [
  '',
  ' ',
  '\t',
  '\u00a0\u3000',
  '\u200b',
  '\u2060\u200d\ufeff',
  '\u00ad',
  '\u115f\u3164\uffa0',
  '\u2800',
  '\ufe0f',
  '\u0301',
  'Ada\nBcc: all@example.com',
  'Ada\r',
  'Ada\u001b[31m',
  'Ada\u007f',
  'Ada\u0085',
  'Ada\u2028Lovelace',
  'Ada\u2029',
  'Ada\u202egnp.exe',
  'Ada\u2066',
  'x'.repeat(201),
  `A${'\u0301'.repeat(500)}`,
];
const TAKEN = [
  'A',
  'Žofie & Søn, s. r. o.',
  '山田太郎',
  'می\u200cخواهم',
  'שלום\u200f!',
  '👩\u200d👩\u200d👧 Family ❤\ufe0f',
  'O’Neill "the" <b>',
];

onPlatform('names', (platform) => {
  let members: NamedMember[] = [];
  let portal = '';
  let service = { id: '' };

  before(async () => {
    const company = await registerCompany(platform());
    portal = company.token;
    const made = await createService(platform(), company);
    service = made;
    const person = await registerPerson(platform());
    await createField(platform(), person, { type: 'text', slug: 'text', value: 'x' });
    const tokens: Record<string, string> = {
      data_client: await dataToken(platform(), made),
      portal,
      person: person.token,
      operator: OPERATOR,
    };
    members = await namedMembers(
      await documentedRoutes(platform()),
      (callers) => tokens[callers.find((kind) => tokens[kind] !== undefined) ?? ''],
      made.id,
    );
  });

  const issuesAt = async (member: NamedMember, name: string): Promise<unknown[]> => {
    const { method, path, token } = member;
    const answer = await platform().call(method, path, {
      ...(token === undefined ? {} : { token }),
      body: member.body(name),
    });
    assert.ok(answer.status < 500, `${method} ${path}: ${answer.status} ${answer.text}`);
    const issues = (answer.body?.issues ?? []) as { path: string }[];
    const here = issues.filter((issue) => issue.path === member.pointer);
    if (here.length > 0) assert.equal(answer.status, 400, `${method} ${path} ${answer.text}`);
    return here;
  };

  test('no route takes one that breaks a line, hides itself or has no end', async () => {
    proves('limit:shownText');
    assert.ok(members.length >= 15, `only ${members.length} members were found`);
    for (const member of members) {
      for (const name of REFUSED) {
        const found = await issuesAt(member, name);
        assert.ok(
          found.length > 0,
          `${member.method} ${member.path} takes ${JSON.stringify(name.slice(0, 40))} at ${member.pointer}`,
        );
      }
    }
  });

  test('every route takes names of any writing', async () => {
    for (const member of members) {
      for (const name of TAKEN) {
        const found = await issuesAt(member, name);
        assert.deepEqual(found, [], `${member.method} ${member.path} refuses ${JSON.stringify(name)}`);
      }
    }
  });

  test('the refusal has the key of the thing that is named', async () => {
    const key = async (method: string, path: string, body: object) =>
      (await platform().call(method, path, { token: portal, body })).body.error_key;
    const name = 'Ada\u200b\n';
    // Two names that look alike must differ in visible characters, and nobody is called as the platform is.
    const own = [
      'Symbolon',
      'SYMBOLON',
      ' symbolon.',
      'S-Y-M-B-O-L-O-N',
      'Ｓｙｍｂｏｌｏｎ',
      'Symb\u0323olon',
      'Symb\u115Folon',
      'Symbolon\u3164',
    ];
    for (const hidden of ['Goo\u00adgle', 'Google\u200b', 'Goo\u2060gle', '\ufeffGoogle', ...own])
      for (const [method, path, body, named] of [
        ['PUT', '/api/profile', { display_name: hidden }, 'profile.display_name_invalid'],
        ['PUT', `/api/services/${service.id}`, { name: hidden }, 'services.name_invalid'],
        ['POST', '/api/account/clients', { name: hidden }, 'account_clients.name_invalid'],
        [
          'POST',
          '/api/account/oauth-apps',
          { name: hidden, redirect_uris: ['https://a.example/'] },
          'oauth_apps.name_invalid',
        ],
      ] as const)
        assert.equal(await key(method, path, body), named, JSON.stringify(hidden));
    const { status } = await platform().call('PUT', `/api/services/${service.id}`, {
      ...{ token: portal, body: { name: 'Symbolon users of Berlin' } },
    });
    assert.equal(status, 200, 'a name may speak of the platform');
    proves('limit:displayName');
    assert.equal(await key('PUT', '/api/profile', { display_name: name }), 'profile.display_name_invalid');
    assert.equal(await key('PUT', `/api/services/${service.id}`, { name }), 'services.name_invalid');
    assert.equal(await key('POST', '/api/account/clients', { name }), 'account_clients.name_invalid');
    assert.equal(
      await key('POST', '/api/account/oauth-apps', { name, redirect_uris: ['https://a.example/'] }),
      'oauth_apps.name_invalid',
    );
  });

  test('a field type and its options are named by the same rule', async () => {
    const add = (row: object) =>
      platform().call('POST', '/api/admin/field-types', {
        token: OPERATOR,
        body: { type: 'pet', label: 'Pet', parent: 'text', ...row },
      });
    for (const refused of [{ label: 'Pet\n' }, { label: '\u200b' }, { options: ['Dog', '\u200b'] }]) {
      assert.equal((await add(refused)).status, 400, JSON.stringify(refused));
    }
  });
});

function namedMembers(
  routes: readonly Route[],
  tokenOf: (callers: readonly string[]) => string | undefined,
  id: string,
): NamedMember[] {
  return routes.flatMap(({ method, path, operation }) => {
    const schema = bodySchema(operation);
    // The operator's own rows are checked by the registry, see below.
    if (schema === undefined || path === '/api/admin/field-types') return [];
    const names = [...namesIn(schema)].filter(({ pointer }) => !CLAIM_NAMES.test(pointer));
    return names.map(({ pointer, body }) => ({
      method,
      path: path.replace(/\{\w+\}/g, id),
      token: tokenOf(operation['x-callers'] ?? []),
      pointer,
      body,
    }));
  });
}

function* namesIn(schema: Schema): Generator<{ pointer: string; body(name: string): unknown }> {
  for (const [key, member] of Object.entries(schema.properties ?? {})) {
    const sample = sampleOf(schema) as object;
    if (NAME_MEMBERS.has(key)) {
      yield { pointer: `/${key}`, body: (name) => ({ ...sample, [key]: name }) };
    } else if (member.items !== undefined) {
      for (const inner of namesIn(member.items)) {
        yield {
          pointer: `/${key}/0${inner.pointer}`,
          body: (name) => ({ ...sample, [key]: [inner.body(name)] }),
        };
      }
    } else {
      for (const inner of namesIn(member)) {
        yield {
          pointer: `/${key}${inner.pointer}`,
          body: (name) => ({ ...sample, [key]: inner.body(name) }),
        };
      }
    }
  }
}
