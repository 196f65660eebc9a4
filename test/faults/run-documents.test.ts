import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FlowDefinition } from '@symbolon/protocol';
import { connect, registerPerson } from '@symbolon/testkit/actors/actors';
import { bytesIn, digestOf } from '@symbolon/testkit/actors/contracts';
import { bundle, publishPackage } from '@symbolon/testkit/actors/flow-documents';
import { textPdf } from '@symbolon/testkit/actors/flow-packages';
import { leaf, submitOf } from '@symbolon/testkit/actors/flow-runs';
import { openShop } from '@symbolon/testkit/actors/scenes';
import type { Callable } from '@symbolon/testkit/platform/calls';
import { drainAll } from '@symbolon/testkit/platform/drains';
import { engineOrAll } from '@symbolon/testkit/platform/engines';
import { openPlace } from '@symbolon/testkit/platform/places';
import { PlatformProcess, processScript } from '@symbolon/testkit/platform/process';
import { someOf } from '@symbolon/testkit/thoroughness';

const DYING = { script: processScript('dying') };
/** While documents are made, in order; the last one is after the commit. */
const MAKING = [...someOf(['copy after 1', 'create after'], 2), 'generate after'];
/** While the last act seals all copies; the last one is after the commit. */
const SEALING = [...someOf(['store-all after', 'advance after']), 'act after'];
const NOTE: FlowDefinition = {
  name: 'Note',
  output_mode: 'document',
  entry: 'tell',
  parties: [
    { key: 'client', label: 'Client' },
    { key: 'owner', label: 'Company', type: 'owner' },
  ],
  nodes: [
    {
      key: 'tell',
      party: 'client',
      title: 'Tell',
      elements: [{ kind: 'field', slug: 'word', field_type: 'text', label: 'Word', required: true }],
      outputs: [
        {
          key: 'note',
          name: 'Note',
          rules: [{ condition: null, asset_key: 'note' }],
          signers: [{ party: 'client', accept: true }, { party: 'owner' }],
        },
      ],
    },
  ],
  edges: [],
};

for (const engine of engineOrAll('sqlite')) {
  test(`a process that dies over the documents of a run leaves none or all, and one set (${engine})`, async () => {
    await using place = await openPlace(engine);
    const { environment } = place;
    await using platform = await PlatformProcess.create(environment);
    await platform.start();
    const { company, service, token } = await openShop(platform);
    const assets = { note: textPdf(['{{word}}']) };
    const flow = await publishPackage(platform, service, { definition: NOTE, assets });
    const person = await registerPerson(platform);
    const target = { connection_id: await connect(platform, person, service) };
    const ofPerson = (id: string, path: string) => `/api/person/flow-runs/${id}${path}`;
    const started = async () => {
      const body = { target, bindings: { client: person.id, owner: company.id } };
      const run = await platform.must('POST', `/api/company-data/flows/${flow}/runs`, { token, body });
      const submit = await submitOf(run, { word: 'x' }, leaf);
      await platform.must('POST', ofPerson(run.id, '/answers'), { token: person.token, body: submit });
      return run.id as string;
    };
    const generate = (platform: Callable, id: string) =>
      platform.call('POST', ofPerson(id, '/generate'), {
        token: person.token,
        body: bundle({ word: 'Ada' }),
      });
    const runs = new Map<string, string>();
    for (const step of MAKING) runs.set(step, await started());
    const toSeal = new Map<string, { id: string; run: string; pdf: Uint8Array }>();
    for (const step of SEALING) {
      const run = await started();
      const id = (await generate(platform, run)).body.document_id;
      const file = await platform.must('GET', `/api/person/documents/${id}/file`, { token: person.token });
      toSeal.set(step, { id, run, pdf: await bytesIn(file) });
    }
    const accept = (platform: Callable, { id, pdf }: { id: string; pdf: Uint8Array }) =>
      platform.call('POST', `/api/person/documents/${id}/accept`, {
        token: person.token,
        body: { content_sha256: digestOf(pdf), pdf: Buffer.from(pdf).toString('base64') },
      });
    await drainAll(platform, '/api/company-data/changes', token);
    await platform.stop();

    const die = async (step: string, act: (at: Callable) => Promise<unknown>) => {
      const dying = await PlatformProcess.create({ ...environment, SYMBOLON_FAULTS_DIE: step }, DYING);
      await dying.start();
      await assert.rejects(act(dying), `${step}: it died`);
      await dying.ended();
    };
    for (const [step, id] of runs) await die(step, (at) => generate(at, id));
    for (const [step, made] of toSeal) await die(step, (at) => accept(at, made));

    await platform.start();
    const read = (id: string) => platform.must('GET', `/api/company-data/flow-runs/${id}`, { token });
    const own = (id: string) => `/api/company-data/flow-runs/${id}/documents/note/file`;
    for (const [step, id] of runs) {
      const isDone = step === MAKING.at(-1);
      const before = await read(id);
      assert.equal(before.status, isDone ? 'awaiting_signature' : 'generating', step);
      const made = await generate(platform, id);
      assert.equal(made.status, 200, `${step} ${made.text}`);
      if (isDone) assert.equal(made.body.document_id, before.document_id, step);
      const after = await read(id);
      const copies = after.participants.flatMap(({ documents }: { documents: object[] }) => documents);
      assert.equal(copies.length, 2, `${step}: one set of documents`);
    }
    for (const [step, { id, run, pdf }] of toSeal) {
      const isDone = step === SEALING.at(-1);
      assert.equal((await read(run)).status, isDone ? 'completed' : 'awaiting_signature', step);
      if (!isDone) {
        const copy = await bytesIn(await platform.must('GET', own(run), { token }));
        assert.ok(Buffer.from(copy).equals(pdf), `${step}: the copy of the owner is as it was`);
      }
      const done = await accept(platform, { id, pdf });
      assert.deepEqual([done.status, done.body.status], [200, 'active'], `${step} ${done.text}`);
      assert.equal((await read(run)).status, 'completed', step);
      const copy = await bytesIn(await platform.must('GET', own(run), { token }));
      assert.equal(digestOf(copy), done.body.sealed_sha256, step);
    }
    const { total } = await platform.must('GET', '/api/company-data/documents', { token });
    assert.equal(total, MAKING.length + SEALING.length, 'a document of the person for each run');
    const told = await drainAll(platform, '/api/company-data/changes', token);
    const count = (name: string) => told.filter(({ event }) => event === name).length;
    assert.equal(count('document_created'), MAKING.length, 'each is delivered once');
    assert.equal(count('flow_completed'), SEALING.length);
  });
}
