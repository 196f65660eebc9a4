import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import type { OutgoingNetwork } from '../../../server/src/domains/delivery/index.ts';
import { eventually } from '../platform/eventually.ts';
import { createCertificate } from './certificate.ts';
import { Nameserver } from './nameserver.ts';
import { type Receiver, startReceiver } from './receiver.ts';

/** Any public address: the dial of the tests leads every connection to this machine. */
const PUBLIC = '93.184.216.34';
const PRIVATE = '10.0.0.7';
const privateNameOf = (host: string) => `private-${host}`;

/** The claims of a VAPID token (RFC 8292). */
export interface VapidClaims {
  readonly aud: string;
  /** Seconds since 1970. */
  readonly exp: number;
  readonly sub: string;
}

/** A message as a push service gets it, opened as the browser would. */
export interface ReceivedPush {
  readonly browser: TestBrowser | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
  readonly vapid: VapidClaims;
  /** The key that signed, as it was sent. */
  readonly key: string;
}

/** What the push service answers. */
export interface PushReaction {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A browser that has subscribed: its keys never leave it. */
export class TestBrowser {
  readonly endpoint: string;
  readonly #keys: ECDH = createECDH('prime256v1');
  readonly #auth = randomBytes(16);

  constructor(endpoint: string) {
    this.endpoint = endpoint;
    this.#keys.generateKeys();
  }

  /** As `PushSubscription.toJSON()` gives it. */
  get subscription() {
    const p256dh = this.#keys.getPublicKey().toString('base64url');
    return {
      endpoint: this.endpoint,
      expirationTime: null,
      keys: { p256dh, auth: this.#auth.toString('base64url') },
    };
  }

  /** Opens a message (RFC 8291 section 3.4, RFC 8188 section 2) of one record. @throws Error when it is not for this browser */
  open(bytes: Buffer): string {
    const salt = bytes.subarray(0, 16);
    const recordSize = bytes.readUInt32BE(16);
    const keyLength = bytes.readUInt8(20);
    const sender = bytes.subarray(21, 21 + keyLength);
    const record = bytes.subarray(21 + keyLength);
    if (record.length > recordSize) throw new Error('The message has more than one record.');
    const hkdf = (secret: Uint8Array, from: Uint8Array, info: Buffer, length: number) =>
      Buffer.from(hkdfSync('sha256', secret, from, info, length));
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), this.#keys.getPublicKey(), sender]);
    const secret = hkdf(this.#keys.computeSecret(sender), this.#auth, info, 32);
    const key = hkdf(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
    const nonce = hkdf(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
    const decipher = createDecipheriv('aes-128-gcm', key, nonce);
    decipher.setAuthTag(record.subarray(-16));
    const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
    const end = padded.lastIndexOf(2);
    if (end < 0) throw new Error('The record is not the last one.');
    return padded.subarray(0, end).toString();
  }
}

/** A push service on this machine, reached under a public name by TLS. */
export class PushService {
  readonly host: string;
  readonly received: ReceivedPush[] = [];
  react: (push: ReceivedPush) => PushReaction | 'hang' = () => ({ status: 201 });
  /** A name that leads into a private network. */
  readonly privateHost: string;
  readonly nameserver: Nameserver;
  #receiver!: Receiver;
  readonly #ca: string;
  readonly #browsers = new Map<string, TestBrowser>();

  private constructor(host: string, nameserver: Nameserver, ca: string) {
    this.host = host;
    this.privateHost = privateNameOf(host);
    this.nameserver = nameserver;
    this.#ca = ca;
  }

  static async start(host = 'push.example.com'): Promise<PushService> {
    const certificate = createCertificate(`DNS:${host}`, `DNS:${privateNameOf(host)}`);
    const nameserver = await Nameserver.start((name, family) =>
      family === 6 ? [] : [name === privateNameOf(host) ? PRIVATE : PUBLIC],
    );
    const made = new PushService(host, nameserver, certificate.cert);
    made.#receiver = await startReceiver(
      ({ url = '', headers }, body, response) => {
        const push = made.#read(url, headers, body);
        const reaction = made.react(push);
        made.received.push(push);
        if (reaction !== 'hang') response.writeHead(reaction.status, reaction.headers ?? {}).end();
      },
      { tls: certificate },
    );
    return made;
  }

  /** What a platform needs to reach it. */
  get environment() {
    return {
      SYMBOLON_DNS_SERVERS: this.nameserver.address,
      SYMBOLON_PUSH_SUBJECT: 'mailto:push@symbolon.dev',
    };
  }

  get outgoing(): OutgoingNetwork {
    const { port } = this.#receiver;
    return {
      ca: this.#ca,
      dial: ([address]) =>
        Object.defineProperty(connect(port, '127.0.0.1'), 'remoteAddress', { value: address?.address }),
    };
  }

  newBrowser(host = this.host): TestBrowser {
    const path = `/send/${randomBytes(16).toString('base64url')}`;
    const browser = new TestBrowser(`https://${host}${path}`);
    this.#browsers.set(path, browser);
    return browser;
  }

  /** Waits for so many messages. */
  async count(many: number): Promise<readonly ReceivedPush[]> {
    await eventually(`${many} push messages`, () => (this.received.length >= many ? true : undefined));
    return this.received;
  }

  async stop(): Promise<void> {
    this.nameserver.stop();
    await this.#receiver.stop();
  }

  #read(path: string, headers: IncomingHttpHeaders, bytes: Buffer): ReceivedPush {
    const browser = this.#browsers.get(path);
    const [, token = '', key = ''] =
      /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(headers.authorization ?? '') ?? [];
    const vapid = claimsOf(token, key);
    return { browser, headers, bytes, text: browser?.open(bytes) ?? '', vapid, key };
  }
}

/** The claims of a token that this key signed (RFC 7515, ES256). @throws Error */
function claimsOf(token: string, key: string): VapidClaims {
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y } as never, format: 'jwk' });
  const [header = '', payload = '', signature = ''] = token.split('.');
  const isGood = verify(
    'sha256',
    Buffer.from(`${header}.${payload}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isGood) throw new Error('The token is not signed with its key.');
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as VapidClaims;
}
