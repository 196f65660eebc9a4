import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fingerprint, generateKeyPair, importPrivateKey } from '@symbolon/crypto';
import { connectLink, readConnectLink, type SymbolonError, UnconfirmedKeyError } from '@symbolon/sdk';
import { onPlatform } from '@symbolon/testkit/platform/platform';
import {
  CALLS_THAT_SEND_NOTHING,
  CLASSES_THAT_CALL_NOTHING,
  SEALING_COMMANDS,
  SEALING_FILES,
} from './calls.ts';
import { askedInPlace, GHOST, inPlaceOf, LIES, readable, type Thief } from './lies.ts';
import { NOTE, ROWS } from './rows.ts';
import { MARKER, type World, world } from './world.ts';

/*
 * A platform that lies after everything was done once while it was honest: whatever it replaces, what devices and programs send then can
 * be read by nobody whom the user did not choose (SECURITY.md, "A platform that lies").
 */

const ROOT = join(import.meta.dirname, '../../..');

onPlatform('a platform that lies', (platform) => {
  let here: World;
  let thief: Thief;
  let key: CryptoKey;
  before(async () => {
    const pair = await generateKeyPair();
    key = await importPrivateKey(pair.privateKey);
    thief = { publicKey: pair.publicKey, sha256: await fingerprint(pair.publicKey) };
    here = await world(platform());
  });
  after(() => here.stop());

  for (const [name, { lies, act, isWithheld }] of Object.entries(ROWS))
    for (const lie of lies)
      test(`${name}: another ${lie} gets nothing`, async () => {
        const { proxy } = here;
        proxy.calls.length = 0;
        proxy.lie = LIES[lie](thief);
        const failure: unknown = await act(here)
          .then(
            () => undefined,
            (error: unknown) => error,
          )
          .finally(() => {
            proxy.lie = undefined;
          });
        assert.deepEqual(await readable(proxy.calls, key, MARKER), []);
        if (!isWithheld)
          assert.ok(
            failure instanceof UnconfirmedKeyError ||
              (failure as SymbolonError).errorKey === 'sdk.key_mismatch',
            `it is refused for its key: ${failure}`,
          );
      });

  test('a request is accepted, and a consent answered, of whom they were shown alone', async () => {
    const { proxy, person, company, spareCode } = here;
    const [request] = await person.connectRequests.pending();
    const [consent] = await person.consents();
    const isOther = (error: UnconfirmedKeyError) => error.errorKey === 'sdk.owner_changed';
    proxy.calls.length = 0;
    proxy.lie = (answer, { path }) => askedInPlace(answer, path);
    try {
      await assert.rejects(
        person.connectRequests.accept(request?.request_id ?? '', NOTE),
        (error: UnconfirmedKeyError) => {
          assert.deepEqual(error.details.confirmed, [`${company}/${spareCode}`]);
          return isOther(error);
        },
      );
      await assert.rejects(person.provideConsent(consent?.id ?? '', { later: { value: MARKER } }), isOther);
    } finally {
      proxy.lie = undefined;
    }
    assert.deepEqual(
      proxy.calls.map(({ method }) => method),
      ['GET', 'GET'],
      'nothing is sent',
    );
  });

  test('what is refused when the platform lies works when it is honest', async () => {
    const already = new Set([
      'person.connect',
      'person.connectByLink',
      'customer.connect',
      'customer.connectByLink',
    ]);
    const done = new Set([
      'data.flows.process',
      'person.flows.processRun',
      'data.flows.processRun',
      'person.consent.approve/delivery',
    ]);
    for (const [name, { act }] of Object.entries(ROWS))
      if (already.has(name)) await assert.rejects(act(here), /./, name);
      else if (!done.has(name)) await act(here).catch((cause) => assert.fail(`${name}: ${cause}`));
  });

  test('a party that came later gets answers once it was shown and confirmed', async () => {
    const { proxy, person, data, flowId, connectionId } = here;
    const run = await data.flows.start(flowId, { connectionId });
    await person.flows.run(run.id);
    proxy.lie = LIES.party(thief);
    try {
      const open = await person.flows.run(run.id);
      const answer = () => person.flows.answer(open, { room: 'bath', what: 'Water' });
      await assert.rejects(answer, (error: UnconfirmedKeyError) => {
        assert.deepEqual(error.details.added, [`person ${GHOST}`]);
        return error.errorKey === 'sdk.owner_changed';
      });
      await person.flows.confirmParties(open);
      await assert.rejects(
        answer,
        (error: Error) => !(error instanceof UnconfirmedKeyError),
        'the platform behind it refuses',
      );
    } finally {
      proxy.lie = undefined;
    }
  });

  test('nobody gets answers who is bound to no party of the flow, also at the first opening', async () => {
    const { proxy, person, data, flowId, connectionId } = here;
    const { id } = await data.flows.start(flowId, { connectionId });
    proxy.calls.length = 0;
    proxy.lie = LIES.hiddenParty(thief);
    try {
      const open = await person.flows.run(id);
      await assert.rejects(person.flows.answer(open, { room: 'bath', what: MARKER }), {
        errorKey: 'sdk.owner_changed',
      });
    } finally {
      proxy.lie = undefined;
    }
    assert.deepEqual(await readable(proxy.calls, key, MARKER), []);
  });

  test('a code, and a connection since it was made, belong to one service', async () => {
    const { proxy, portal, person, customer, company, connectionId, serviceId, spareId, spareCode } = here;
    const lie = inPlaceOf(spareId, await portal.service(serviceId));
    const refused = async (of: string, act: () => Promise<unknown>) => {
      await assert.rejects(act, (error: UnconfirmedKeyError) => {
        assert.deepEqual(error.details.confirmed, [`service ${spareId}`], of);
        return error.errorKey === 'sdk.owner_changed';
      });
    };
    const leave = async () => {
      for (const { connection_id: id, service } of await person.connections())
        if (service.id === spareId) await person.disconnect(id);
    };
    await leave();
    const bought = await customer.connect(company, spareCode);
    const serviceLinkId = bought.services.find((link) => link.service_id === spareId)?.service_link_id ?? '';
    proxy.lie = lie;
    try {
      await refused('link', () => customer.remap({ connectionId: bought.id, serviceLinkId }, NOTE));
      await refused('code of a company', () => customer.connect(company, spareCode, NOTE));
      await refused('code of a person', () => person.connect(company, spareCode.toLowerCase(), NOTE));
      proxy.lie = (answer, { method }) =>
        method === 'POST' ? { ...(answer as object), connection_id: connectionId } : answer;
      const made = person.connect(company, spareCode, NOTE);
      await assert.rejects(
        made,
        { errorKey: 'sdk.owner_changed' },
        'it is the connection of another service',
      );
    } finally {
      proxy.lie = undefined;
    }
    await leave();
  });

  test('a link with the fingerprint of the key, or its words, say where a code leads', async () => {
    const { proxy, portal, customer, company, spareId, serviceId, spareCode } = here;
    const { public_key_sha256: fingerprint } = await portal.service(serviceId);
    const link = readConnectLink(
      connectLink(proxy.url, { companyCode: company, serviceCode: spareCode, fingerprint }),
    );
    const isRefused = { errorKey: 'sdk.owner_changed' };
    proxy.lie = inPlaceOf(spareId, await portal.service(serviceId));
    try {
      await assert.rejects(customer.connect(company, spareCode, NOTE), isRefused);
      await assert.rejects(customer.connectByLink(link, NOTE), { errorKey: 'connections.exists' });
      await assert.rejects(customer.connect(company, spareCode, NOTE), { errorKey: 'connections.exists' });
    } finally {
      proxy.lie = undefined;
    }
    await assert.rejects(customer.connect(company, spareCode, NOTE), isRefused);
    const { public_key_sha256: own } = await portal.service(spareId);
    await customer.confirmKey(company, spareCode, own);
    await assert.rejects(customer.connect(company, spareCode, NOTE), { errorKey: 'connections.exists' });
  });

  test('every call of the clients has a row, or sends nothing that is sealed', async () => {
    const { person, data, customer, portal, account, anyCall, site } = here;
    const clients = { person, data, customer, portal, account, anyCall, site };
    const seen = new Set<unknown>();
    const calls = Object.entries(clients).flatMap(([name, client]) => [
      ...staticsOf(name, client),
      ...callsOf(name, client, seen),
    ]);
    const rows = new Set(Object.keys(ROWS).map((name) => name.split('/')[0]));
    assert.deepEqual(
      calls.filter((call) => !rows.has(call) && !CALLS_THAT_SEND_NOTHING.has(call)),
      [],
    );
    const all = new Set(calls);
    assert.deepEqual(
      [...rows, ...CALLS_THAT_SEND_NOTHING.keys()].filter((call) => !all.has(call ?? '')),
      [],
    );
    const others = (await exportedClasses()).filter((one) => !seen.has(one)).map(({ name }) => name);
    assert.deepEqual([...new Set(others)].sort(), Object.keys(CLASSES_THAT_CALL_NOTHING).sort());
  });

  test('every file of SDK, command and pages that seals is in the table', async () => {
    const found: string[] = [];
    for (const folder of ['packages/sdk/src', 'packages/cli/src', 'apps/web/src'])
      for (const [file, text] of await sourcesIn(folder))
        if (/\bseal(Value|TextSync|Text|Bundle)\(/.test(text)) found.push(`${folder}/${file}`);
    assert.deepEqual(found.sort(), Object.keys(SEALING_FILES).sort());
  });

  test('every place of the command that has something sealed is in the table', async () => {
    const acts = Object.keys(ROWS).map((name) => name.split('/')[0]?.replace(/^\w+\./, '') ?? '');
    const words = [...new Set(acts)].map((act) => act.replaceAll('.', '\\.')).join('|');
    const found = (await sourcesIn('packages/cli/src')).flatMap(([file, text]) =>
      [...text.matchAll(new RegExp(`\\.(${words})\\(`, 'g'))].map(([, act]) => `${file} ${act}`),
    );
    assert.deepEqual([...new Set(found)].sort(), Object.keys(SEALING_COMMANDS).sort());
  });
});

/** The sources of a package by their paths in it, without tests. */
async function sourcesIn(folder: string): Promise<[file: string, text: string][]> {
  const files = await readdir(join(ROOT, folder), { recursive: true });
  const sources = files.filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|testing\//.test(file));
  return Promise.all(
    sources.map(
      async (file): Promise<[string, string]> => [file, await readFile(join(ROOT, folder, file), 'utf8')],
    ),
  );
}

/** The public methods of a client, and of its parts. @param seen takes their classes */
function callsOf(name: string, client: object, seen: Set<unknown>): string[] {
  const methods: string[] = [];
  for (
    let proto = Object.getPrototypeOf(client);
    proto !== Object.prototype;
    proto = Object.getPrototypeOf(proto)
  ) {
    seen.add(proto.constructor);
    for (const [method, { value }] of Object.entries(Object.getOwnPropertyDescriptors(proto)))
      if (typeof value === 'function' && method !== 'constructor') methods.push(`${name}.${method}`);
  }
  const parts = Object.entries(client).filter(
    ([part, value]) => part !== 'api' && typeof value === 'object' && value !== null,
  );
  const ofParts = parts.flatMap(([part, value]) => callsOf(`${name}.${part}`, value, seen));
  return [...new Set([...methods, ...ofParts])];
}

/** Ways to make a client: registering, signing in, recovering. */
function staticsOf(name: string, client: object): string[] {
  const members = Object.entries(Object.getOwnPropertyDescriptors(client.constructor));
  return members.flatMap(([member, { value }]) => (typeof value === 'function' ? [`${name}.${member}`] : []));
}

type Class = { name: string; prototype: unknown };

/** The classes of all entries of the SDK but errors. The worker of the data client is a program. */
async function exportedClasses(): Promise<Class[]> {
  const { exports } = JSON.parse(await readFile(join(ROOT, 'packages/sdk/package.json'), 'utf8'));
  const found: Class[] = [];
  for (const entry of Object.keys(exports)) {
    if (entry === './symbolon-decrypt-worker') continue;
    const values: unknown[] = Object.values(await import(`@symbolon/sdk${entry.slice(1)}`));
    for (const value of values)
      if (typeof value === 'function' && /^class\b/.test(`${value}`) && !(value.prototype instanceof Error))
        found.push(value);
  }
  return found;
}
