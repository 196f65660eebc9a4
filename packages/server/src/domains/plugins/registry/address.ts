import type { Config } from '../../../core/config.ts';
import { isLoopbackHost } from '../../../core/ip-address.ts';
import { checkTargetUrl } from '../../../outgoing/target-url.ts';

/** What decides about addresses: the hosts of the platform, and whether this machine may be called. */
export type AddressRules = Pick<
  Config,
  'dangerouslyAllowLoopbackWebhooks' | 'frontDoorUrl' | 'regions' | 'forwarderUrl'
> & {
  /** The base URL under which clients reach this process. */
  readonly ownUrl: string;
};

/**
 * The base of a plugin as it is stored: without a trailing slash.
 * @returns why it can never be one, as a sentence for people (wire 14.1)
 */
export function readBaseUrl(text: string, rules: AddressRules): { base: string } | { problem: string } {
  const problem = checkTargetUrl(text, { allowLoopback: rules.dangerouslyAllowLoopbackWebhooks });
  if (problem !== undefined) return { problem };
  const { href, host, hostname } = new URL(text);
  // In a serialized URL a question mark always begins a query, which may be empty.
  if (href.includes('?')) return { problem: 'The address must not contain a query.' };
  const own = [rules.ownUrl, rules.frontDoorUrl, rules.forwarderUrl, ...rules.regions.values()];
  const isOwn = (url: URL | null) =>
    // On this machine, plugins that are being written stand beside the platform.
    isLoopbackHost(hostname) ? url?.host === host : url?.hostname === hostname;
  if (own.some((url) => url !== undefined && isOwn(URL.parse(url))))
    return { problem: 'The address is one of the platform itself.' };
  return { base: href.replace(/\/+$/, '') };
}
