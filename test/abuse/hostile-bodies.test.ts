import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { createService, dataToken, registerCompany, registerPerson } from '@symbolon/testkit/actors/actors';
import { publishFlow } from '@symbolon/testkit/actors/flow-runs';
import { someOf } from '@symbolon/testkit/thoroughness';
import { type AbusedPlatform, calmest, greatest, startAbused } from './support/abused-platform.ts';

/** What others may wait for one request. */
const HELD_MOST_MS = 50;
const MIB = 1024 * 1024;

/** Fills a body of a size with the repetition of something. */
const filled = (size: number, head: string, unit: string, tail: string) =>
  `${head}${unit.repeat(Math.floor((size - head.length - tail.length) / unit.length))}${tail}`;
const members = (size: number) => {
  const names: string[] = [];
  for (let index = 0, length = 2; ; index++) {
    const member = `"m${index}":0`;
    length += member.length + 1;
    if (length > size) return `{${names.join(',')}}`;
    names.push(member);
  }
};

/** Bodies that take long to read, by what they do; each of about the given size. */
const BODIES: Readonly<Record<string, (size: number) => string>> = {
  'elements and an escape': (size) => filled(size, '[', '0,', '"\\u0041"]'),
  'unknown members': members,
  'unknown members and an escape': (size) => `${members(size - 20).slice(0, -1)},"\\u0041":0}`,
  'as many unknown members as there may be': () => members(size_of_members),
  'as many elements as there may be': (size) => filled(Math.min(size, 19_000), '{"email":[', '0,', '0]}'),
  'as many texts as there may be': (size) => filled(Math.min(size, 59_000), '[', '"abcd",', '""]'),
  'deep nesting': (size) => filled(size, '', '[', ''),
  'a long name': (size) => filled(size, '{"', 'n', '":0}'),
  'a long number': (size) => filled(size, '[', '1', ']'),
  blanks: (size) => filled(size, '{', ' ', '}'),
  'one long text': (size) => filled(size, '{"file":"', 'A', '"}'),
  'a text of escaped quotes': (size) => filled(size, '{"file":"', '\\"', '"}'),
  'a text of escaped letters': (size) => filled(size, '{"file":"', '\\u0041', '"}'),
  'a text of escaped slashes': (size) => filled(size, '{"file":"', `${'A'.repeat(62)}\\/`, '"}'),
  'a text of backslashes': (size) => filled(size, '{"file":"', '\\\\', '"}'),
  'a text of large characters': (size) => filled(Math.floor(size / 2), '{"file":"', '😀', '"}'),
  'texts of four kibibytes': (size) => filled(size, '{"file":[', `"${'A'.repeat(4200)}",`, '""]}'),
  'a lone surrogate at the end': (size) => filled(size, '{"file":"', 'A', '\\ud800"}'),
  '__proto__ at the end': (size) =>
    filled(Math.min(size, 60_000), '{"a":[', '"abcd",', '""],"__proto__":{}}'),
  'a text that does not end': (size) => filled(size, '{"file":"', 'A', ''),
  'a query of many parameters': (size) => filled(size, '{"query":"', 'a=%41&', '"}'),
  'a form of many parameters': (size) => filled(size, '', 'a=%41&', 'b=1'),
};
const size_of_members = 95_000;

interface RouteClass {
  readonly path: string | (() => string);
  readonly size: number;
  readonly token?: () => string;
  readonly on?: () => AbusedPlatform;
  readonly contentType?: string;
}

let abused: AbusedPlatform;
let frontDoor: AbusedPlatform;
const tokens = { portal: '', person: '', machine: '' };
let flowId: string;

const CLASSES: Readonly<Record<string, RouteClass>> = {
  'an open route': { path: '/api/portal/sign-in', size: MIB },
  'a route of people': { path: '/api/person/fields', size: MIB, token: () => tokens.person },
  'a route of the portal': { path: '/api/services', size: MIB, token: () => tokens.portal },
  'a route of machines': { path: '/api/keys/batch', size: MIB, token: () => tokens.machine },
  'the token route': {
    path: '/oauth2/token',
    size: 16 * 1024,
    contentType: 'application/x-www-form-urlencoded',
  },
  'an unknown address': { path: '/api/nothing', size: MIB },
  'the front door': { path: '/api/portal/sign-in', size: MIB, on: () => frontDoor },
  'the front door, as forms': {
    path: '/api/portal/sign-in',
    size: MIB,
    on: () => frontDoor,
    contentType: 'application/x-www-form-urlencoded',
  },
  'an upload': { path: '/api/photos', size: 32 * MIB, token: () => tokens.portal },
  'a file of a run': {
    path: () => `/api/company-data/flows/${flowId}/run-files`,
    size: 31 * MIB,
    token: () => tokens.machine,
  },
};

before(async () => {
  [abused, frontDoor] = await Promise.all([
    startAbused(),
    startAbused({
      SYMBOLON_ROLES: 'front-door',
      SYMBOLON_REGIONS: 'eu=http://127.0.0.1:9',
      SYMBOLON_SECRET: randomBytes(32).toString('base64'),
    }),
  ]);
  const company = await registerCompany(abused);
  const service = await createService(abused, company);
  tokens.portal = company.token;
  tokens.machine = await dataToken(abused, service);
  flowId = await publishFlow(abused, service);
  tokens.person = (await registerPerson(abused)).token;
});
after(async () => {
  await Promise.all([abused.end(), frontDoor.end()]);
});

for (const [turn, [kind, route]] of Object.entries(CLASSES).entries()) {
  const { path, size, token, on = () => abused, contentType = 'application/json' } = route;
  const send = async (body: string | Uint8Array) => {
    const response = await fetch(`${on().url}${typeof path === 'string' ? path : path()}`, {
      method: 'POST',
      headers: {
        'content-type': contentType,
        ...(token === undefined ? {} : { authorization: `Bearer ${token()}` }),
      },
      body: body as BodyInit,
    });
    await response.arrayBuffer();
    return response.status;
  };

  test(`no body to ${kind} keeps others waiting`, async () => {
    // What happens once, as compiling the route's schema, is no attack.
    for (let time = 0; time < 3; time++) await send('{"m":[{}]}');
    const slow: string[] = [];
    for (const [name, make] of someOf(Object.entries(BODIES), turn)) {
      // Some are refused at once: only the size of an upload says something about them.
      const body = Buffer.from(make(size));
      const {
        result: status,
        heldMs,
        waitsMs,
      } = await calmest(HELD_MOST_MS, () => on().during(() => send(body)));
      // A front door passes on what it can read, and here no region is there.
      const passedOn = on() === frontDoor && status === 503;
      assert.ok(passedOn || (status >= 400 && status < 500), `${name}: ${status}`);
      assert.ok(waitsMs.length > 0);
      if (process.env.ABUSE_TABLE)
        console.log(
          `| ${kind} | ${name} | ${status} | ${heldMs.toFixed(0)} | ${greatest(waitsMs).toFixed(0)} |`,
        );
      if (heldMs > HELD_MOST_MS) slow.push(`${name} (${Math.round(heldMs)} ms)`);
    }
    assert.deepEqual(slow, []);
  });
}
