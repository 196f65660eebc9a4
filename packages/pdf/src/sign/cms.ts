import { createHash, type KeyObject, sign, type X509Certificate } from 'node:crypto';
import { AsnConvert } from '@peculiar/asn1-schema';
import { Certificate } from '@peculiar/asn1-x509';
import { context, element, integer, nothing, octets, oid, sequence, setOf } from '../asn1/der.ts';
import { OID } from '../asn1/oids.ts';

/** The seal's certificate with its private key. `chain` goes along with it, without the root. */
export interface Signer {
  readonly privateKey: KeyObject;
  readonly certificate: X509Certificate;
  readonly chain: readonly X509Certificate[];
}

/** Asks a timestamp authority for a token over these bytes; undefined when the signature goes without. */
export type Stamp = (signature: Uint8Array) => Promise<Uint8Array | undefined>;

/**
 * A detached CMS SignedData for PAdES (EN 319 142-1 section 6): signed attributes are content type, message digest and
 * the certificate's identity; signing time is left out because the PDF's /M has it and PAdES forbids both.
 * With `stamp`, the token over the signature goes into the unsigned attributes.
 */
export async function signedData(digest: Uint8Array, signer: Signer, stamp?: Stamp): Promise<Uint8Array> {
  const identity = issuerAndSerial(signer.certificate);
  const attributes = [
    attribute(OID.contentType, oid(OID.data)),
    attribute(OID.messageDigest, octets(digest)),
    attribute(OID.signingCertificateV2, signingCertificate(signer.certificate, identity)),
  ];
  const signature = await signAttributes(setOf(...attributes), signer.privateKey);
  const token = await stamp?.(signature);
  const signerInfo = sequence(
    integer(1),
    sequence(identity.issuer, identity.serial),
    algorithm(OID.sha256),
    contentOf(setOf(...attributes), 0),
    signatureAlgorithm(signer.privateKey),
    octets(signature),
    ...(token ? [context(1, attribute(OID.timeStampToken, token))] : []),
  );
  const certificates = [signer.certificate, ...signer.chain].map(({ raw }) => raw);
  return sequence(
    oid(OID.signedData),
    context(
      0,
      sequence(
        integer(1),
        setOf(algorithm(OID.sha256)),
        sequence(oid(OID.data)),
        contentOf(setOf(...certificates), 0),
        setOf(signerInfo),
      ),
    ),
  );
}

/** Signs in libuv's thread pool: RSA-4096 takes 17 ms. */
function signAttributes(attributes: Uint8Array, key: KeyObject): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    sign('sha256', attributes, key, (error, signature) => (error ? reject(error) : resolve(signature)));
  });
}

function attribute(type: string, value: Uint8Array): Uint8Array {
  return sequence(oid(type), setOf(value));
}

/** ESSCertIDv2 (RFC 5035) with the default hash, SHA-256, which DER leaves out. */
function signingCertificate(certificate: X509Certificate, { issuer, serial }: Identity): Uint8Array {
  const hash = createHash('sha256').update(certificate.raw).digest();
  const generalNames = sequence(context(4, issuer));
  return sequence(sequence(sequence(octets(hash), sequence(generalNames, serial))));
}

interface Identity {
  readonly issuer: Uint8Array;
  readonly serial: Uint8Array;
}

function issuerAndSerial(certificate: X509Certificate): Identity {
  const { tbsCertificate } = AsnConvert.parse(certificate.raw, Certificate);
  return {
    issuer: new Uint8Array(AsnConvert.serialize(tbsCertificate.issuer)),
    serial: element(0x02, new Uint8Array(tbsCertificate.serialNumber)),
  };
}

function algorithm(type: string): Uint8Array {
  return sequence(oid(type));
}

function signatureAlgorithm(key: KeyObject): Uint8Array {
  return key.asymmetricKeyType === 'rsa'
    ? sequence(oid(OID.rsaEncryption), nothing())
    : algorithm(OID.ecdsaWithSha256);
}

/** An IMPLICIT tag over a SET. */
function contentOf(set: Uint8Array, tag: number): Uint8Array {
  return Uint8Array.of(0xa0 | tag, ...set.subarray(1));
}
