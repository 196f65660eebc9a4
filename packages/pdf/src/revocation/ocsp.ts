import { createHash } from 'node:crypto';
import { BasicOCSPResponse, OCSPResponse, OCSPResponseStatus } from '@peculiar/asn1-ocsp';
import { AsnConvert } from '@peculiar/asn1-schema';
import { SubjectPublicKeyInfo } from '@peculiar/asn1-x509';
import { element, nothing, octets, oid, sequence } from '../asn1/der.ts';
import { childrenOf } from '../asn1/read.ts';
import { hex } from '../verify/bytes.ts';
import { leadsTo, type ReadCertificate, readCertificate } from '../verify/certificate.ts';
import { checkSignature } from '../verify/signature.ts';
import type { Proof } from './proof.ts';

const SHA1 = '1.3.14.3.2.26';
const OCSP_SIGNING = '1.3.6.1.5.5.7.3.9';
/** The responder's own certificate needs no proof: otherwise there would be no end. */
const NO_CHECK = '1.3.6.1.5.5.7.48.1.5';

/** A question about one certificate (RFC 6960). SHA-1 names the issuer there and protects nothing. */
export function ocspQuestion(certificate: ReadCertificate, issuer: ReadCertificate): Uint8Array {
  const { name, key } = issuerHashes(issuer);
  const serial = element(0x02, Buffer.from(certificate.serial, 'hex'));
  const id = sequence(sequence(oid(SHA1), nothing()), octets(name), octets(key), serial);
  return sequence(sequence(sequence(sequence(id))));
}

/** @returns undefined unless the issuer or its delegated responder gives a current status of the certificate */
export async function readOcsp(
  der: Uint8Array,
  certificate: ReadCertificate,
  issuer: ReadCertificate,
  now: number,
): Promise<Proof | undefined> {
  const { responseStatus, responseBytes } = AsnConvert.parse(der, OCSPResponse);
  if (responseStatus !== OCSPResponseStatus.successful || !responseBytes) return undefined;
  const body = new Uint8Array(responseBytes.response.buffer);
  const basic = AsnConvert.parse(body, BasicOCSPResponse);
  const responder = await responderOf(body, issuer, now);
  const [data] = childrenOf(body);
  const signature = new Uint8Array(basic.signature);
  if (!responder || !data) return undefined;
  if (
    !(await checkSignature({ spki: responder.spki, algorithm: basic.signatureAlgorithm, signature, data }))
  ) {
    return undefined;
  }
  const { key } = issuerHashes(issuer);
  const single = basic.tbsResponseData.responses.find(
    ({ certID }) =>
      hex(new Uint8Array(certID.serialNumber)) === certificate.serial &&
      hex(new Uint8Array(certID.issuerKeyHash.buffer)) === hex(key),
  );
  const until = single?.nextUpdate?.getTime();
  if (!single || until === undefined || until <= now) return undefined;
  const { good, revoked } = single.certStatus;
  if (good === undefined && !revoked) return undefined;
  return { kind: 'ocsp', der, until, revoked: revoked !== undefined };
}

async function responderOf(
  body: Uint8Array,
  issuer: ReadCertificate,
  now: number,
): Promise<ReadCertificate | undefined> {
  const wrapper = childrenOf(body).find(([tag]) => tag === 0xa0);
  const [list] = wrapper ? childrenOf(wrapper) : [];
  const [first] = list ? childrenOf(list) : [];
  if (!first) return issuer;
  const responder = readCertificate(first);
  if (hex(responder.der) === hex(issuer.der)) return issuer;
  const entrusted =
    responder.purposes.includes(OCSP_SIGNING) &&
    (responder.parsed.tbsCertificate.extensions ?? []).some(({ extnID }) => extnID === NO_CHECK) &&
    (await leadsTo([issuer], responder, [], new Date(now)));
  return entrusted ? responder : undefined;
}

function issuerHashes({ subjectKey, spki }: ReadCertificate): { name: Uint8Array; key: Uint8Array } {
  const { subjectPublicKey } = AsnConvert.parse(spki, SubjectPublicKeyInfo);
  return { name: sha1(Buffer.from(subjectKey, 'hex')), key: sha1(new Uint8Array(subjectPublicKey)) };
}

function sha1(bytes: Uint8Array): Uint8Array {
  return createHash('sha1').update(bytes).digest();
}
