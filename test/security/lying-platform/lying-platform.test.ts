import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fingerprint, generateKeyPair, importPrivateKey } from '@symbolon/crypto';
import { type SymbolonError, UnconfirmedKeyError } from '@symbolon/sdk';
import { onPlatform } from '@symbolon/testkit/platform/platform';
import { CALLS_THAT_SEND_NOTHING, SEALING_FILES } from './calls.ts';
import { GHOST, LIES, type LieName, readable, type Thief } from './lies.ts';
import { ENVELOPE, FILE, MARKER, type World, world } from './world.ts';

/*
 * A platform that lies after everything was done once while it was honest: whatever it replaces, what devices and programs send then can
 * be read by nobody whom the user did not choose (SECURITY.md, "A platform that lies").
 */

type Row = { lies: readonly LieName[]; act: (world: World) => Promise<unknown>; isWithheld?: true };

const NOTE = { note: { value: MARKER } };
const both = ['owner', 'key', 'keyAlone'] as const;

/** A call of a client that seals or sends a value; several acts of one call have a name behind the `/`. */
const ROWS: Readonly<Record<string, Row>> = {
  'person.connect': {
    lies: ['key'],
    act: ({ person, company, code }) => person.connect(company, code, NOTE),
  },
  'person.connectByLink': { lies: both, act: ({ person, link }) => person.connectByLink(link, NOTE) },
  'person.remap': { lies: both, act: ({ person, connectionId }) => person.remap(connectionId, NOTE) },
  'person.provideConsent': {
    lies: both,
    act: async ({ person }) => {
      const [consent] = await person.consents();
      return person.provideConsent(consent?.id ?? '', { later: { value: MARKER } });
    },
  },
  'person.editField': {
    lies: both,
    isWithheld: true,
    act: ({ person, field }) => person.editField(field.id, MARKER),
  },
  'person.files.save': {
    lies: both,
    isWithheld: true,
    act: ({ person, paper }) => person.files.save(paper.id, ENVELOPE),
  },
  'person.sendWithheld': {
    lies: both,
    isWithheld: true,
    act: ({ person, field }) => person.sendWithheld(field.id),
  },
  'person.messages.send': {
    lies: both,
    act: ({ person, connectionId }) => person.messages.send(connectionId, MARKER),
  },
  'person.consent.approve': { lies: both, act: ({ signIn }) => signIn() },
  'person.consent.approve/own claim': {
    lies: ['delivery'],
    isWithheld: true,
    act: ({ signIn }) => signIn({ mode: 'one_time', claims: [{ name: 'email', type: 'email' }] }, true),
  },
  'person.consent.approve/delivery': { lies: ['delivery'], isWithheld: true, act: ({ signIn }) => signIn() },
  'person.flows.answer': {
    lies: [...both, 'party'],
    act: async ({ person, runId }) =>
      person.flows.answer(await person.flows.run(runId), { room: 'bath', what: MARKER }),
  },
  'person.flows.processRun': {
    lies: [...both, 'party'],
    act: async ({ person, runId }) =>
      person.flows.processRun((await person.flows.run(runId)).run, {
        report: () => ({ room: 'bath', what: MARKER }),
      }),
  },
  'customer.connect': {
    lies: ['key'],
    act: ({ customer, company, code }) => customer.connect(company, code, NOTE),
  },
  'customer.connectByLink': { lies: both, act: ({ customer, link }) => customer.connectByLink(link, NOTE) },
  'customer.remap': { lies: both, act: ({ customer, bond }) => customer.remap(bond, NOTE) },
  'customer.provideConsent': {
    lies: both,
    act: async ({ customer }) => {
      const [consent] = await customer.consents();
      return customer.provideConsent(consent?.id ?? '', { later: { value: MARKER } });
    },
  },
  'data.messages.send': {
    lies: both,
    act: ({ data, connectionId }) => data.messages.send(connectionId, MARKER),
  },
  'data.messages.send/from the list': {
    lies: both,
    act: async ({ data }) => {
      for await (const { id, personId } of data.connections())
        await data.messages.send(id, MARKER, { personId });
    },
  },
  'data.sealFor': {
    lies: ['key'],
    act: async ({ data, connectionId, userId }) =>
      data.messages.send(connectionId, JSON.stringify(await data.sealFor(userId, MARKER))),
  },
  'data.publicKeys': { lies: ['key'], act: ({ data, userId }) => data.publicKeys([userId]) },
  'data.documents.create': {
    lies: both,
    act: ({ data, connectionId }) =>
      data.documents.create({ name: 'Paper', to: { connectionId }, content: { file: FILE } }),
  },
  'data.documents.create/user': {
    lies: ['key'],
    act: ({ data, userId }) =>
      data.documents.create({ name: 'Paper', to: { userId }, content: { json: MARKER } }),
  },
  'data.documents.replaceFile': {
    lies: [...both, 'target'],
    act: ({ data, documentId }) => data.documents.replaceFile(documentId, FILE),
  },
  'data.flows.start': {
    lies: both,
    act: ({ data, flowId, connectionId }) =>
      data.flows.start(flowId, { connectionId, tags: { 'tenant.first_name': MARKER } }),
  },
  'data.flows.answer': {
    lies: ['key', 'party'],
    act: async ({ data, waiting }) =>
      data.flows.answer(await data.flows.run(waiting), { decision: 'repair' }),
  },
  'data.flows.process': {
    lies: ['key', 'party'],
    isWithheld: true,
    act: ({ data }) => Array.fromAsync(data.flows.process({ decide: () => ({ decision: 'repair' }) })),
  },
  'data.flows.processRun': {
    lies: ['key', 'party'],
    act: async ({ data, waiting }) =>
      data.flows.processRun((await data.flows.run(waiting)).run, { decide: () => ({ decision: 'repair' }) }),
  },
};

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

  test('every call of the clients has a row, or sends nothing that is sealed', () => {
    const { person, data, customer } = here;
    const calls = Object.entries({ person, data, customer }).flatMap(([name, client]) =>
      callsOf(name, client),
    );
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
  });

  test('every file of SDK, command and pages that seals is in the table', async () => {
    const root = join(import.meta.dirname, '../../..');
    const found: string[] = [];
    for (const folder of ['packages/sdk/src', 'packages/cli/src', 'apps/web/src'])
      for (const file of await readdir(join(root, folder), { recursive: true })) {
        if (!/\.tsx?$/.test(file) || /\.test\.tsx?$|testing\//.test(file)) continue;
        const text = await readFile(join(root, folder, file), 'utf8');
        if (/\bseal(Value|TextSync|Text|Bundle)\(/.test(text)) found.push(`${folder}/${file}`);
      }
    assert.deepEqual(found.sort(), Object.keys(SEALING_FILES).sort());
  });
});

/** The public methods of a client, and of its parts. */
function callsOf(name: string, client: object): string[] {
  const methods: string[] = [];
  for (
    let proto = Object.getPrototypeOf(client);
    proto !== Object.prototype;
    proto = Object.getPrototypeOf(proto)
  )
    for (const [method, { value }] of Object.entries(Object.getOwnPropertyDescriptors(proto)))
      if (typeof value === 'function' && method !== 'constructor') methods.push(`${name}.${method}`);
  const parts = Object.entries(client).filter(
    ([part, value]) => part !== 'api' && typeof value === 'object' && value !== null,
  );
  return [...new Set([...methods, ...parts.flatMap(([part, value]) => callsOf(`${name}.${part}`, value))])];
}
