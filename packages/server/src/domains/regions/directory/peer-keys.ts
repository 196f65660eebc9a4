import { createHmac, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import type { Config } from '../../../core/config.ts';
import type { KeyRing } from '../../../core/key-ring.ts';

/** The keys by which the regions and the front door know each other: Ed25519, one pair for each. */
export interface PeerKeys {
  /** The ids of the own keys, the one to sign with first. */
  readonly own: readonly string[];
  signingKey(id: string): KeyObject;
  /** The public key of another region under an id; undefined when there is none. */
  publicKey(region: string, id: string): KeyObject | undefined;
}

/** PKCS#8 of an Ed25519 private key, up to its 32 bytes (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * The key pairs of all regions, derived from the secret that they share. Who steals the secret of one region can sign for
 * all: where that matters, every region gets its own pair by SYMBOLON_PEER_KEY and SYMBOLON_PEER_PUBLIC_KEYS.
 */
export function derivedKeys(own: string, names: ReadonlySet<string>, keys: KeyRing): PeerKeys {
  const made = new Map<string, KeyObject>();
  const privateKey = (region: string, version: number) => {
    const seed = keys.key('peer', version);
    const name = `${region} ${version}`;
    let key = made.get(name);
    if (key === undefined) {
      const bytes = createHmac('sha256', seed).update(`peer key of ${region}`).digest();
      key = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, bytes]), format: 'der', type: 'pkcs8' });
      made.set(name, key);
    }
    return key;
  };
  const published = new Map<string, KeyObject>();
  return {
    get own() {
      const others = keys.versions.filter((version) => version !== keys.current).reverse();
      return [keys.current, ...others].map(String);
    },
    signingKey: (id) => privateKey(own, Number(id)),
    publicKey(region, id) {
      if (!names.has(region) || !/^[1-9]\d{0,5}$/.test(id) || !keys.has(Number(id))) return undefined;
      const name = `${region} ${id}`;
      const key = published.get(name) ?? createPublicKey(privateKey(region, Number(id)));
      published.set(name, key);
      return key;
    },
  };
}

/** The configured keys: the own private one, and the public ones of all. A public key is its own id. */
export function configuredKeys({ privateKey, publicKeys }: NonNullable<Config['peerKeys']>): PeerKeys {
  const id = idOf(createPublicKey(privateKey));
  const known = new Map(publicKeys.map(({ region, key }) => [`${region} ${idOf(key)}`, key] as const));
  return {
    own: [id],
    signingKey: () => privateKey,
    publicKey: (region, keyId) => known.get(`${region} ${keyId}`),
  };
}

const idOf = (key: KeyObject) =>
  key.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64url');
