import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import forge from 'node-forge';
import { PdfError } from '../errors.ts';
import type { Signer } from '../sign/cms.ts';

/** How many certificates beside its own a seal may carry. */
const LONGEST_CHAIN = 8;

/**
 * Reads a PKCS#12 file, as `openssl pkcs12 -export` and Windows write it (AES as well as 3DES and RC2).
 * @throws {PdfError} certificate_unusable, with the reason
 */
export function signerFromPkcs12(bytes: Uint8Array, password: string): Signer {
  const bags = open(bytes, password);
  const keys = bags.filter(
    ({ type }) => type === forge.pki.oids.pkcs8ShroudedKeyBag || type === forge.pki.oids.keyBag,
  );
  const certificates = bags.filter(({ type }) => type === forge.pki.oids.certBag);
  const [key, ...others] = keys.map((bag) =>
    derOf(bag, bag.key && forge.pki.wrapRsaPrivateKey(forge.pki.privateKeyToAsn1(bag.key))),
  );
  if (!key || others.length > 0)
    throw unusable(`The PKCS#12 file must hold one private key, it holds ${keys.length}.`);
  return arrange(
    createPrivateKey({ key, format: 'der', type: 'pkcs8' }),
    certificates.map(
      (bag) => new X509Certificate(derOf(bag, bag.cert && forge.pki.certificateToAsn1(bag.cert))),
    ),
  );
}

function open(bytes: Uint8Array, password: string): forge.pkcs12.Bag[] {
  try {
    const asn1 = forge.asn1.fromDer(forge.util.createBuffer(Buffer.from(bytes).toString('binary')));
    const bags = (file: forge.asn1.Asn1, word: string) =>
      forge.pkcs12.pkcs12FromAsn1(file, false, word).safeContents.flatMap(({ safeBags }) => safeBags);
    try {
      return bags(asn1, password);
    } catch (error) {
      const parts = asn1.value;
      if (/^[\x20-\x7e]*$/.test(password) || typeof parts === 'string') throw error;
      // Newer ciphers take the password as UTF-8, the checksum takes it as UTF-16, the library knows one way at a time: without
      // the checksum, the ciphers and the match of key and certificate tell whether the password is right.
      return bags({ ...asn1, value: parts.slice(0, 2) }, Buffer.from(password, 'utf8').toString('binary'));
    }
  } catch (cause) {
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

/** The library decodes RSA keys and certificates and leaves others as they are. */
function derOf(bag: forge.pkcs12.Bag, decoded: forge.asn1.Asn1 | undefined): Buffer {
  return Buffer.from(forge.asn1.toDer(decoded ?? bag.asn1).getBytes(), 'binary');
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
