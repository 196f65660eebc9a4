import { ContentInfo, IssuerAndSerialNumber, SignedData, type SignerInfo } from '@peculiar/asn1-cms';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import { AlgorithmIdentifier } from '@peculiar/asn1-x509';
import { OID } from '../asn1/oids.ts';
import { childrenOf } from '../asn1/read.ts';
import { type Bytes, digestOf, equal, hex } from './bytes.ts';
import { type ReadCertificate, readCertificate } from './certificate.ts';
import { checkSignature, hashName } from './signature.ts';

/** A CMS SignedData with one signer. */
export interface ReadSignedData {
  readonly signer: ReadCertificate;
  readonly certificates: readonly ReadCertificate[];
  readonly signature: Bytes;
  /** What it carries inside, if anything. */
  readonly content: Bytes | undefined;
  /** The token of a timestamp authority over the signature. */
  readonly token: Bytes | undefined;
  readonly info: SignerInfo;
  /** The signed attributes as they are encoded; undefined when the content is signed directly. */
  readonly attributes: Bytes | undefined;
}

/** More make no sense, and each is checked. */
const MOST_CERTIFICATES = 32;
/** Tags. */
const [SEQUENCE, TAGGED_0] = [0x30, 0xa0];
const NONE = new Uint8Array();

/** @throws when it is no such structure */
export function readSignedData(der: Uint8Array): ReadSignedData {
  const wrapper = AsnConvert.parse(der, ContentInfo);
  if (wrapper.contentType !== OID.signedData) throw new Error('The signature is no CMS SignedData');
  const data = AsnConvert.parse(wrapper.content, SignedData);
  const [info, ...others] = data.signerInfos;
  if (!info || others.length > 0) throw new Error('The signature has not exactly one signer');
  const certificates = encodedCertificates(der).slice(0, MOST_CERTIFICATES).map(readCertificate);
  const signer = certificates.find((certificate) => identifies(info, certificate));
  if (!signer) throw new Error('The certificate of the signer is missing');
  const content = data.encapContentInfo.eContent?.single;
  const token = info.unsignedAttrs?.find(({ attrType }) => attrType === OID.timeStampToken)?.attrValues[0];
  return {
    signer,
    certificates,
    signature: new Uint8Array(info.signature.buffer),
    content: content && new Uint8Array(content.buffer),
    token: token && new Uint8Array(token),
    info,
    attributes: encodedAttributes(der),
  };
}

/**
 * Checks that the signer signed content with these digests: the attributes name the digest, type and certificate, and the
 * signature covers the attributes.
 * @param digest gives the content's digest by a hash
 */
export async function checkSignedData(
  { info, signer, attributes }: ReadSignedData,
  digest: (hash: string) => Promise<Uint8Array>,
): Promise<{ content: boolean; signature: boolean }> {
  const hash = hashName(info.digestAlgorithm.algorithm);
  if (!hash || !attributes) return { content: false, signature: false };
  const stated = attributeOf(info, OID.messageDigest);
  const content = stated !== undefined && equal(octetsOf(stated), await digest(hash));
  const data = attributes.slice();
  data[0] = 0x31; // signed as a SET, but encoded under an IMPLICIT tag
  const signature = await checkSignature({
    spki: signer.spki,
    algorithm: info.signatureAlgorithm,
    signature: new Uint8Array(info.signature.buffer),
    data,
    hash,
  });
  return { content, signature: signature && (await namesCertificate(info, signer)) };
}

/** The signing-certificate attribute, where there is one, must name the certificate: else another one could take its place. */
async function namesCertificate(info: SignerInfo, signer: ReadCertificate): Promise<boolean> {
  const attribute = attributeOf(info, OID.signingCertificateV2);
  if (!attribute) return true;
  const [list = NONE] = childrenOf(new Uint8Array(attribute));
  const [first = NONE] = childrenOf(list);
  const [head = NONE, ...rest] = childrenOf(first);
  // SHA-256 unless an algorithm stands before the digest.
  const stated = head[0] === SEQUENCE;
  const algorithm = stated ? hashName(AsnConvert.parse(head, AlgorithmIdentifier).algorithm) : 'SHA-256';
  const named = stated ? rest[0] : head;
  if (!named || !algorithm) return false;
  return equal(octetsOf(named), await digestOf(algorithm, signer.der));
}

function identifies(info: SignerInfo, certificate: ReadCertificate): boolean {
  const { issuerAndSerialNumber } = info.sid;
  if (!(issuerAndSerialNumber instanceof IssuerAndSerialNumber)) return false;
  const issuer = hex(new Uint8Array(AsnConvert.serialize(issuerAndSerialNumber.issuer)));
  return (
    issuer === certificate.issuerKey &&
    hex(new Uint8Array(issuerAndSerialNumber.serialNumber)) === certificate.serial
  );
}

function attributeOf(info: SignerInfo, type: string): ArrayBuffer | undefined {
  return info.signedAttrs?.find(({ attrType }) => attrType === type)?.attrValues[0];
}

function octetsOf(der: ArrayBuffer | Uint8Array<ArrayBuffer>): Uint8Array {
  return new Uint8Array(AsnConvert.parse(der, OctetString).buffer);
}

/** As they are encoded: their digests must not depend on how we would encode them. */
function encodedCertificates(der: Uint8Array): Bytes[] {
  const set = partsOf(der).find(([tag]) => tag === TAGGED_0);
  return set ? childrenOf(set).filter(([tag]) => tag === SEQUENCE) : [];
}

function encodedAttributes(der: Uint8Array): Bytes | undefined {
  const [info = NONE] = childrenOf(partsOf(der).at(-1) ?? NONE);
  return childrenOf(info).find(([tag]) => tag === TAGGED_0);
}

/** The members of the SignedData. */
function partsOf(der: Uint8Array): Bytes[] {
  const [, wrapped = NONE] = childrenOf(der);
  const [data = NONE] = childrenOf(wrapped);
  return childrenOf(data);
}
