import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  buildFileEnvelope,
  generateKeyPair,
  importPrivateKey,
  sealValue,
  serializeWrapper,
} from '@symbolon/crypto';
import { systemRegistry } from '@symbolon/field-types';
import { textPdf } from '@symbolon/testkit/actors/flow-packages';
import type { Api } from '../http/api.ts';
import type { Call } from '../http/transport.ts';
import { textOfPdf } from '../verify/pdf-text.ts';
import { CustomerDocuments } from './customer-documents.ts';
import type { PortalLogin } from './portal-login.ts';

const pair = await generateKeyPair();
const accountKey = await importPrivateKey(pair.privateKey);
const ref = { connectionId: 'group', documentId: 'lease' };
const CONNECTION = '/api/company-connections/group';

/** A run in which the landlord answered a rent of 90, as the company that is a customer reads it. */
async function answeredRun() {
  const rent = serializeWrapper(await sealValue('90', pair.publicKey));
  const field = { kind: 'field', slug: 'rent', label: 'The rent', field_type: 'decimal', required: true };
  return {
    status: 'awaiting_signature',
    current_node: null,
    reference_date: '2026-11-23',
    bindings: { landlord: 'owner', tenant: 'buyer' },
    answers: [{ slug: 'rent', for_user_id: 'buyer', value: rent }],
    owner_tag_values: {},
    tag_values: null,
    participants: [
      { person_user_id: 'owner', connection_id: null, documents: [] },
      {
        person_user_id: 'buyer',
        connection_id: 'group',
        documents: [{ document_id: 'lease', output_key: 'lease' }],
      },
    ],
    connection_id: 'group',
    definition: {
      ...{ name: 'Lease', output_mode: 'document', entry: 'offer', edges: [], constants: [] },
      parties: [{ key: 'landlord', label: 'Landlord', type: 'owner' }],
      nodes: [
        {
          ...{ key: 'offer', party: 'landlord', title: 'Offer', elements: [field] },
          outputs: [{ key: 'lease', name: 'Lease', rules: [{ asset_key: 'lease' }], signers: [] }],
        },
      ],
    },
  };
}

/** The documents of a company whose copy of a contract says something; and what it signed. */
async function contractThatSays(line: string) {
  const file = { bytes: textPdf([line]), mimeType: 'application/pdf', originalName: 'lease.pdf' };
  const value = await sealValue(buildFileEnvelope({ file }), pair.publicKey);
  const document = {
    ...{ id: 'lease', payload_kind: 'file', broadcast: false, value: {}, name: 'Lease', signatures: [] },
    ...{ sealed_at: null, plain_sha256: null, sealed_sha256: null, metadata: { flow_run_id: 'run' } },
  };
  const run = await answeredRun();
  const acts: string[] = [];
  const api = {
    async json({ method, path }: Call) {
      if (path === CONNECTION) return { id: 'group', company: {}, services: [], documents: [document] };
      if (path === `${CONNECTION}/flow-runs/run`) return run;
      acts.push(`${method} ${path}`);
      return document;
    },
    async send() {
      return { bytes: new TextEncoder().encode(JSON.stringify({ encrypted: true, value })) };
    },
  } as unknown as Api;
  const login = { prove: async () => ({ kind: 'password' }) } as unknown as PortalLogin;
  const documents = new CustomerDocuments(api, login, async () => systemRegistry);
  return { documents, opened: await documents.open(ref, accountKey), acts };
}

const signer = { firstName: 'Ada', lastName: 'Lovelace' };
const proof = { password: 'correct horse battery' };

test('a contract of a run is compared with the answers before a company as a customer signs or accepts it', async () => {
  const { documents, opened, acts } = await contractThatSays('The rent is 1 a month.');
  const differs = {
    errorKey: 'sdk.document_differs',
    details: { answers: [{ key: 'rent', label: 'The rent', text: '90' }] },
  };
  await assert.rejects(documents.sign(opened, signer, proof, { textOf: textOfPdf }), differs);
  await assert.rejects(documents.accept(opened, undefined, { textOf: textOfPdf }), differs);
  const blind = { errorKey: 'sdk.document_not_compared' };
  await assert.rejects(documents.sign(opened, signer, proof), blind);
  await assert.rejects(documents.accept(opened), blind);
  assert.deepEqual(acts, []);
  await documents.sign(opened, signer, proof, { compared: true });
  assert.deepEqual(acts, [`POST ${CONNECTION}/documents/lease/sign`]);
});

test('a contract that says what was answered is signed', async () => {
  const { documents, opened, acts } = await contractThatSays('The rent is 90 a month.');
  await documents.sign(opened, signer, proof, { textOf: textOfPdf });
  await documents.accept(opened, undefined, { textOf: textOfPdf });
  assert.equal(acts.length, 2);
});
