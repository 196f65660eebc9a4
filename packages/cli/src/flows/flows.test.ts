import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { DataClient } from '@symbolon/sdk';
import { RunningCommand, symbolon, symbolonProcess } from '@symbolon/testkit/cli/command';
import { type SignedIn, signIn } from '@symbolon/testkit/cli/signed-in';
import { createWorld, temporaryFolder, type World } from '@symbolon/testkit/cli/world';

const LEASE = fileURLToPath(new URL('../../../../examples/flows/lease-contract.zip', import.meta.url));

describe('symbolon flows', () => {
  let world: World;
  let company: SignedIn;
  let config: string[];
  let flowId: string;
  before(async () => {
    world = await createWorld();
    company = await signIn(world);
    config = ['--config', world.credentials.config_file];
    const imported = await company.run('flows', 'import', LEASE, '--publish', '--json');
    assert.equal(imported.code, 0, imported.stderr);
    const flow = JSON.parse(imported.stdout);
    assert.deepEqual([flow.name, flow.version], ['Lease contract', 1]);
    flowId = flow.id;
  });
  after(async () => {
    company[Symbol.dispose]();
    await world.clear();
  });

  test('lists, exports and imports flows, and packs a folder', async () => {
    using folder = temporaryFolder();
    const list = await company.run('flows', 'list');
    assert.match(list.stdout, /^Lease contract {2}version 1 {2}document {2}[\w-]{36}\n/);
    const zip = folder.file('lease.zip');
    const exported = await company.run('flows', 'export', flowId, '--flow-version', '1', '--out', zip);
    assert.equal(exported.code, 0, exported.stderr);
    const again = await company.run('flows', 'export', flowId, '--out', zip);
    assert.deepEqual([again.code, /is there already/.test(again.stderr)], [1, true], again.stderr);
    const back = await company.run('flows', 'import', zip);
    assert.match(back.stdout, /^Lease contract {2}a draft {2}/, back.stderr);

    const { definition, assets } = await company.portal.flows.get({ serviceId: company.serviceId, flowId });
    assert.equal(assets.length, 1);
    const packed = folder.file('package');
    mkdirSync(packed);
    const nodes = definition.nodes.map(({ outputs: _, ...node }) => node);
    const parts = { format_version: 1, ...definition, nodes, output_mode: 'data_only', assets: [] };
    writeFileSync(join(packed, 'flow.json'), JSON.stringify({ ...parts, name: 'Of a folder' }));
    const ofFolder = await company.run('flows', 'import', packed, '--json');
    assert.deepEqual(
      [ofFolder.code, JSON.parse(ofFolder.stdout || '{}').name],
      [0, 'Of a folder'],
      ofFolder.stderr,
    );
  });

  test('says what keeps a draft from being published, and what looks wrong in it, and where', async () => {
    const { id } = await company.portal.flows.create(company.serviceId, { name: 'Empty' });
    const { code, stderr } = await company.run('flows', 'publish', id);
    assert.equal(code, 1);
    assert.match(stderr, /^\/\w* .*\(entry_missing\)\n/m);
    assert.match(stderr, /^error: /m);

    using folder = temporaryFolder();
    const packageWith = (more: object) => {
      const nodes = [{ key: 'a', party: 'p', title: 'A', elements: [{ kind: 'text', body: '{{ nmae }}' }] }];
      const parties = [{ key: 'p', label: 'P' }];
      const parts = { name: 'F', output_mode: 'data_only', entry: 'a', parties, nodes, edges: [], ...more };
      writeFileSync(folder.file('flow.json'), JSON.stringify({ format_version: 1, constants: [], ...parts }));
      return ['flows', 'import', folder.path, '--publish', '--json'];
    };
    const misspelt = await company.run(...packageWith({}));
    assert.deepEqual(
      [misspelt.code, misspelt.stderr],
      [0, "warning: /nodes/0/elements/0  Nothing fills the tag 'nmae'. (tag_unknown)\n"],
    );
    const refused = await company.run(...packageWith({ entry: 'b' }));
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /^The draft [\w-]{36} was made, and is not published\.$/m);
    assert.match(refused.stderr, /^error: The definition has the issues above\.$/m);
  });

  test('starts a run, watches it to its end, and lists its documents', async () => {
    using folder = temporaryFolder();
    const [mira] = JSON.parse(
      `[${(await symbolon(['connections', '--json', '--limit', '1', ...config])).stdout}]`,
    );
    const started = await symbolonProcess([
      'flows',
      'start',
      flowId,
      '--connection',
      mira.id,
      '--json',
      ...config,
    ]);
    assert.equal(started.code, 0, started.stderr);
    const run = JSON.parse(started.stdout);
    assert.equal(run.status, 'awaiting_tenant');
    const watch = new RunningCommand(['flows', 'watch', run.id, '--interval', '1', ...config]);
    await watch.line(/awaiting_tenant {2}About you/);

    const { client: person } = world.players.mira;
    await person.flows.processRun((await person.flows.run(run.id)).run, {
      tenant: () => ({ tenant_name: 'Mira Okafor', move_in: '2027-01-01' }),
    });
    await watch.line(/awaiting_landlord/);
    await using backend = DataClient.fromFile(world.credentials.config_file);
    await backend.flows.processRun((await backend.flows.run(run.id)).run, {
      offer: () => ({ landlord_name: 'Harbour Bikes', rent: '900' }),
    });
    await watch.line(/awaiting_signature/);
    const out = ['--out', folder.file('contracts'), '--json'];
    const documents = await symbolon(['flows', 'documents', run.id, ...out, ...config]);
    assert.deepEqual(
      documents.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
        .map(({ partyKey, status }) => [partyKey, status]),
      [
        ['tenant', 'ready_to_sign'],
        ['landlord', 'waiting'],
      ],
    );
    const file = readFileSync(folder.file('contracts/lease.pdf'));
    assert.equal(file.subarray(0, 5).toString(), '%PDF-');
    await person.flows.decline(run.id);
    const { code, stdout } = await watch.ended();
    assert.equal(code, 0);
    assert.match(stdout, /cancelled {2}[\w-]{36}\n$/);
  });

  test('is used wrongly in words', async () => {
    const [mira] = (await symbolon(['connections', '--json', '--limit', '1', ...config])).stdout.split('\n');
    const connection = ['--connection', JSON.parse(mira ?? '').id];
    const party = await symbolon(['flows', 'start', flowId, ...connection, '--bind', 'tenat=x', ...config]);
    assert.equal(party.code, 1);
    assert.match(party.stderr, /no party named tenat\. Use one of tenant, landlord\./);
    const tag = await symbolon(['flows', 'start', flowId, '--connection', 'x', '--tag', 'name', ...config]);
    assert.deepEqual([tag.code, tag.stderr], [2, 'error: It is --tag PARTY.FIELD=VALUE, not "name".\n']);
    const missing = await company.run('flows', 'import', '/nowhere/lease.zip');
    assert.deepEqual(
      [missing.code, missing.stderr],
      [1, 'error: /nowhere/lease.zip: there is no such file or folder.\n'],
    );
  });
});
