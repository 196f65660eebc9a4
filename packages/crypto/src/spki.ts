/**
 * Whether the bytes are the DER SubjectPublicKeyInfo of an RSA-2048 key with exponent 65537 and nothing else.
 *
 * DER is canonical and RFC 3279 section 2.3.1 fixes the parameters to NULL, so every such key is 294 bytes that
 * differ in the modulus alone: comparing the frame checks the algorithm, both sizes, the exponent and that no byte
 * follows.
 */
export function isRsa2048Spki(der: Uint8Array): boolean {
  const exponentAt = PREFIX.length + MODULUS_BYTES;
  return (
    der.length === exponentAt + EXPONENT.length &&
    PREFIX.every((byte, index) => der[index] === byte) &&
    EXPONENT.every((byte, index) => der[exponentAt + index] === byte) &&
    ((der[PREFIX.length] ?? 0) & 0x80) !== 0 && // exactly 2048 bits
    ((der[exponentAt - 1] ?? 0) & 1) === 1 // a product of two odd primes
  );
}

const MODULUS_BYTES = 256;

// SEQUENCE { SEQUENCE { rsaEncryption, NULL }, BIT STRING { SEQUENCE { INTEGER modulus, INTEGER 65537 } } }
const PREFIX = [
  ...[0x30, 0x82, 0x01, 0x22],
  ...[0x30, 0x0d, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01, 0x05, 0x00],
  ...[0x03, 0x82, 0x01, 0x0f, 0x00],
  ...[0x30, 0x82, 0x01, 0x0a],
  ...[0x02, 0x82, 0x01, 0x01, 0x00],
];
const EXPONENT = [0x02, 0x03, 0x01, 0x00, 0x01];
