import { fingerprint, fingerprintWords } from '@symbolon/crypto';
import { InvalidRequestError, UnconfirmedKeyError } from '../http/errors.ts';

/** What a link or QR code of a company says about its service. */
export type ConnectLink = {
  companyCode: string;
  serviceCode: string;
  /** The first 32 hexadecimal digits of the fingerprint of the service's key; undefined in a link without them. */
  keyPrefix?: string | undefined;
};

/** 128 bits: a second key that begins so cannot be found. */
const PREFIX_LENGTH = 32;

/**
 * The address for a link or QR code that leads people to a service. It carries the beginning of the key's fingerprint behind
 * the `#`, which browsers do not send, so that a device compares the key of its first use with what the company has printed.
 * Make it from the service's own key, not from what the platform shows.
 *
 * @param baseUrl the front door, for example `https://symbolon.example`
 * @param fingerprint SHA-256 of the service's public key, 64 hexadecimal digits
 */
export function connectLink(
  baseUrl: string,
  {
    companyCode,
    serviceCode,
    fingerprint,
  }: { companyCode: string; serviceCode: string; fingerprint: string },
): string {
  if (!/^[0-9a-f]{64}$/i.test(fingerprint)) {
    throw refuse('The fingerprint is not 64 hexadecimal digits.');
  }
  const codes = [companyCode, serviceCode].map(encodeURIComponent).join('/');
  const prefix = fingerprint.slice(0, PREFIX_LENGTH).toLowerCase();
  return `${baseUrl.replace(/\/+$/, '')}/connect/${codes}#k=${prefix}`;
}

/**
 * Reads such an address.
 *
 * @throws InvalidRequestError `sdk.link_invalid`, also when what stands behind the `#` is no part of a fingerprint
 */
export function readConnectLink(link: string): ConnectLink {
  const url = URL.parse(link.trim());
  const codes = /^(?:.*)\/connect\/([^/]+)\/([^/]+)\/?$/.exec(url?.pathname ?? '');
  const [companyCode, serviceCode] = codes?.slice(1).map(decoded) ?? [];
  if (!url || !companyCode || !serviceCode) throw refuse('This is no link to a service.');
  const keyPrefix = new URLSearchParams(url.hash.slice(1)).get('k')?.toLowerCase();
  if (keyPrefix === undefined) return { companyCode, serviceCode };
  requirePart(keyPrefix);
  return { companyCode, serviceCode, keyPrefix };
}

/** With a shorter one anybody finds another key. */
function requirePart(keyPrefix: string): void {
  if (!/^[0-9a-f]+$/.test(keyPrefix) || keyPrefix.length < PREFIX_LENGTH || keyPrefix.length > 64)
    throw refuse('The link is damaged: the fingerprint in it is not complete.');
}

/**
 * The key of the service that a link leads to is the one of the link.
 * @throws UnconfirmedKeyError `sdk.link_key_differs`; InvalidRequestError `sdk.link_invalid`
 */
export async function checkLink(
  { keyPrefix }: Pick<ConnectLink, 'keyPrefix'>,
  publicKey: string,
): Promise<void> {
  if (keyPrefix === undefined) return;
  const prefix = keyPrefix.toLowerCase();
  requirePart(prefix);
  const sha256 = await fingerprint(publicKey);
  if (sha256.startsWith(prefix)) return;
  throw new UnconfirmedKeyError({
    errorKey: 'sdk.link_key_differs',
    message:
      'Nothing was sealed: the platform names another key for the service than the one in the link. Ask the company whether its key was replaced since the link was made.',
    details: { fingerprint: sha256, words: await fingerprintWords(sha256), link: keyPrefix },
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

function refuse(message: string): InvalidRequestError {
  return new InvalidRequestError({ errorKey: 'sdk.link_invalid', message });
}
