import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { PdfError } from '../errors.ts';
import type { Signer } from '../sign/cms.ts';
import { openPkcs12 } from './pkcs12/open.ts';

/** How many certificates beside its own a seal may carry. */
const LONGEST_CHAIN = 8;

/**
 * Reads a PKCS#12 file, as `openssl pkcs12 -export` and Windows write it (AES as well as 3DES).
 * @throws {PdfError} certificate_unusable, with the reason
 */
export function signerFromPkcs12(bytes: Uint8Array, password: string): Signer {
  const { keys, certificates } = open(bytes, password);
  const [key, ...others] = keys;
  if (!key || others.length > 0)
    throw unusable(`The PKCS#12 file must hold one private key, it holds ${keys.length}.`);
  return arrange(key, certificates);
}

function open(bytes: Uint8Array, password: string) {
  try {
    const { keys, certificates } = openPkcs12(bytes, password);
    return {
      keys: keys.map((key) => createPrivateKey({ key: Buffer.from(key), format: 'der', type: 'pkcs8' })),
      certificates: certificates.map((der) => new X509Certificate(der)),
    };
  } catch (cause) {
    if (cause instanceof PdfError) throw cause;
    throw unusable('The PKCS#12 file cannot be opened: wrong password, or not such a file.', cause);
  }
}

/** @throws {PdfError} certificate_unusable */
export function signerFromPem(privateKey: string, certificates: string): Signer {
  const parts = certificates.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  try {
    return arrange(
      createPrivateKey(privateKey),
      parts.map((part) => new X509Certificate(part)),
    );
  } catch (cause) {
    if (cause instanceof PdfError) throw cause;
    throw unusable('The private key or the certificates are no PEM that can be read.', cause);
  }
}

/** Finds the key's certificate and those above it, leaving out the root: verifiers have it or do not trust it. */
function arrange(privateKey: KeyObject, certificates: readonly X509Certificate[]): Signer {
  const certificate = certificates.find((candidate) => candidate.checkPrivateKey(privateKey));
  if (!certificate) throw unusable('None of the certificates belongs to the private key.');
  const chain: X509Certificate[] = [];
  let last = certificate;
  while (chain.length < LONGEST_CHAIN) {
    const issuer = certificates.find((candidate) => candidate !== last && last.checkIssued(candidate));
    if (!issuer || issuer.checkIssued(issuer) || chain.includes(issuer)) break;
    chain.push(issuer);
    last = issuer;
  }
  return { privateKey, certificate, chain };
}

function unusable(message: string, cause?: unknown): PdfError {
  return new PdfError('certificate_unusable', { message, cause });
}
