import { generatePassphrase } from '@symbolon/crypto';
import type { AccountPrivateKey, ActProof, PresenceProof } from '@symbolon/protocol';
import { proofMembers } from '../sign-in-means.ts';
import { portalCall, portalFileCall } from './inner/api.ts';

const ACCOUNT_KEY = '/api/account-key';
/** What the proof of an admin is for. */
export const ACCOUNT_KEY_ACT = `POST ${ACCOUNT_KEY}`;

/** The key that opens what webhooks send sealed, under a passphrase that is made here. */
export async function accountKeyFiles(
  proof: PresenceProof,
): Promise<{ privateKeyPem: string; passphrase: string }> {
  const passphrase = generatePassphrase();
  const json = { passphrase, ...proofMembers(proof) };
  const { private_key_pem: pem } = await portalCall<AccountPrivateKey>('POST', ACCOUNT_KEY, json);
  return { privateKeyPem: pem, passphrase };
}

const pemAt = (serviceId: string) => `/api/services/${serviceId}/private-key.pem`;
/** What the proof of a developer is for. */
export const servicePemAct = (serviceId: string): string => `GET ${pemAt(serviceId)}`;

/**
 * The private key of a service as the platform keeps it: encrypted under the passphrase that its company has.
 * @throws SymbolonError `services.private_key_pem_missing` where none was sent
 */
export async function servicePem(serviceId: string, proof: PresenceProof): Promise<Blob> {
  const json = { for: servicePemAct(serviceId), ...proofMembers(proof) };
  const given = await portalCall<ActProof>('POST', '/api/account/proofs', json);
  const { bytes } = await portalFileCall({
    method: 'GET',
    path: pemAt(serviceId),
    accept: 'application/x-pem-file',
    headers: { [`x-${headerWord()}-proof`]: given.proof },
  });
  return new Blob([bytes], { type: 'application/x-pem-file' });
}

/** The word in the names of the platform's headers, as it stands in the head of the page. */
function headerWord(): string {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="symbolon-header-word"]');
  if (meta === null) throw new Error('The page does not say how the headers of its platform are called.');
  return meta.content;
}
