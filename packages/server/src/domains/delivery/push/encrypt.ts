import { createCipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto';
import type { Subscription } from './subscription.ts';

/** The size of a record (RFC 8188 section 2.1). Messages are shorter: each is one record. */
const RECORD_BYTES = 4096;
/** Ends what the last record says (RFC 8188 section 2). */
const LAST = Uint8Array.of(2);

/** The sender's part of the keys, new for each message. */
export interface Fresh {
  readonly pair: ECDH;
  readonly salt: Uint8Array;
}

/** Encrypts a message for one browser, in the content encoding `aes128gcm` (RFC 8291, RFC 8188). */
export function encryptPush(
  { p256dh, auth }: Subscription['keys'],
  message: string,
  { pair, salt }: Fresh = freshPair(),
): Buffer {
  const [own, browsers] = [pair.getPublicKey(), Buffer.from(p256dh, 'base64url')];
  const shared = pair.computeSecret(browsers);
  const between = Buffer.concat([Buffer.from('WebPush: info\0'), browsers, own]);
  const secret = derived(shared, Buffer.from(auth, 'base64url'), between, 32);
  const key = derived(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derived(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  const head = Buffer.alloc(5);
  head.writeUInt32BE(RECORD_BYTES);
  head.writeUInt8(own.length, 4);
  return Buffer.concat([
    ...[salt, head, own],
    ...[cipher.update(message, 'utf8'), cipher.update(LAST), cipher.final(), cipher.getAuthTag()],
  ]);
}

function freshPair(): Fresh {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  return { pair, salt: randomBytes(16) };
}

function derived(secret: Uint8Array, salt: Uint8Array, info: Uint8Array, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, length));
}
