import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { verifyPdf } from '@symbolon/pdf/verify';
import type { Plugin } from '@symbolon/protocol';
import {
  DataClient,
  type DataClientOptions,
  FlowFileHandle,
  type FlowFill,
  MemoryKeyStore,
} from '@symbolon/sdk';
import { CustomerClient } from '@symbolon/sdk/customer';
import { documentActs, PersonClient } from '@symbolon/sdk/person';
import { PortalClient } from '@symbolon/sdk/portal';
import { textOfPdf } from '@symbolon/sdk/verify';
import {
  damageReport,
  leaseContract,
  type PackageSource,
  packageOf,
  textPdf,
} from '@symbolon/testkit/actors/flow-packages';
import { mailedCode } from '@symbolon/testkit/actors/portal-logins';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { temporaryFolder } from '@symbolon/testkit/folder';
import { plainPdf } from '@symbolon/testkit/pdf/samples';
import { onPlatform } from '@symbolon/testkit/platform/platform';
import { handleChange, startContract } from '../../examples/contract-flow/contract.ts';

/* The SDK of each side against the real platform. */

const PASSWORD = 'correct horse battery';

/** The company's step of `damageReport`. */
type Decide = {
  readonly nodes: readonly [
    {
      readonly key: 'decide';
      readonly elements: readonly [
        {
          readonly slug: 'decision';
          readonly required: true;
          readonly options: readonly [{ readonly value: 'repair' }, { readonly value: 'refuse' }];
        },
      ];
    },
  ];
};

onPlatform('flows by the SDK', (platform) => {
  let portal: PortalClient;
  let client: DataClient;
  let access: DataClientOptions;
  let service: { id: string; code: string; companyCode: string };
  const OWNER = 'flows.owner@example.com';
  before(async () => {
    const baseUrl = platform().url;
    const account = { baseUrl, name: 'Homes', email: OWNER, password: PASSWORD };
    ({ client: portal } = await PortalClient.register(account));
    const made = await portal.createService({ name: 'Rent', adminEmail: 'ops@example.com' });
    const { id } = made.service;
    await portal.publishRequestFields(id, [{ slug: 'first_name', label: 'First name', type: 'text' }]);
    const { company_code: companyCode } = await portal.account();
    service = { id, code: made.service.share_code ?? '', companyCode };
    const { client_id: clientId, client_secret: clientSecret } = await portal.registerDataClient(id);
    const privateKey = { pem: made.pem, passphrase: made.passphrase };
    access = { url: baseUrl, clientId, clientSecret, privateKey, threads: 1 };
    client = new DataClient(access);
  });

  async function published(source: PackageSource, form?: 'older'): Promise<string> {
    const zip = await packageOf(source, form);
    const { id: flowId } = await portal.flows.import(service.id, new Uint8Array(zip));
    assert.equal(await portal.flows.publish({ serviceId: service.id, flowId }), 1);
    return flowId;
  }

  let people = 0;
  async function connected() {
    const email = `tenant${++people}.flows@example.com`;
    const login = { baseUrl: platform().url, email, password: PASSWORD };
    const { client: person } = await PersonClient.register({ ...login, displayName: 'Ada' });
    const { connection_id: connectionId } = await person.connect(service.companyCode, service.code, {
      first_name: { value: 'Ada' },
    });
    const { person_user_id: userId } = person.person;
    return { person, email, userId, connectionId };
  }

  test('a run goes from its start to its end, and each party sees what is its own', async () => {
    const flowId = await published(damageReport);
    const { person, connectionId } = await connected();
    const [listed] = await client.flows.list();
    proves('route:GET /api/company-data/flows');
    assert.deepEqual([listed?.id, listed?.version], [flowId, 1]);
    for (const misspelt of [
      { bindings: { tenat: { connectionId } } },
      { tags: { 'tenat.first_name': 'Ada' } },
      {
        files: {
          'conn:tenant:lease': { bytes: new Uint8Array(1), name: 'x.pdf', mimeType: 'application/pdf' },
        },
      },
    ])
      await assert.rejects(client.flows.start(flowId, { connectionId, ...misspelt }), {
        errorKey: 'sdk.flow_start_invalid',
        message: /^The flow has no .* named (tenat|tenat\.first_name|conn:tenant:lease)\./,
      });
    const run = await client.flows.start(flowId, { connectionId });
    assert.equal(run.status, 'awaiting_tenant');
    const [theirs] = await person.flows.list();
    const opened = await person.flows.run(theirs?.id ?? '');
    assert.equal(opened.tagValues.get('tenant.first_name'), 'Ada');
    assert.equal(opened.step?.key, 'report');
    await assert.rejects(person.flows.answer(opened, { room: 'cellar', what: 'Water' }), {
      errorKey: 'sdk.answers_invalid',
    });
    await assert.rejects(person.flows.answer(opened, { room: 'bath' }), (error: never) => {
      const { details } = error as { details: { issues: { code: string; slug: string }[] } };
      assert.deepEqual(
        details.issues.map(({ code, slug }) => [code, slug]),
        [['required', 'what']],
      );
      return true;
    });
    await assert.rejects(person.flows.answer(opened, { unknown: 'x' }), {
      errorKey: 'flows.answer_unknown',
    });
    const second = await person.flows.answer(opened, { room: 'bath', what: 'Water', cost: 900 });
    assert.equal(second.step?.key, 'urgent');
    const third = await person.flows.answer(second, { visit: '2026-12-01' });
    assert.deepEqual([third.step, third.run.status], [null, 'awaiting_company']);
    await assert.rejects(person.flows.answer(third, {}), { errorKey: 'flows.not_your_turn' });

    const seen: unknown[] = [];
    const done = await Array.fromAsync(
      client.flows.process(
        {
          decide: ({ answers, values }) => {
            seen.push(answers.what, values.get('cost'), String(answers.visit));
            return { decision: 'repair' };
          },
        },
        { flowId },
      ),
    );
    assert.deepEqual(seen, ['Water', '900', '2026-12-01']);
    assert.deepEqual(
      done.map((one) => ('open' in one ? one.open.run.status : one.error)),
      ['completed'],
    );
    const last = await client.flows.run(run.id);
    assert.deepEqual(
      { ...client.flows.answers(last), visit: null },
      {
        ...{ room: 'bath', what: 'Water', cost: '900', visit: null, decision: 'repair' },
      },
    );
    assert.deepEqual(await Array.fromAsync(client.flows.process({})), []);
  });

  test('a contract is made from a package, signed by both, and all hold the same sealed file', async (t) => {
    const { path: folder } = temporaryFolder(t);
    const follow = async () => {
      for (const event of await client.changes())
        await handleChange(client, await client.openChange(event), folder);
    };
    const flowId = await published(leaseContract);
    const { person, email, connectionId } = await connected();
    await follow();
    const run = { id: await startContract(client, flowId, connectionId) };
    await person.flows.processRun((await person.flows.run(run.id)).run, {
      tenant: () => ({ tenant_name: 'Ada Lovelace', move_in: '2027-01-01' }),
    });
    await follow();
    const made = await client.flows.run(run.id);
    assert.deepEqual([made.run.status, made.values.get('rent')], ['awaiting_signature', '900.00']);

    const copies = await client.flows.documents(run.id);
    assert.deepEqual(
      copies.map(({ partyKey, outputKey, position }) => [partyKey, outputKey, position]),
      [
        ['tenant', 'lease', 1],
        ['landlord', 'lease', 2],
      ],
    );
    const [theirs, ours] = copies;
    assert.ok(theirs && ours);
    const contract = await person.documents.open(theirs.documentId);
    await person.presence.mailCode(documentActs.sign(contract));
    const proof = { password: PASSWORD, mailedCode: await mailedCode(platform(), email) };
    const ada = { firstName: 'Ada', lastName: 'Lovelace' };
    await assert.rejects(person.documents.sign(contract, ada, proof), {
      errorKey: 'sdk.document_not_compared',
    });
    await person.documents.sign(contract, ada, proof, { textOf: textOfPdf });

    const { bytes } = await client.flows.documentFile(run.id, 'lease');
    const pdf = new Uint8Array(bytes);
    const ref = { serviceId: service.id, flowId, runId: run.id, documentId: ours.documentId };
    await portal.runDocuments.mailCode(await portal.runDocuments.signAct(ref, pdf));
    const signer = { firstName: 'Grace', lastName: 'Hopper' };
    await assert.rejects(
      portal.runDocuments.sign(ref, pdf, { signer, compared: true, proof: { password: PASSWORD } }),
      {
        errorKey: 'auth.two_factor_required',
      },
    );
    const owners = { password: PASSWORD, mailedCode: await mailedCode(platform(), OWNER) };
    const signed = await portal.runDocuments.sign(ref, pdf, {
      ...{ signer, proof: owners, open: made, textOf: textOfPdf },
    });
    assert.equal(signed.action, 'signed');
    await follow();
    const sealed = readFileSync(join(folder, `${run.id}-lease.pdf`));
    const { content } = await person.documents.open(theirs.documentId);
    assert.ok(content.kind === 'file' && sealed.equals(content.file.bytes), 'both hold the same file');
    const found = await verifyPdf(sealed);
    assert.deepEqual(
      found.facts?.acts.map(({ name }) => name),
      ['Ada Lovelace', 'Grace Hopper'],
    );
  });

  test('files are sealed for everybody, and a document is made from one that was answered', async () => {
    const source = structuredClone(leaseContract);
    const [tenant, offer] = source.definition.nodes;
    tenant!.elements.push({
      ...{ kind: 'field', slug: 'paper', field_type: 'pdf_document', label: 'Paper', required: true },
    });
    offer!.outputs![0]!.rules = [{ source_field: 'paper' }];
    const flowId = await published({ definition: source.definition, assets: {} });
    const { person, connectionId } = await connected();
    const run = await client.flows.start(flowId, { connectionId });
    const file = { name: 'paper.pdf', mimeType: 'application/pdf', bytes: plainPdf({ pages: 1 }) };
    const opened = await person.flows.run(run.id);
    const answers = { tenant_name: 'Ada', move_in: '2027-01-01' };
    await assert.rejects(person.flows.answer(opened, answers), { errorKey: 'sdk.answers_invalid' });
    let told = 0;
    await person.flows.answer(
      opened,
      { ...answers, paper: { file } },
      { privateSlugs: ['paper'], onProgress: () => told++ },
    );
    assert.ok(told > 0);
    const before = await client.flows.run(run.id);
    assert.deepEqual(before.run.private_slugs, ['paper']);
    const { paper } = client.flows.answers(before);
    assert.ok(paper instanceof FlowFileHandle);
    const [read] = (await paper.open()).files;
    assert.ok(read?.name === 'paper.pdf' && Buffer.from(file.bytes).equals(read.bytes));
    const made = await client.flows.processRun(before.run, {
      offer: () => ({ landlord_name: 'Grace', rent: '900' }),
    });
    assert.deepEqual([made.run.status, made.run.failure], ['awaiting_signature', null]);
    const { bytes } = await client.flows.documentFile(run.id, 'lease');
    assert.equal(Buffer.from(bytes).subarray(0, 5).toString(), '%PDF-');
    await client.flows.cancel(run.id);
    assert.deepEqual(
      (await client.flows.documents(run.id)).map(({ status }) => status),
      ['ended', 'ended'],
    );
  });

  test('an unreadable picture does not keep a contract from being made', async () => {
    const source = structuredClone(leaseContract);
    const [tenant, offer] = source.definition.nodes;
    tenant!.elements.push({
      ...{ kind: 'field', slug: 'face', field_type: 'photo', label: 'Face', required: true },
    });
    offer!.outputs![0]!.rules = [{ asset_key: 'lease' }];
    const assets = { lease: textPdf(['{{face}}', '{{tenant_name}}']) };
    const flowId = await published({ definition: source.definition, assets });
    const { person, connectionId } = await connected();
    const run = await client.flows.start(flowId, { connectionId });
    const bytes = new TextEncoder().encode('no picture');
    const face = { file: { name: 'face.png', mimeType: 'image/png', bytes } };
    const answers = { tenant_name: 'Ada', move_in: '2027-01-01', face };
    await person.flows.answer(await person.flows.run(run.id), answers);
    const made = await client.flows.processRun((await client.flows.run(run.id)).run, {
      offer: () => ({ landlord_name: 'Grace', rent: '900' }),
    });
    assert.deepEqual([made.run.status, made.run.failure], ['awaiting_signature', null]);
  });

  test('answers that cannot be right are not processed', async () => {
    const flowId = await published(damageReport);
    const { person, connectionId } = await connected();
    const run = await client.flows.start(flowId, { connectionId });
    const { step, state, ...opened } = await person.flows.run(run.id);
    // A party with a program of its own seals what it likes, and names the route that it likes.
    const definition = structuredClone(state.definition);
    const fields = definition.nodes[0]!.elements;
    definition.nodes[0]!.elements = fields.map((element) =>
      element.kind === 'field' && element.slug === 'room' ? { ...element, field_type: 'text' } : element,
    );
    const forged = { ...opened, step: definition.nodes[0]!, state: { ...state, definition } };
    await person.flows.answer(forged, { room: 'cellar', what: 'Water' });
    const wrong = await client.flows.run(run.id);
    assert.deepEqual(
      wrong.issues.map(({ slug }) => slug),
      ['room'],
    );
    let asked = 0;
    const fill = { decide: () => void asked++ };
    await assert.rejects(client.flows.processRun(wrong.run, fill), { errorKey: 'sdk.flow_answers_wrong' });
    const [done] = await Array.fromAsync(client.flows.process(fill, { flowId }));
    assert.ok(done && 'error' in done && done.id === run.id);
    assert.equal(asked, 0);
    assert.equal((await person.flows.decline(run.id)).status, 'cancelled');
  });

  test('two processes of a company answer a step once', async () => {
    const flowId = await published(damageReport);
    const { person, connectionId } = await connected();
    const empty: string[] = [];
    const run = await client.flows.start(flowId, {
      ...{ connectionId, tags: { 'tenant.first_name': ' ' } },
      onEmptyTags: (tags) => empty.push(...tags),
    });
    assert.deepEqual(empty, ['tenant.first_name']);
    await person.flows.answer(await person.flows.run(run.id), { room: 'bath', what: 'Water' });
    const waiting = (await client.flows.run(run.id)).run;
    // The types know the fields of a step, their options and which are required.
    // @ts-expect-error: `decison`
    const misspelt: FlowFill<Decide> = { decide: () => ({ decison: 'repair' }) };
    // @ts-expect-error: `mend`
    const mending: FlowFill<Decide> = { decide: () => ({ decision: 'mend' }) };
    const unknown = { errorKey: 'flows.answer_unknown' };
    await assert.rejects(client.flows.processRun<Decide>(waiting, misspelt), unknown);
    const invalid = { errorKey: 'sdk.answers_invalid' };
    await assert.rejects(client.flows.processRun<Decide>(waiting, mending), invalid);
    const ends = await Promise.all(
      ['repair', 'refuse'].map((decision) =>
        client.flows.processRun(waiting, { decide: () => ({ decision }) }),
      ),
    );
    assert.deepEqual(
      ends.map((end) => end.run.status),
      ['completed', 'completed'],
    );
    const [one, other] = ends.map((end) => client.flows.answers(end).decision);
    assert.equal(one, other);
  });

  test('a company that is a customer answers too, and a plugin computes what is sealed for all', async () => {
    const { token } = portal.session;
    const { plugin } = await platform().must('POST', '/api/account/plugins/builtin/calculator', { token });
    const buyer = { name: 'Buyer', email: 'flows.buyer@example.com', password: PASSWORD };
    const { client: owner } = await PortalClient.register({ baseUrl: platform().url, ...buyer });
    const robot = await owner.createAccountClient({ name: 'ERP', capabilities: ['customer_connections'] });
    const { private_key_pem: pem } = await owner.accountKey({ password: PASSWORD }, 'of the account key');
    const customer = new CustomerClient({
      ...{ url: platform().url, clientId: robot.client_id, clientSecret: robot.client_secret },
      accountKey: { pem, passphrase: 'of the account key' },
    });
    const { id: connectionId } = await customer.connect(service.companyCode, service.code, {
      first_name: { value: 'Buyer' },
    });
    const { company_user_id: buyerId } = await owner.account();
    const { person, connectionId: personsConnection } = await connected();
    const flowId = await published({ definition: weighing(plugin), assets: {} });
    const { id } = await client.flows.start(flowId, {
      connectionId: personsConnection,
      bindings: { buyer: buyerId },
      tags: { 'buyer.nick': { value: 'The buyer', private: true } },
    });

    const file = { name: 'note.pdf', mimeType: 'application/pdf', bytes: plainPdf({ pages: 1 }) };
    const told = await person.flows.run(id);
    await person.flows.answer(told, { weight: 12.5, kinds: ['a', 'b'], note: { file } });
    const [waiting] = await customer.flows.list(connectionId);
    assert.equal(waiting?.id, id);
    const seen = await customer.flows.run({ connectionId, runId: id });
    assert.deepEqual([...seen.tagValues], [['buyer.nick', 'The buyer']]);
    const { weight, kinds, note } = customer.flows.answers(seen);
    assert.deepEqual([weight, kinds], ['12.5', ['a', 'b']]);
    assert.ok(note instanceof FlowFileHandle);
    const [read] = (await note.open()).files;
    assert.ok(read && Buffer.from(file.bytes).equals(read.bytes));
    await customer.flows.processRun(seen.run, { count: () => ({ pieces: 4, remark: null }) });

    const asking = await client.flows.run(id);
    const wrong = { errorKey: 'sdk.answers_invalid' };
    await assert.rejects(client.flows.answer(asking, {}), wrong);
    const sum = { blocks: { formula: 'a * b' } };
    const done = await client.flows.processRun(asking.run, {
      sum: () => ({ sum }),
    });
    assert.deepEqual([done.run.status, done.values.get('sum.result')], ['completed', 50]);
    const theirs = await customer.flows.run({ connectionId, runId: id });
    assert.equal(theirs.values.get('sum.result'), 50);
    assert.equal((await person.flows.run(id)).values.get('remark'), undefined);
    await assert.rejects(customer.flows.decline({ connectionId, runId: id }), {
      errorKey: 'flows.run_ended',
    });
  });

  test('nothing is sealed to a key that changed', async () => {
    const flowId = await published(damageReport);
    const { person, connectionId, userId } = await connected();
    const { id } = await client.flows.start(flowId, { connectionId });
    await person.flows.answer(await person.flows.run(id), { room: 'bath', what: 'Water' });
    const knownKeys = new MemoryKeyStore();
    await knownKeys.remember({ [`person ${userId}`]: '00'.repeat(32) });
    await using careful = new DataClient({ ...access, knownKeys });
    const opened = await careful.flows.run(id);
    const changed = { errorKey: 'sdk.person_key_changed' };
    await assert.rejects(careful.flows.answer(opened, { decision: 'repair' }), changed);
    await assert.rejects(careful.flows.start(flowId, { connectionId }), changed);
    const without = new DataClient({ ...access, privateKey: undefined });
    await assert.rejects(without.flows.run(id), { errorKey: 'sdk.key_missing' });
    assert.equal((await client.flows.run(id)).run.status, 'awaiting_company');
    await client.flows.cancel(id);
  });
});

/** A person weighs, a customer counts, and the company has a plugin multiply. */
function weighing({ id, name, field_types: types }: Plugin) {
  const [{ key: _, ...members }] = types as [Plugin['field_types'][number]];
  const field = { kind: 'field', required: true } as const;
  return {
    name: 'Weighing',
    output_mode: 'data_only' as const,
    entry: 'weigh',
    parties: [
      { key: 'person', label: 'Person' },
      { key: 'buyer', label: 'Buyer' },
      { key: 'shop', label: 'Shop', type: 'owner' },
    ],
    nodes: [
      {
        key: 'weigh',
        party: 'person',
        title: 'Weigh',
        elements: [
          { ...field, slug: 'weight', field_type: 'decimal', label: 'Weight' },
          {
            ...{ ...field, slug: 'kinds', field_type: 'multiselect', label: 'Kinds' },
            options: ['a', 'b'].map((value) => ({ value, label: value })),
          },
          { ...field, slug: 'note', field_type: 'pdf_document', label: 'Note' },
        ],
      },
      {
        key: 'count',
        party: 'buyer',
        title: 'Count',
        elements: [
          { kind: 'text' as const, body: 'Dear {{ buyer.nick }}' },
          { ...field, slug: 'pieces', field_type: 'integer', label: 'Pieces' },
          {
            ...{ ...field, slug: 'remark', field_type: 'text', label: 'Remark' },
            ...{ required: false, default: 'none' },
          },
        ],
      },
      {
        key: 'sum',
        party: 'shop',
        title: 'Sum',
        elements: [
          {
            kind: 'plugin' as const,
            slug: 'sum',
            label: 'Sum',
            required: true,
            plugin: {
              plugin_id: id,
              field_type: 'formula',
              snapshot: { plugin_name: name ?? '', ...members },
              inputs: { a: 'weight', b: 'pieces' },
            },
          },
        ],
      },
    ],
    edges: [
      { from: 'weigh', to: 'count', condition: null },
      { from: 'count', to: 'sum', condition: null },
    ],
  };
}
