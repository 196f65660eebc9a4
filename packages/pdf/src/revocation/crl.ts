import { AsnConvert } from '@peculiar/asn1-schema';
import { CertificateList } from '@peculiar/asn1-x509';
import { childrenOf } from '../asn1/read.ts';
import { hex } from '../verify/bytes.ts';
import type { ReadCertificate } from '../verify/certificate.ts';
import { checkSignature } from '../verify/signature.ts';
import type { Proof } from './proof.ts';

/** Says where a list has its certificates, which does not change what they mean here. */
const ISSUING_DISTRIBUTION_POINT = '2.5.29.28';

/** @returns undefined unless it is the issuer's list and says something now */
export async function readCrl(
  der: Uint8Array,
  certificate: ReadCertificate,
  issuer: ReadCertificate,
  now: number,
): Promise<Proof | undefined> {
  const { tbsCertList, signatureAlgorithm, signature } = AsnConvert.parse(der, CertificateList);
  const [data] = childrenOf(der);
  const named = hex(new Uint8Array(AsnConvert.serialize(tbsCertList.issuer))) === issuer.subjectKey;
  const understood = (tbsCertList.crlExtensions ?? []).every(
    ({ critical, extnID }) => !critical || extnID === ISSUING_DISTRIBUTION_POINT,
  );
  const until = tbsCertList.nextUpdate?.getTime().getTime();
  if (!data || !named || !understood || until === undefined || until <= now) return undefined;
  const algorithm = signatureAlgorithm;
  if (!(await checkSignature({ spki: issuer.spki, algorithm, signature: new Uint8Array(signature), data }))) {
    return undefined;
  }
  const revoked = (tbsCertList.revokedCertificates ?? []).some(
    ({ userCertificate }) => hex(new Uint8Array(userCertificate)) === certificate.serial,
  );
  return { kind: 'crl', der, until, revoked };
}
