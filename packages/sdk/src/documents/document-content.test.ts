import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { buildFileEnvelope, generateKeyPair, importPrivateKey, sealValue } from '@symbolon/crypto';
import type { CustomerDocument } from '@symbolon/protocol';
import { documentContent } from './document-content.ts';

const sha256 = (content: string | Uint8Array) => hash('sha256', content, 'hex');
const bytes = new TextEncoder().encode('%PDF-1.7 lease');
const { publicKey, privateKey: pkcs8 } = await generateKeyPair();
const key = await importPrivateKey(pkcs8);
const envelope = buildFileEnvelope({
  file: { originalName: 'lease.pdf', mimeType: 'application/pdf', bytes },
});

const document = (members: Partial<CustomerDocument>): CustomerDocument => ({
  id: 'd-1',
  kind: 'agreement',
  name: 'Lease',
  description: null,
  status: 'ready_to_sign',
  payload_kind: 'file',
  is_private: false,
  value: { _enc_file: 'lease.pdf' },
  metadata: {},
  requires_signature: true,
  requires_acceptance: false,
  plain_sha256: sha256(bytes),
  sealed_at: null,
  sealed_sha256: null,
  seal_level: null,
  signatures: [],
  changed_since_act: null,
  connection_id: 'c-1',
  broadcast: false,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  ...members,
});

async function contentOf(
  members: Partial<CustomerDocument>,
  served: string | Uint8Array<ArrayBuffer> = envelope,
) {
  const body =
    typeof served === 'string'
      ? new TextEncoder().encode(
          JSON.stringify({ encrypted: true, value: await sealValue(served, publicKey) }),
        )
      : served;
  const send = async () => ({ status: 200, headers: { get: () => null }, bytes: body });
  return documentContent({ api: { send }, key: () => key, address: '/d-1' }, document(members));
}

test('a file is opened with its name and type, and its digest is that of its bytes', async () => {
  const content = await contentOf({});
  assert.ok(content.kind === 'file');
  assert.deepEqual([content.file.name, content.file.mimeType], ['lease.pdf', 'application/pdf']);
  assert.ok(Buffer.from(content.file.bytes).equals(bytes));
  assert.equal(content.sha256, sha256(bytes));
});

test('a file that is not the one with the stored digest is refused, sealed or not', async () => {
  const mismatch = { errorKey: 'sdk.digest_mismatch' };
  const other = sha256('other');
  await assert.rejects(contentOf({ plain_sha256: other }), mismatch);
  const sealed = { sealed_at: '2026-01-02T00:00:00.000Z', plain_sha256: other };
  await assert.rejects(contentOf({ ...sealed, sealed_sha256: other }), mismatch);
  assert.equal((await contentOf({ ...sealed, sealed_sha256: sha256(bytes) })).kind, 'file');
});

test('the digest of a JSON document is that of the text that was sealed', async () => {
  const text = '{ "rent":  900 }';
  const json = { payload_kind: 'json', plain_sha256: null } as const;
  const content = await contentOf({ ...json, value: await sealValue(text, publicKey) });
  assert.deepEqual(content, { kind: 'json', value: { rent: 900 }, sha256: sha256(text) });
  const plain = await contentOf({ ...json, value: await sealValue('Just a text', publicKey) });
  assert.ok(plain.kind === 'json' && plain.value === 'Just a text');
});

test('what all customers have is taken as it is', async () => {
  const value = { file: 'd-1.docx', original_name: 'Terms.docx', mime_type: 'application/x-docx', size: 14 };
  const content = await contentOf({ broadcast: true, plain_sha256: null, value }, bytes);
  assert.ok(content.kind === 'file');
  assert.deepEqual([content.file.name, content.file.mimeType], ['Terms.docx', 'application/x-docx']);
  const json = await contentOf({ broadcast: true, payload_kind: 'json', plain_sha256: null, value: [1] });
  assert.ok(json.kind === 'json' && Array.isArray(json.value));
});

test('what the key does not open, and what is no single file, is unreadable', async () => {
  const { publicKey: foreign } = await generateKeyPair();
  const unreadable = { errorKey: 'sdk.unreadable' };
  const value = await sealValue('{}', foreign);
  await assert.rejects(contentOf({ payload_kind: 'json', value }), unreadable);
  await assert.rejects(contentOf({}, '{"file":1}'), unreadable);
});
