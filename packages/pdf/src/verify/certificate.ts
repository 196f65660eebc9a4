import { AsnConvert } from '@peculiar/asn1-schema';
import {
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  KeyUsage,
  KeyUsageFlags,
  type Name,
} from '@peculiar/asn1-x509';
import { OID } from '../asn1/oids.ts';
import { childrenOf } from '../asn1/read.ts';
import { type Bytes, bytesOf, digestOf, hex } from './bytes.ts';
import { checkSignature } from './signature.ts';

/** A certificate as it is judged here. */
export interface ReadCertificate {
  readonly der: Bytes;
  readonly name: string;
  readonly issuer: string;
  /** Hex, of subject, issuer and serial number as encoded: equal names have equal encodings. */
  readonly subjectKey: string;
  readonly issuerKey: string;
  readonly serial: string;
  readonly from: Date;
  readonly to: Date;
  readonly spki: Bytes;
  /** How many authorities may stand under it; undefined when it is no authority. */
  readonly authority: number | undefined;
  readonly keyUsage: KeyUsageFlags | undefined;
  readonly purposes: readonly string[];
  readonly unknownCritical: boolean;
  readonly parsed: Certificate;
}

const KNOWN: readonly string[] = [id_ce_basicConstraints, id_ce_keyUsage, id_ce_extKeyUsage];

/** @throws when it is no certificate */
export function readCertificate(der: Uint8Array): ReadCertificate {
  const parsed = AsnConvert.parse(der, Certificate);
  const tbs = parsed.tbsCertificate;
  const extensions = tbs.extensions ?? [];
  const value = (id: string) => extensions.find(({ extnID }) => extnID === id)?.extnValue;
  const [constraints, usage, purposes] = KNOWN.map(value);
  const basic = constraints && AsnConvert.parse(constraints, BasicConstraints);
  return {
    der: bytesOf(der),
    name: nameOf(tbs.subject),
    issuer: nameOf(tbs.issuer),
    subjectKey: hex(new Uint8Array(AsnConvert.serialize(tbs.subject))),
    issuerKey: hex(new Uint8Array(AsnConvert.serialize(tbs.issuer))),
    serial: hex(new Uint8Array(tbs.serialNumber)),
    from: tbs.validity.notBefore.getTime(),
    to: tbs.validity.notAfter.getTime(),
    spki: new Uint8Array(AsnConvert.serialize(tbs.subjectPublicKeyInfo)),
    authority: basic?.cA ? (basic.pathLenConstraint ?? Number.POSITIVE_INFINITY) : undefined,
    keyUsage: usage && AsnConvert.parse(usage, KeyUsage).toNumber(),
    purposes: purposes ? [...AsnConvert.parse(purposes, ExtendedKeyUsage)] : [],
    unknownCritical: extensions.some(({ critical, extnID }) => critical && !KNOWN.includes(extnID)),
    parsed,
  };
}

/** The common name, else all parts of the name. */
function nameOf(name: Name): string {
  const parts = name.flatMap((part) => [...part]);
  const common = parts.find(({ type }) => type === '2.5.4.3');
  return common ? common.value.toString() : parts.map(({ value }) => value.toString()).join(', ');
}

export async function fingerprint(certificate: ReadCertificate): Promise<string> {
  return hex(await digestOf('SHA-256', certificate.der));
}

export function validAt({ from, to }: ReadCertificate, at: Date): boolean {
  return from <= at && at <= to;
}

/** Purposes of a certificate under which documents are signed; without any, its key usage decides. */
const SIGNS_DOCUMENTS: readonly string[] = [
  OID.keyPurposeDocumentSigning,
  OID.keyPurposeEmailProtection,
  OID.keyPurposeAdobeDocuments,
  OID.keyPurposeMicrosoftDocuments,
  OID.keyPurposeAny,
];

/** Whether a certificate is one to sign documents with: no authority, no server's, none for keys or for timestamps alone. */
export function maySignDocuments({ authority, keyUsage, purposes }: ReadCertificate): boolean {
  const signs = KeyUsageFlags.digitalSignature | KeyUsageFlags.nonRepudiation;
  if (authority !== undefined || (keyUsage !== undefined && (keyUsage & signs) === 0)) return false;
  return purposes.length === 0 || purposes.some((purpose) => SIGNS_DOCUMENTS.includes(purpose));
}

/** No real chain is longer. */
const LONGEST_CHAIN = 8;

/** Chains are tried one after the other; certificates made to lead in circles end here. */
const MOST_CHECKS = 100;

/** Whether a chain leads from the certificate to one of the roots, each link valid at that time. */
export async function leadsTo(
  roots: readonly ReadCertificate[],
  certificate: ReadCertificate,
  others: readonly ReadCertificate[],
  at: Date,
): Promise<boolean> {
  const trusted = new Set(roots.map(({ der }) => hex(der)));
  const issuers = [...roots, ...others];
  let checks = 0;
  return climb(certificate, 0);

  async function climb(from: ReadCertificate, depth: number): Promise<boolean> {
    if (depth > LONGEST_CHAIN || from.unknownCritical || !validAt(from, at)) return false;
    if (trusted.has(hex(from.der))) return true;
    for (const issuer of issuers) {
      if (issuer === from || issuer.subjectKey !== from.issuerKey || !mayIssue(issuer, depth)) continue;
      if (++checks > MOST_CHECKS) return false;
      if ((await signedBy(from, issuer)) && (await climb(issuer, depth + 1))) return true;
    }
    return false;
  }
}

/** @param below how many authorities stand between it and the certificate that is judged */
function mayIssue({ authority, keyUsage }: ReadCertificate, below: number): boolean {
  if (authority === undefined || authority < below) return false;
  return keyUsage === undefined || (keyUsage & KeyUsageFlags.keyCertSign) !== 0;
}

async function signedBy({ der, parsed }: ReadCertificate, issuer: ReadCertificate): Promise<boolean> {
  const [data] = childrenOf(der);
  if (!data) return false;
  return checkSignature({
    spki: issuer.spki,
    algorithm: parsed.signatureAlgorithm,
    signature: new Uint8Array(parsed.signatureValue),
    data,
  });
}
