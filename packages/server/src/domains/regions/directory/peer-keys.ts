import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  diffieHellman,
  hkdfSync,
  type KeyObject,
} from 'node:crypto';
import type { Config } from '../../../core/config.ts';
import type { KeyRing } from '../../../core/key-ring.ts';

/** The ids of the keys of which a shared key is made: the sender's and the receiver's. */
export type KeyPair = readonly [sender: string, receiver: string];

/** A way of a call: the names of who sends and who receives it. */
interface Way {
  readonly from: string;
  readonly to: string;
}

/**
 * The keys by which the regions and the front door know each other. Each has its own X25519 pair; of its own private key and
 * the public key of another comes the key that only these two have, one for each direction.
 */
export interface PeerKeys {
  /** The pairs of keys for calls to another: the one to try first, then those it may still expect while keys are changed. */
  pairsWith(other: string): readonly KeyPair[];
  /** Authenticates calls that are sent from here; undefined for keys that are not there. */
  sending(way: Way, ids: KeyPair): KeyObject | undefined;
  /** Authenticates calls that are received here; undefined for keys that are not there. */
  receiving(way: Way, ids: KeyPair): KeyObject | undefined;
}

/** Where the keys come from. */
interface Source extends Pick<PeerKeys, 'pairsWith'> {
  privateKey(own: string, id: string): KeyObject | undefined;
  publicKey(other: string, id: string): KeyObject | undefined;
}

function sharedKeys({ pairsWith, privateKey, publicKey }: Source): PeerKeys {
  const made = new Map<string, KeyObject>();
  const shared = (
    { from, to }: Way,
    ids: KeyPair,
    own: KeyObject | undefined,
    other: KeyObject | undefined,
  ) => {
    if (own === undefined || other === undefined) return undefined;
    const name = JSON.stringify([from, to, ...ids]);
    let key = made.get(name);
    if (key === undefined) {
      const secret = diffieHellman({ privateKey: own, publicKey: other });
      key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `symbolon peer call ${name}`, 32)));
      made.set(name, key);
    }
    return key;
  };
  return {
    pairsWith,
    sending: (way, ids) => shared(way, ids, privateKey(way.from, ids[0]), publicKey(way.to, ids[1])),
    receiving: (way, ids) => shared(way, ids, privateKey(way.to, ids[1]), publicKey(way.from, ids[0])),
  };
}

/** PKCS#8 of an X25519 private key, up to its 32 bytes (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b656e04220420', 'hex');

/**
 * The keys of all regions, derived from the secret that they share. Who steals the secret of one region can call in the name of
 * all: where that matters, every region gets its own pair by SYMBOLON_PEER_KEY and SYMBOLON_PEER_PUBLIC_KEYS.
 */
export function derivedKeys(names: ReadonlySet<string>, keys: KeyRing): PeerKeys {
  const made = new Map<string, { readonly privateKey: KeyObject; readonly publicKey: KeyObject }>();
  const pairOf = (name: string, id: string) => {
    if (!names.has(name) || !/^[1-9]\d{0,5}$/.test(id) || !keys.has(Number(id))) return undefined;
    let pair = made.get(`${name} ${id}`);
    if (pair === undefined) {
      const seed = keys.key('peer', Number(id));
      const bytes = createHmac('sha256', seed).update(`peer key of ${name}`).digest();
      const der = Buffer.concat([PKCS8_PREFIX, bytes]);
      const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
      pair = { privateKey, publicKey: createPublicKey(privateKey) };
      made.set(`${name} ${id}`, pair);
    }
    return pair;
  };
  return sharedKeys({
    pairsWith() {
      const others = keys.versions.filter((version) => version !== keys.current).reverse();
      return [keys.current, ...others].map((version) => [String(version), String(version)] as const);
    },
    privateKey: (own, id) => pairOf(own, id)?.privateKey,
    publicKey: (other, id) => pairOf(other, id)?.publicKey,
  });
}

/** The configured keys: the own private one, and the public ones of all. A public key is its own id. */
export function configuredKeys({ privateKey, publicKeys }: NonNullable<Config['peerKeys']>): PeerKeys {
  const ownId = idOf(createPublicKey(privateKey));
  const known = new Map(publicKeys.map(({ region, key }) => [`${region} ${idOf(key)}`, key] as const));
  return sharedKeys({
    pairsWith: (other) =>
      publicKeys.filter(({ region }) => region === other).map(({ key }) => [ownId, idOf(key)] as const),
    privateKey: (_own, id) => (id === ownId ? privateKey : undefined),
    publicKey: (other, id) => known.get(`${other} ${id}`),
  });
}

const idOf = (key: KeyObject) =>
  key.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64url');
