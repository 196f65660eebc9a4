import { AsnConvert } from '@peculiar/asn1-schema';
import { TSTInfo } from '@peculiar/asn1-tsp';
import { OID } from '../asn1/oids.ts';
import { type Bytes, digestOf, equal } from './bytes.ts';
import { leadsTo, type ReadCertificate, validAt } from './certificate.ts';
import { hashName } from './signature.ts';
import { checkSignedData, readSignedData } from './signed-data.ts';

/** An RFC 3161 token whose signature is right. */
export interface ReadToken {
  readonly time: Date;
  readonly authority: ReadCertificate;
  readonly certificates: readonly ReadCertificate[];
  readonly nonce: Bytes | undefined;
}

/**
 * Reads a token over these bytes.
 * @returns undefined unless it is signed by a certificate for timestamps that was valid then, over exactly these bytes
 */
export async function readToken(token: Uint8Array, over: Uint8Array): Promise<ReadToken | undefined> {
  try {
    const signed = readSignedData(token);
    const { content, signer } = signed;
    if (!content) return undefined;
    const info = AsnConvert.parse(content, TSTInfo);
    const hash = hashName(info.messageImprint.hashAlgorithm.algorithm);
    if (!hash) return undefined;
    if (!equal(new Uint8Array(info.messageImprint.hashedMessage.buffer), await digestOf(hash, over)))
      return undefined;
    const checked = await checkSignedData(signed, (algorithm) => digestOf(algorithm, content));
    if (!checked.content || !checked.signature) return undefined;
    if (!signer.purposes.includes(OID.keyPurposeTimeStamping) || !validAt(signer, info.genTime))
      return undefined;
    return {
      time: info.genTime,
      authority: signer,
      certificates: signed.certificates,
      nonce: info.nonce && new Uint8Array(info.nonce),
    };
  } catch {
    return undefined; // What cannot be read proves nothing.
  }
}

export function tokenLeadsTo(roots: readonly ReadCertificate[], token: ReadToken): Promise<boolean> {
  return leadsTo(roots, token.authority, token.certificates, token.time);
}
