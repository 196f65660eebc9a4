import { createHash } from 'node:crypto';
import { buildFileEnvelope, parseFileEnvelope } from '@symbolon/crypto';
import type { Answer, Callable } from '../platform/calls.ts';
import { openSealed, sealed, type TestPerson } from './actors.ts';
import type { SoftwareAuthenticator } from './authenticator.ts';
import { passkeyProof } from './passkeys.ts';

/** A contract as the tests of acts know it. */
export interface TestContract {
  readonly id: string;
  readonly pdf: Uint8Array;
  /** Of the file. */
  readonly digest: string;
}

export const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Issues a contract with a file to one customer. */
export async function issueContract(
  platform: Callable,
  {
    token,
    target,
    pdf,
    more = {},
  }: {
    /** Of the service's data client. */
    token: string;
    target: object;
    pdf: Uint8Array;
    more?: object;
  },
): Promise<TestContract> {
  const digest = digestOf(pdf);
  const { id } = await platform.must('POST', '/api/company-data/documents', {
    token,
    body: {
      kind: 'agreement',
      name: 'Lease',
      payload_kind: 'file',
      requires_signature: true,
      target,
      plain_sha256: digest,
      ...more,
    },
  });
  const envelope = buildFileEnvelope({
    file: { bytes: pdf, mimeType: 'application/pdf', originalName: 'lease.pdf' },
  });
  await platform.must('POST', `/api/company-data/documents/${id}/file`, {
    token,
    body: { value: await sealed(envelope) },
  });
  return { id, pdf, digest };
}

/** Signs by a passkey, with the file, unless the body says otherwise. */
export async function signBy(
  platform: Callable,
  person: TestPerson,
  { id, pdf, digest }: TestContract,
  authenticator: SoftwareAuthenticator,
  more: object = {},
): Promise<Answer> {
  const proof = await passkeyProof(platform, person.token, `sign document ${id} ${digest}`, authenticator);
  const body = {
    content_sha256: digest,
    first_name: 'Ada',
    last_name: 'Lovelace',
    proof,
    pdf: Buffer.from(pdf).toString('base64'),
    ...more,
  };
  return platform.call('POST', `/api/person/documents/${id}/sign`, { token: person.token, body });
}

/** The bytes in a sealed copy of a file, as a route gives it. */
export async function bytesIn(answer: { value: unknown }): Promise<Uint8Array> {
  const envelope = parseFileEnvelope(await openSealed(answer.value as string));
  if (envelope.kind !== 'file') throw new Error(`an envelope of ${envelope.kind}`);
  return envelope.file.bytes();
}
