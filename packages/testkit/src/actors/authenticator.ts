import { createHash, createHmac, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@symbolon/protocol';

/*
 * A software authenticator (Web Authentication, level 3): ES256 unless said, attestation "none", discoverable credentials. It lies where a
 * test tells it to.
 */

/** Ways in which an answer may be wrong. */
interface Lies {
  readonly origin?: string;
  readonly rpId?: string;
  /** Whether it verified its user: true unless said. */
  readonly userVerified?: boolean;
  readonly counter?: number;
  readonly crossOrigin?: boolean;
  readonly type?: string;
  /** Whether a synchronised passkey says that it can be copied. */
  readonly backupEligible?: boolean;
  /** Whether it says that it was copied: as it can be, unless said. */
  readonly backedUp?: boolean;
}

interface KeyPair {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

interface Credential {
  readonly id: string;
  readonly rpId: string;
  readonly userHandle: string;
  readonly privateKey: KeyObject;
  readonly prfSecret: Buffer;
  counter: number;
}

const digest = (data: string | Buffer) => createHash('sha256').update(data).digest();
const json = (value: object) => Buffer.from(JSON.stringify(value));

export class SoftwareAuthenticator {
  readonly #origin: string;
  readonly #counts: boolean;
  readonly credentials: Credential[] = [];

  /**
   * @param origin of the pages: `http://localhost:8080`
   * @param counts whether signatures are counted; passkeys that are copied between devices do not count
   */
  constructor(origin: string, { counts = true }: { counts?: boolean } = {}) {
    this.#origin = origin;
    this.#counts = counts;
  }

  /** For a test platform: its pages are at localhost. */
  static for(platform: { readonly url: string }, options?: { counts?: boolean }): SoftwareAuthenticator {
    return new SoftwareAuthenticator(`http://localhost:${new URL(platform.url).port}`, options);
  }

  /**
   * Makes a passkey.
   * @param options as the platform gives them: challenge, relying party, user
   * @param keys for ES256, EdDSA or RS256
   */
  create(
    options: {
      readonly challenge: string;
      readonly rp: { readonly id?: string };
      readonly user: { readonly id: string };
    },
    lies: Lies = {},
    { privateKey, publicKey }: KeyPair = generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  ): RegistrationResponseJSON {
    const id = randomBytes(32).toString('base64url');
    const credential: Credential = {
      id,
      rpId: options.rp.id ?? '',
      userHandle: options.user.id,
      privateKey,
      prfSecret: randomBytes(32),
      counter: 0,
    };
    this.credentials.push(credential);
    const rawId = Buffer.from(id, 'base64url');
    const length = Buffer.alloc(2);
    length.writeUInt16BE(rawId.length);
    const attested = Buffer.concat([Buffer.alloc(16), length, rawId, coseKey(publicKey)]);
    const authData = Buffer.concat([this.#authenticatorData(credential, lies, true), attested]);
    return {
      id,
      rawId: id,
      type: 'public-key',
      response: {
        clientDataJSON: this.#clientData('webauthn.create', options.challenge, lies).toString('base64url'),
        attestationObject: attestationObject(authData).toString('base64url'),
        transports: ['internal', 'hybrid'],
      },
      authenticatorAttachment: 'platform',
      clientExtensionResults: { credProps: { rk: true }, prf: { enabled: true } },
    };
  }

  /**
   * Answers a nonce with the passkey that was made last, or the one with this id. Each answer is counted.
   * @param options as the platform gives them
   */
  get(
    { nonce }: { readonly nonce: string },
    lies: Lies = {},
    id?: string,
  ): { nonce: string; credential: AuthenticationResponseJSON } {
    const credential =
      id === undefined ? this.credentials.at(-1) : this.credentials.find((one) => one.id === id);
    if (credential === undefined) throw new Error('There is no such passkey.');
    const authData = this.#authenticatorData(credential, lies, false);
    const clientData = this.#clientData('webauthn.get', nonce, lies);
    const signed = Buffer.concat([authData, digest(clientData)]);
    return {
      nonce,
      credential: {
        id: credential.id,
        rawId: credential.id,
        type: 'public-key',
        response: {
          clientDataJSON: clientData.toString('base64url'),
          authenticatorData: authData.toString('base64url'),
          signature: sign(
            credential.privateKey.asymmetricKeyType === 'ed25519' ? null : 'sha256',
            signed,
            credential.privateKey,
          ).toString('base64url'),
          userHandle: credential.userHandle,
        },
        authenticatorAttachment: 'platform',
        clientExtensionResults: {},
      },
    };
  }

  /** A proof of presence, as the routes take it. */
  proof(options: { readonly nonce: string }, lies: Lies = {}, id?: string) {
    return { kind: 'passkey', ...this.get(options, lies, id) } as const;
  }

  /** The output of the PRF extension, which no page sends anywhere. */
  prf(input: Uint8Array, id = this.credentials.at(-1)?.id): Uint8Array {
    const credential = this.credentials.find((one) => one.id === id);
    if (credential === undefined) throw new Error('There is no such passkey.');
    const salt = digest(Buffer.concat([Buffer.from('WebAuthn PRF\0'), input]));
    return new Uint8Array(createHmac('sha256', credential.prfSecret).update(salt).digest());
  }

  #clientData(type: string, challenge: string, lies: Lies): Buffer {
    return json({
      type: lies.type ?? type,
      challenge,
      origin: lies.origin ?? this.#origin,
      crossOrigin: lies.crossOrigin ?? false,
    });
  }

  #authenticatorData(credential: Credential, lies: Lies, attested: boolean): Buffer {
    if (this.#counts) credential.counter += 1;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(lies.counter ?? credential.counter);
    const present = 0x01;
    const verified = lies.userVerified === false ? 0 : 0x04;
    const canBeCopied = lies.backupEligible ?? !this.#counts;
    const copied = (canBeCopied ? 0x08 : 0) | ((lies.backedUp ?? canBeCopied) ? 0x10 : 0);
    const flags = Buffer.from([present | verified | copied | (attested ? 0x40 : 0)]);
    return Buffer.concat([digest(lies.rpId ?? credential.rpId), flags, counter]);
  }
}

/**
 * CBOR of {1: EC2, 3: ES256, -1: P-256, -2: x, -3: y}, {1: OKP, 3: EdDSA, -1: Ed25519, -2: x} or {1: RSA, 3: RS256, -1: n, -2: e}
 * (RFC 9053, RFC 8230).
 */
function coseKey(publicKey: KeyObject): Buffer {
  const { kty, x = '', y = '', n = '', e = '' } = publicKey.export({ format: 'jwk' });
  const bytes = (label: number, value: string) => {
    const data = Buffer.from(value, 'base64url');
    return Buffer.concat([Buffer.from([label]), lengthOf(data), data]);
  };
  if (kty === 'RSA') {
    const start = Buffer.from([0xa4, 0x01, 0x03, 0x03, 0x39, 0x01, 0x00]);
    return Buffer.concat([start, bytes(0x20, n), bytes(0x21, e)]);
  }
  if (kty === 'OKP') {
    const start = Buffer.from([0xa4, 0x01, 0x01, 0x03, 0x27, 0x20, 0x06]);
    return Buffer.concat([start, bytes(0x21, x)]);
  }
  const start = Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01]);
  return Buffer.concat([start, bytes(0x21, x), bytes(0x22, y)]);
}

/** The head of a byte string in CBOR: the shortest one. */
function lengthOf({ length }: Buffer): Buffer {
  if (length < 24) return Buffer.from([0x40 | length]);
  return Buffer.from(length < 256 ? [0x58, length] : [0x59, length >> 8, length & 0xff]);
}

/** CBOR of {fmt: 'none', attStmt: {}, authData}. */
function attestationObject(authData: Buffer): Buffer {
  const text = (value: string) => Buffer.concat([Buffer.from([0x60 | value.length]), Buffer.from(value)]);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(authData.length);
  return Buffer.concat([
    Buffer.from([0xa3]),
    text('fmt'),
    text('none'),
    text('attStmt'),
    Buffer.from([0xa0]),
    text('authData'),
    Buffer.from([0x59]),
    length,
    authData,
  ]);
}
