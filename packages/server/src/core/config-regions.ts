import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { baseUrlOf } from './base-url.ts';
import type { Config } from './config.ts';
import { ConfigError } from './config-error.ts';
import { isLoopbackHost } from './ip-address.ts';

/** @throws {ConfigError} when the variables about regions do not fit together */
export function checkRegions({ regions, region, roles, secret, frontDoorUrl, peerKeys }: Config): void {
  if (regions.size === 0) {
    if (!roles.has('region') && roles.has('front-door')) {
      throw new ConfigError('SYMBOLON_REGIONS takes the regions to which this front door leads.');
    }
    return;
  }
  if (secret === undefined) {
    throw new ConfigError('SYMBOLON_SECRET takes the secret that all regions share, when there are several.');
  }
  if (roles.has('region') && !regions.has(region)) {
    throw new ConfigError(`SYMBOLON_REGIONS takes every region, also this one: "${region}" is missing.`);
  }
  if (!roles.has('front-door') && frontDoorUrl === undefined) {
    throw new ConfigError('SYMBOLON_FRONT_DOOR_URL takes the base URL of the front door, which is not here.');
  }
  for (const name of peerKeys === undefined ? [] : [...regions.keys(), 'front-door']) {
    if (peerKeys?.publicKeys.some((one) => one.region === name)) continue;
    throw new ConfigError(
      `SYMBOLON_PEER_PUBLIC_KEYS takes a key of every region and of the front door: "${name}" is missing.`,
    );
  }
}

/** Calls between regions carry data of all companies. @throws {ConfigError} */
export function checkTransport({ regions, frontDoorUrl }: Config): void {
  const bases: [string, string][] = [...regions.values()].map((base) => ['SYMBOLON_REGIONS', base]);
  if (frontDoorUrl !== undefined) bases.push(['SYMBOLON_FRONT_DOOR_URL', frontDoorUrl]);
  for (const [name, base] of bases) {
    const { protocol, hostname } = new URL(base);
    if (protocol === 'https:' || isLoopbackHost(hostname)) continue;
    throw new ConfigError(
      `${name} takes https:// addresses, not ${base}. On a private network SYMBOLON_DANGEROUSLY_ALLOW_PLAIN_HTTP_BETWEEN_REGIONS=true allows plain HTTP.`,
    );
  }
}

/** @throws {ConfigError}, which does not repeat the private key */
export function readPeerKeys(own: string | undefined, all: string | undefined): Config['peerKeys'] {
  if (own === undefined && all === undefined) return undefined;
  if (own === undefined || all === undefined)
    throw new ConfigError('SYMBOLON_PEER_KEY and SYMBOLON_PEER_PUBLIC_KEYS are set together, or neither.');
  const readKey = <T extends KeyObject>(name: string, read: () => T): T => {
    try {
      const key = read();
      if (key.asymmetricKeyType === 'x25519') return key;
    } catch {}
    throw new ConfigError(
      `${name} takes X25519 keys, each as the base64 of its DER: see the page on several regions.`,
    );
  };
  const der = (text: string) => Buffer.from(text, 'base64');
  const privateKey = readKey('SYMBOLON_PEER_KEY', () =>
    createPrivateKey({ key: der(own), format: 'der', type: 'pkcs8' }),
  );
  const publicKeys = all.split(',').map((entry) => {
    const [, region = '', text = ''] = /^\s*([a-z0-9-]{1,32})=(\S+)\s*$/.exec(entry) ?? [];
    const key = readKey('SYMBOLON_PEER_PUBLIC_KEYS', () =>
      createPublicKey({ key: der(text), format: 'der', type: 'spki' }),
    );
    return { region, key };
  });
  return { privateKey, publicKeys };
}

/** @throws {ConfigError} */
export function readRegions(text: string): ReadonlyMap<string, string> {
  const regions = new Map<string, string>();
  for (const entry of text.split(',').filter((part) => part.trim() !== '')) {
    const [, name, address = ''] = /^\s*([a-z0-9-]{1,32})=(\S+)\s*$/.exec(entry) ?? [];
    const base = baseUrlOf(address);
    if (name === undefined || base === undefined || regions.has(name)) {
      throw new ConfigError(
        'SYMBOLON_REGIONS takes <name>=<base URL>, separated by commas, each name once: eu=https://eu.example.com,us=https://us.example.com.',
      );
    }
    regions.set(name, base);
  }
  return regions;
}
