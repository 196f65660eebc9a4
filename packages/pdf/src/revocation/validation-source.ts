import { AsnConvert } from '@peculiar/asn1-schema';
import {
  AuthorityInfoAccessSyntax,
  CRLDistributionPoints,
  id_ce_cRLDistributionPoints,
  id_pe_authorityInfoAccess,
} from '@peculiar/asn1-x509';
import { PdfError } from '../errors.ts';
import type { Signer } from '../sign/cms.ts';
import type { Ask } from '../sign/fetch.ts';
import type { ValidationData } from '../sign/prepared.ts';
import type { Token } from '../sign/timestamp-authority.ts';
import { hex } from '../verify/bytes.ts';
import { type ReadCertificate, readCertificate } from '../verify/certificate.ts';
import { readCrl } from './crl.ts';
import { ocspQuestion, readOcsp } from './ocsp.ts';
import type { Proof } from './proof.ts';

const OCSP = '1.3.6.1.5.5.7.48.1';
/** However long an authority says its word holds, it is asked again after a day. */
const LONGEST_USE = 86_400_000;
/** After an authority did not answer, it is left alone for so long, in milliseconds. */
const PAUSE = 60_000;

export interface ValidationSourceOptions {
  readonly signer: Signer;
  /** DER. The roots above the seal's certificate and above the timestamp authority's. */
  readonly roots: readonly Uint8Array[];
  readonly ask: Ask;
  /** Milliseconds. */
  readonly now: () => number;
}

/**
 * Gathers the certificates and what their authorities say of them, which a verifier needs to check offline. Answers
 * are kept as long as they hold.
 * @returns null when one of them cannot be had
 * @throws {PdfError} certificate_unusable when a certificate is revoked
 */
export function validationSource({ signer, roots, ask, now }: ValidationSourceOptions) {
  const trusted = roots.map(readCertificate);
  const own = [signer.certificate, ...signer.chain].map(({ raw }) => readCertificate(raw));
  const kept = new Map<string, { proof: Proof | undefined; until: number }>();

  return async (token: Token): Promise<ValidationData | null> => {
    const certificates = unique([...own, ...token.certificates, ...trusted]);
    const proofs: Proof[] = [];
    for (const certificate of certificates) {
      if (trusted.some(({ der }) => hex(der) === hex(certificate.der))) continue;
      const issuer = certificates.find(({ subjectKey }) => subjectKey === certificate.issuerKey);
      const proof = issuer && (await proofFor(certificate, issuer));
      if (!proof) return null;
      if (proof.revoked) {
        throw new PdfError('certificate_unusable', {
          message: `The certificate of ${certificate.name} is revoked.`,
        });
      }
      proofs.push(proof);
    }
    const of = (kind: Proof['kind']) => [
      ...new Map(proofs.filter((proof) => proof.kind === kind).map(({ der }) => [hex(der), der])).values(),
    ];
    return { certificates: certificates.map(({ der }) => der), ocsps: of('ocsp'), crls: of('crl') };
  };

  async function proofFor(certificate: ReadCertificate, issuer: ReadCertificate): Promise<Proof | undefined> {
    const key = hex(certificate.der);
    const known = kept.get(key);
    if (known && known.until > now()) return known.proof;
    const proof = await askFor(certificate, issuer);
    kept.set(key, { proof, until: Math.min(proof?.until ?? now() + PAUSE, now() + LONGEST_USE) });
    return proof;
  }

  async function askFor(certificate: ReadCertificate, issuer: ReadCertificate): Promise<Proof | undefined> {
    const { ocsp, crls } = addressesOf(certificate);
    const attempts = [
      ...ocsp.map((url) => async () => {
        const body = ocspQuestion(certificate, issuer);
        return readOcsp(
          await ask(url, { body, type: 'application/ocsp-request' }),
          certificate,
          issuer,
          now(),
        );
      }),
      ...crls.map((url) => async () => readCrl(await ask(url), certificate, issuer, now())),
    ];
    for (const attempt of attempts) {
      const proof = await attempt().catch(() => undefined);
      if (proof) return proof;
    }
    return undefined;
  }
}

function unique(certificates: readonly ReadCertificate[]): ReadCertificate[] {
  return [...new Map(certificates.map((certificate) => [hex(certificate.der), certificate])).values()];
}

function addressesOf({ parsed }: ReadCertificate): { ocsp: string[]; crls: string[] } {
  const extensions = parsed.tbsCertificate.extensions ?? [];
  const value = (id: string) => extensions.find(({ extnID }) => extnID === id)?.extnValue;
  const access = value(id_pe_authorityInfoAccess);
  const points = value(id_ce_cRLDistributionPoints);
  return {
    ocsp: (access ? [...AsnConvert.parse(access, AuthorityInfoAccessSyntax)] : [])
      .filter(({ accessMethod }) => accessMethod === OCSP)
      .map(({ accessLocation }) => accessLocation.uniformResourceIdentifier)
      .filter(isHttp),
    crls: (points ? [...AsnConvert.parse(points, CRLDistributionPoints)] : [])
      .flatMap(({ distributionPoint }) => distributionPoint?.fullName ?? [])
      .map(({ uniformResourceIdentifier }) => uniformResourceIdentifier)
      .filter(isHttp),
  };
}

function isHttp(url: string | undefined): url is string {
  return url !== undefined && /^https?:/.test(url);
}
