import { createHash, randomBytes } from 'node:crypto';
import { AsnConvert } from '@peculiar/asn1-schema';
import { PKIStatus, TimeStampResp } from '@peculiar/asn1-tsp';
import { integer, nothing, octets, oid, sequence, truth } from '../asn1/der.ts';
import { OID } from '../asn1/oids.ts';
import { childrenOf } from '../asn1/read.ts';
import { PdfError } from '../errors.ts';
import { equal } from '../verify/bytes.ts';
import { leadsTo, type ReadCertificate, readCertificate } from '../verify/certificate.ts';
import { readToken } from '../verify/timestamp.ts';
import type { Ask } from './fetch.ts';

export interface Token {
  readonly der: Uint8Array;
  readonly time: Date;
  /** The authority's certificate first, then those that it sent along. */
  readonly certificates: readonly ReadCertificate[];
}

/** A timestamp authority (RFC 3161). */
export interface TimestampAuthority {
  /** @throws {PdfError} timestamp_failed */
  stamp(bytes: Uint8Array): Promise<Token>;
}

export interface TimestampAuthorityOptions {
  readonly url: string;
  readonly ask: Ask;
  /** DER. Where given, the authority's certificate must lead to one of them. */
  readonly roots?: readonly Uint8Array[];
}

/** Takes a token only when it is granted, for these bytes and this question, and signed by a certificate for timestamps. */
export function timestampAuthority({ url, ask, roots }: TimestampAuthorityOptions): TimestampAuthority {
  const trusted = roots?.map(readCertificate);
  return {
    async stamp(bytes) {
      const nonce = randomBytes(12);
      nonce[0] = ((nonce[0] ?? 0) & 0x7f) | 0x40; // no sign, no leading zero: what comes back is the same bytes
      const der = tokenOf(
        await answer(() => ask(url, { body: question(bytes, nonce), type: 'application/timestamp-query' })),
      );
      const token = await readToken(der, bytes);
      if (!token?.nonce || !equal(token.nonce, nonce)) throw failed('The token is not for this signature.');
      const { authority, certificates } = token;
      if (trusted && !(await leadsTo(trusted, authority, certificates, token.time))) {
        throw failed('The certificate of the timestamp authority leads to none of the roots.');
      }
      const others = certificates.filter((certificate) => certificate !== authority);
      return { der, time: token.time, certificates: [authority, ...others] };
    },
  };
}

function question(bytes: Uint8Array, nonce: Uint8Array): Uint8Array {
  const hash = createHash('sha256').update(bytes).digest();
  return sequence(
    integer(1),
    sequence(sequence(oid(OID.sha256), nothing()), octets(hash)),
    integer(nonce),
    truth(), // the certificates come along
  );
}

async function answer(ask: () => Promise<Uint8Array>): Promise<Uint8Array> {
  try {
    return await ask();
  } catch (cause) {
    throw failed('The timestamp authority does not answer.', cause);
  }
}

function tokenOf(body: Uint8Array): Uint8Array {
  let response: TimeStampResp;
  try {
    response = AsnConvert.parse(body, TimeStampResp);
  } catch (cause) {
    throw failed('The timestamp authority answered with something else than a timestamp.', cause);
  }
  const { status } = response.status;
  if ((status !== PKIStatus.granted && status !== PKIStatus.grantedWithMods) || !response.timeStampToken) {
    throw failed(`The timestamp authority refused, with status ${status}.`);
  }
  return encodedToken(body);
}

/** The token as it came: its signature covers its encoding. */
function encodedToken(body: Uint8Array): Uint8Array {
  const [, token] = childrenOf(body);
  if (!token) throw failed('The timestamp authority sent no token.');
  return token;
}

function failed(message: string, cause?: unknown): PdfError {
  return new PdfError('timestamp_failed', { message, cause });
}
