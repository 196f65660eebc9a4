import { randomBytes, sign, verify, type X509Certificate } from 'node:crypto';
import { PdfError } from '../errors.ts';
import type { Signer } from '../sign/cms.ts';
import { maySignDocuments, readCertificate } from '../verify/certificate.ts';

const DAY = 86_400_000;
const SHORTEST_RSA = 2048;
const CURVES = ['prime256v1', 'secp384r1', 'secp521r1'];

export interface CertificateState {
  readonly name: string;
  readonly issuer: string;
  readonly expiresAt: Date;
  /** Whole days; the certificate that expires first, of the seal's own and those above it, counts. */
  readonly daysLeft: number;
}

/**
 * Tries whether the certificate can seal now.
 * @param now milliseconds
 * @throws {PdfError} certificate_unusable, with the reason
 */
export function checkSigner({ privateKey, certificate, chain }: Signer, now: number): CertificateState {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = privateKey;
  const length = details?.modulusLength ?? 0;
  if (type !== 'rsa' && type !== 'ec')
    throw unusable(`Keys of the type ${type} cannot seal: use RSA or P-256.`);
  if (type === 'rsa' && length < SHORTEST_RSA) throw unusable(`An RSA key of ${length} bits is too short.`);
  if (type === 'ec' && !CURVES.includes(details?.namedCurve ?? '')) {
    throw unusable(`Keys on the curve ${details?.namedCurve} cannot seal: use P-256.`);
  }
  const probe = randomBytes(32);
  if (!verify('sha256', probe, certificate.publicKey, sign('sha256', probe, privateKey))) {
    throw unusable('The private key does not belong to the certificate.');
  }
  const own = readCertificate(certificate.raw);
  const { name, issuer, from } = own;
  if (!maySignDocuments(own))
    throw unusable(
      'The certificate is not for signatures on documents: verifiers would not trust its seals.',
    );
  if (from.getTime() > now) throw unusable(`The certificate is valid from ${from.toISOString()} on.`);
  const expiresAt = new Date(Math.min(...[certificate, ...chain].map(expiry)));
  if (expiresAt.getTime() <= now)
    throw unusable(`The certificate has expired on ${expiresAt.toISOString()}.`);
  return { name, issuer, expiresAt, daysLeft: Math.floor((expiresAt.getTime() - now) / DAY) };
}

function expiry(certificate: X509Certificate): number {
  return certificate.validToDate.getTime();
}

function unusable(message: string): PdfError {
  return new PdfError('certificate_unusable', { message });
}
