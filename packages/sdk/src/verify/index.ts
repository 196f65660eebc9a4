import { decodeBase64 } from '@symbolon/crypto';
import { type Verification, verifyPdf } from '@symbolon/pdf/verify';
import type { SealCertificateList } from '@symbolon/protocol';
import { ConfigurationError } from '../http/errors.ts';

export type {
  Act,
  CertificateReport,
  SealedFacts,
  SignatureReport,
  Verdict,
  Verification,
} from '@symbolon/pdf/verify';
export { ConfigurationError } from '../http/errors.ts';

export { textOfPdf } from './pdf-text.ts';

/**
 * Reports what was signed in a PDF, by whom, and whether it is unchanged: what `symbolon verify` and the page `/verify` say. Nothing
 * is sent anywhere. Needs the package `@symbolon/pdf`. Works in Node and in browsers.
 *
 * @param options.roots the certificates that are trusted, in PEM: `roots` of `GET /api/seal/certificates`, fetched once over a
 * connection that you trust and kept. Without them the verdict is `untrusted` at best: it says nothing about who sealed
 * @param options.signers whose seals are trusted under the roots: SHA-256 of the certificate, or its name. Give it where the roots
 * are those of an authority that certifies others too
 * @param options.platform instead of both: what `GET /api/seal/certificates` of a platform answered, kept like the roots. Then the seals of
 * that platform alone are trusted
 * @param options.at the time at which certificates must be valid where no timestamp proves one; now, unless given
 * @throws ConfigurationError `sdk.certificate` for roots in which a certificate is missing or cannot be read
 *
 * @example
 * const { verdict, facts } = await verifyDocument(await readFile('lease.pdf'), { roots: await readFile('roots.pem', 'utf8') });
 * if (verdict === 'sealed') console.log(facts?.acts.map(({ name, action }) => `${action} by ${name}`));
 */
export async function verifyDocument(
  pdf: Uint8Array,
  {
    roots,
    signers,
    platform,
    at,
  }: {
    roots?: string | undefined;
    signers?: readonly string[] | undefined;
    platform?: SealCertificateList | undefined;
    at?: Date | undefined;
  } = {},
): Promise<Verification> {
  const ofPlatform = platform && (await trustedOf(platform));
  return verifyPdf(pdf, {
    ...ofPlatform,
    ...(roots !== undefined && { roots: await certificatesIn(roots) }),
    ...(signers && { signers }),
    ...(at && { at }),
  });
}

/** The seals of a platform: under its roots others may have certificates too. One that has sealed nothing has none. */
async function trustedOf({ certificates, roots }: SealCertificateList) {
  return {
    roots: roots.length === 0 ? [] : await certificatesIn(roots.map(({ pem }) => pem).join('\n')),
    // By name, too: a certificate that was renewed keeps it. One of another name stands among the roots itself.
    signers: [
      ...certificates.flatMap(({ name, sha256 }) => [name, sha256]),
      ...roots.map(({ sha256 }) => sha256),
    ],
  };
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----([^-]+)-----END CERTIFICATE-----/g;

/** The certificates in a text in PEM, as DER. */
async function certificatesIn(pem: string): Promise<Uint8Array[]> {
  const found = Array.from(pem.matchAll(CERTIFICATE), ([, body = '']) => body.replace(/\s+/g, ''));
  if (found.length === 0) throw refusal('There is no certificate in PEM.');
  try {
    const roots = found.map((body) => decodeBase64(body));
    // A root that is no certificate is refused by the reader of certificates.
    await verifyPdf(new Uint8Array(), { roots });
    return roots;
  } catch (cause) {
    throw refusal('A certificate cannot be read.', cause);
  }
}

const refusal = (message: string, cause?: unknown) =>
  new ConfigurationError({ errorKey: 'sdk.certificate', message, cause });
