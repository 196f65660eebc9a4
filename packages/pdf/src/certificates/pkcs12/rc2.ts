/** A permutation of the bytes, made of digits of pi (RFC 2268 section 2). */
const TABLE = Buffer.from(
  'd978f9c419ddb5ed28e9fd794aa0d89dc67e37832b76538e624c6488448bfba2' +
    '179a59f587b34f1361456d8d09817d32bd8f40eb86b77b0bf09521225c6b4e82' +
    '54d66593ce60b21c7356c014a78cf1dc1275ca1f3bbee4d1423dd430a33cb626' +
    '6fbf0eda4669075727f21d9bbc944303f811c7f690ef3ee706c3d52fc8661ed7' +
    '08e8eade8052eef784aa72ac354d6a2a961ad2715a1549744b9fd05e0418a4ec' +
    'c2e0416e0f51cbcc2491af50a1f47039997c3a8523b8b47afc02365b25559731' +
    '2d5dfa98e38a92ae05df2910676cbac9d300e6cfe19ea82c6316013f58e289a9' +
    '0d38341bab33ffb0bb480c5fb9b1cd2ec5f3db47e5a59c770aa62068fe7fc1ad',
  'hex',
);
const BLOCK = 8;
const WORDS = 64;

/**
 * Decrypts RC2 in CBC mode (RFC 2268), which OpenSSL has switched off: certificates in PKCS#12 files of Windows are encrypted with it.
 * @param bits the strength of the key, at most its own length
 * @returns the bytes with their padding
 */
export function decryptRc2(data: Uint8Array, key: Uint8Array, iv: Uint8Array, bits: number): Buffer {
  const words = expanded(key, bits);
  const input = Buffer.from(data);
  const output = Buffer.alloc(data.length);
  let before = Buffer.from(iv);
  for (let at = 0; at < input.length; at += BLOCK) {
    const block = input.subarray(at, at + BLOCK);
    const plain = decryptedBlock(block, words);
    for (const [index, byte] of plain.entries()) output[at + index] = byte ^ (before[index] ?? 0);
    before = block;
  }
  return output;
}

/** Section 2: sixty-four words of sixteen bits. */
function expanded(key: Uint8Array, bits: number): Uint16Array {
  const bytes = Buffer.alloc(2 * WORDS);
  bytes.set(key);
  const substitute = (index: number) => TABLE[index & 0xff] ?? 0;
  const at = (index: number) => bytes[index] ?? 0;
  for (let index = key.length; index < bytes.length; index++)
    bytes[index] = substitute(at(index - 1) + at(index - key.length));
  const effective = Math.ceil(bits / 8);
  const first = bytes.length - effective;
  bytes[first] = substitute(at(first) & (0xff >> (8 * effective - bits)));
  for (let index = first - 1; index >= 0; index--)
    bytes[index] = substitute(at(index + 1) ^ at(index + effective));
  return Uint16Array.from({ length: WORDS }, (_, index) => bytes.readUInt16LE(2 * index));
}

/** Section 4: sixteen rounds of mixing, with two of mashing between them, backwards. */
function decryptedBlock(block: Buffer, words: Uint16Array): Buffer {
  const r = Uint16Array.from([0, 2, 4, 6], (at) => block.readUInt16LE(at)) as Uint16Array &
    [number, number, number, number];
  let next = WORDS - 1;
  for (let round = 15; round >= 0; round--) {
    for (let index = 3; index >= 0; index--) mixBack(r, index, words[next--] ?? 0);
    if (round === 11 || round === 5) for (let index = 3; index >= 0; index--) mashBack(r, index, words);
  }
  const plain = Buffer.alloc(BLOCK);
  for (const [index, word] of r.entries()) plain.writeUInt16LE(word, 2 * index);
  return plain;
}

const TURNS = [1, 2, 3, 5];

function mixBack(r: Uint16Array, index: number, word: number): void {
  const [one, two, three] = [3, 2, 1].map((back) => r[(index + back) & 3] ?? 0) as [number, number, number];
  const turns = TURNS[index] ?? 0;
  const value = r[index] ?? 0;
  const turned = (value >> turns) | (value << (16 - turns));
  r[index] = turned - word - (one & two) - (~one & three);
}

function mashBack(r: Uint16Array, index: number, words: Uint16Array): void {
  r[index] = (r[index] ?? 0) - (words[(r[(index + 3) & 3] ?? 0) & 63] ?? 0);
}
