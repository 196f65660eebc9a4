import { generateKeyPairSync } from 'node:crypto';
import { type Issued, issue } from '../../../pdf/src/certificates/issue.ts';
import type { Signer } from '../../../pdf/src/sign/cms.ts';
import { SEALED_AT } from './facts.ts';

const DAY = 86_400_000;
const FROM = new Date(SEALED_AT - 400 * DAY);
const TO = new Date(SEALED_AT + 3650 * DAY);

/** A root, an authority under it, and what they issue. */
export interface Pki {
  readonly root: Issued;
  readonly authority: Issued;
  readonly signer: Signer;
  readonly timestamps: Issued;
}

/** @param addresses where the authorities say that revocation data are */
export function createPki(
  addresses: { crl?: string; ocsp?: string } = {},
  keyType: 'ec' | 'rsa' = 'ec',
): Pki {
  const times = { from: FROM, to: TO };
  const root = issue({ name: 'Test root', purpose: 'authority', ...times });
  const rootCrl = addresses.crl && { crl: `${addresses.crl}/root` };
  const authority = issue({
    name: 'Test authority',
    purpose: 'authority',
    ...times,
    issuer: root,
    ...rootCrl,
  });
  const leafCrl = addresses.crl && { crl: `${addresses.crl}/authority` };
  const below = { ...times, issuer: authority, ...leafCrl, ...(addresses.ocsp && { ocsp: addresses.ocsp }) };
  const keys = keyType === 'rsa' && { keys: generateKeyPairSync('rsa', { modulusLength: 2048 }) };
  const seal = issue({ name: 'Symbolon seal', purpose: 'seal', ...below, ...keys });
  const timestamps = issue({ name: 'Test timestamps', purpose: 'timestamps', ...below });
  return {
    root,
    authority,
    timestamps,
    signer: { privateKey: seal.privateKey, certificate: seal.certificate, chain: [authority.certificate] },
  };
}
