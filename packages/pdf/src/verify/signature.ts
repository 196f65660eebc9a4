import { AsnConvert } from '@peculiar/asn1-schema';
import { type AlgorithmIdentifier, SubjectPublicKeyInfo } from '@peculiar/asn1-x509';
import { fromBER, Integer, Sequence } from 'asn1js';
import { OID } from '../asn1/oids.ts';
import type { Bytes } from './bytes.ts';

interface Signed {
  readonly spki: Bytes;
  readonly algorithm: AlgorithmIdentifier;
  readonly signature: Bytes;
  readonly data: Bytes;
  /** Where the algorithm leaves the hash open. */
  readonly hash?: string | undefined;
}

const HASHES: Readonly<Record<string, string>> = {
  [OID.sha256]: 'SHA-256',
  [OID.sha384]: 'SHA-384',
  [OID.sha512]: 'SHA-512',
  [OID.sha256WithRsa]: 'SHA-256',
  [OID.sha384WithRsa]: 'SHA-384',
  [OID.sha512WithRsa]: 'SHA-512',
  [OID.ecdsaWithSha256]: 'SHA-256',
  [OID.ecdsaWithSha384]: 'SHA-384',
  [OID.ecdsaWithSha512]: 'SHA-512',
};
const CURVES: Readonly<Record<string, { readonly namedCurve: string; readonly size: number }>> = {
  '06082a8648ce3d030107': { namedCurve: 'P-256', size: 32 },
  '06052b81040022': { namedCurve: 'P-384', size: 48 },
  '06052b81040023': { namedCurve: 'P-521', size: 66 },
};

/** The name under which WebCrypto knows a hash; undefined for the old and the unknown. */
export function hashName(algorithm: string): string | undefined {
  return HASHES[algorithm];
}

/** Checks a signature by the key of a certificate. Algorithms that are old or unknown check nothing: false. */
export async function checkSignature({ spki, algorithm, signature, data, hash }: Signed): Promise<boolean> {
  const digest = HASHES[algorithm.algorithm] ?? hash;
  if (!digest) return false;
  try {
    const key = AsnConvert.parse(spki, SubjectPublicKeyInfo).algorithm;
    if (key.algorithm === OID.rsaEncryption && algorithm.algorithm !== OID.rsaPss) {
      const scheme = { name: 'RSASSA-PKCS1-v1_5', hash: digest };
      return await crypto.subtle.verify(scheme, await importKey(spki, scheme), signature, data);
    }
    const curve = CURVES[hexOf(key.parameters)];
    const raw = curve && plainSignature(signature, curve.size);
    if (!raw) return false;
    const scheme = { name: 'ECDSA', hash: digest };
    return await crypto.subtle.verify(
      scheme,
      await importKey(spki, { name: 'ECDSA', namedCurve: curve.namedCurve }),
      raw,
      data,
    );
  } catch {
    return false;
  }
}

function importKey(spki: Bytes, algorithm: RsaHashedImportParams | EcKeyImportParams) {
  return crypto.subtle.importKey('spki', spki, algorithm, false, ['verify']);
}

/** WebCrypto wants both numbers side by side, X.509 has them as a sequence. */
function plainSignature(der: Bytes, size: number): Bytes | undefined {
  const { result } = fromBER(der);
  if (!(result instanceof Sequence)) return undefined;
  const numbers = result.valueBlock.value;
  if (numbers.length !== 2) return undefined;
  const plain = new Uint8Array(size * 2);
  for (const [index, number] of numbers.entries()) {
    if (!(number instanceof Integer)) return undefined;
    const digits = number.valueBlock.valueHexView;
    const first = digits.findIndex((digit) => digit !== 0);
    const significant = digits.subarray(first === -1 ? digits.length : first);
    if (significant.length > size) return undefined;
    plain.set(significant, size * (index + 1) - significant.length);
  }
  return plain;
}

function hexOf(parameters: ArrayBuffer | null | undefined): string {
  return Array.from(new Uint8Array(parameters ?? new ArrayBuffer(0)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
