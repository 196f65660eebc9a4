import { isIP } from 'node:net';
import { isLoopbackAddress } from '../../../core/ip-address.ts';
import type { Core } from '../../domain.ts';

/** The relying party of passkeys: the host of the pages, and the origins from which they may be used. */
export interface RelyingParty {
  /** Empty where there can be none: browsers take no IP address. */
  readonly id: string;
  readonly origins: readonly string[];
}

/**
 * The relying party follows from the public URL. With several regions the pages are at the front door, whichever region
 * checks the answer.
 */
export function relyingParty({ config, publicUrl }: Pick<Core, 'config' | 'publicUrl'>): RelyingParty {
  const base = config.frontDoorUrl ?? publicUrl();
  if (!URL.canParse(base)) return { id: '', origins: [] };
  const url = new URL(base);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  // Pages of this machine are opened at localhost, also when the server calls itself by its address.
  if (isLoopbackAddress(host)) {
    url.hostname = 'localhost';
    return { id: 'localhost', origins: [url.origin] };
  }
  return isIP(host) === 0 ? { id: host, origins: [url.origin] } : { id: '', origins: [] };
}
