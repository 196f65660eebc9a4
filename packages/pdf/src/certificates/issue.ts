import {
  createHash,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto';
import { AsnConvert } from '@peculiar/asn1-schema';
import { Certificate, SubjectPublicKeyInfo } from '@peculiar/asn1-x509';
import { context, element, integer, nothing, octets, oid, sequence, setOf, truth } from '../asn1/der.ts';
import { OID } from '../asn1/oids.ts';

export interface Issued {
  readonly certificate: X509Certificate;
  readonly privateKey: KeyObject;
}

/** What a certificate is for; its extensions follow from that. */
export type Purpose = 'authority' | 'seal' | 'timestamps';

interface Wish {
  readonly name: string;
  readonly purpose: Purpose;
  readonly from: Date;
  readonly to: Date;
  /** Without it the certificate signs itself. */
  readonly issuer?: Issued;
  readonly keys?: { readonly publicKey: KeyObject; readonly privateKey: KeyObject };
  /** Object identifiers of what the key is for, and the first byte of its usage, where they are not those of the purpose. */
  readonly purposes?: readonly string[];
  readonly usage?: number;
  /** Where revocation lists and answers are to be had. */
  readonly crl?: string;
  readonly ocsp?: string;
}

/** Issues an X.509 certificate (RFC 5280), on P-256 unless keys are given. */
export function issue(wish: Wish): Issued {
  const keys = wish.keys ?? generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuerKey = wish.issuer?.privateKey ?? keys.privateKey;
  const spki = keys.publicKey.export({ type: 'spki', format: 'der' });
  const tbs = sequence(
    context(0, integer(2)),
    integer(serialNumber()),
    signatureAlgorithm(issuerKey),
    wish.issuer ? subjectOf(wish.issuer.certificate) : commonName(wish.name),
    sequence(time(wish.from), time(wish.to)),
    commonName(wish.name),
    spki,
    context(3, sequence(...extensions(wish, keys.publicKey, issuerKey))),
  );
  const signature = sign('sha256', tbs, issuerKey);
  const der = sequence(tbs, signatureAlgorithm(issuerKey), bits(signature));
  return { certificate: new X509Certificate(der), privateKey: keys.privateKey };
}

function extensions(wish: Wish, own: KeyObject, issuerKey: KeyObject): Uint8Array[] {
  const authority = wish.purpose === 'authority';
  const purposes = wish.purposes ?? (wish.purpose === 'timestamps' ? [OID.keyPurposeTimeStamping] : []);
  return [
    extension('2.5.29.19', sequence(...(authority ? [truth()] : [])), true),
    // Bits from the left: digitalSignature and nonRepudiation, or keyCertSign and cRLSign.
    extension('2.5.29.15', element(0x03, usageBits(wish.usage ?? (authority ? 0x06 : 0xc0))), true),
    ...(purposes.length > 0 ? [extension('2.5.29.37', sequence(...purposes.map(oid)), true)] : []),
    extension('2.5.29.14', octets(keyIdentifier(own))),
    extension('2.5.29.35', sequence(element(0x80, keyIdentifier(createPublicKey(issuerKey))))),
    ...(wish.crl
      ? [extension('2.5.29.31', sequence(sequence(context(0, context(0, address(wish.crl))))))]
      : []),
    ...(wish.ocsp
      ? [extension('1.3.6.1.5.5.7.1.1', sequence(sequence(oid('1.3.6.1.5.5.7.48.1'), address(wish.ocsp))))]
      : []),
  ];
}

/** DER leaves trailing zeros out, and says first how many. */
function usageBits(usage: number): Uint8Array {
  return Uint8Array.of(31 - Math.clz32(usage & -usage), usage);
}

function extension(id: string, value: Uint8Array, critical = false): Uint8Array {
  return sequence(oid(id), ...(critical ? [truth()] : []), octets(value));
}

function address(url: string): Uint8Array {
  return element(0x86, Buffer.from(url, 'ascii'));
}

/** The first 160 bits of a SHA-256 of the key (RFC 7093). */
function keyIdentifier(key: KeyObject): Uint8Array {
  const spki = key.export({ type: 'spki', format: 'der' });
  const { subjectPublicKey } = AsnConvert.parse(spki, SubjectPublicKeyInfo);
  return createHash('sha256').update(new Uint8Array(subjectPublicKey)).digest().subarray(0, 20);
}

export function subjectOf(certificate: X509Certificate): Uint8Array {
  const { subject } = AsnConvert.parse(certificate.raw, Certificate).tbsCertificate;
  return new Uint8Array(AsnConvert.serialize(subject));
}

export function signatureAlgorithm(key: KeyObject): Uint8Array {
  return key.asymmetricKeyType === 'rsa'
    ? sequence(oid(OID.sha256WithRsa), nothing())
    : sequence(oid(OID.ecdsaWithSha256));
}

export function bits(bytes: Uint8Array): Uint8Array {
  return element(0x03, Uint8Array.of(0), bytes);
}

/** UTCTime until 2049, GeneralizedTime after (RFC 5280 section 4.1.2.5). */
export function time(date: Date): Uint8Array {
  const digits = date.toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  return date.getUTCFullYear() < 2050
    ? element(0x17, Buffer.from(digits.slice(2), 'ascii'))
    : element(0x18, Buffer.from(digits, 'ascii'));
}

function commonName(name: string): Uint8Array {
  return sequence(setOf(sequence(oid('2.5.4.3'), element(0x0c, Buffer.from(name, 'utf8')))));
}

function serialNumber(): Uint8Array {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes;
}
