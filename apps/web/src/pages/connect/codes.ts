import type { Codes } from '../../platform/requests.ts';

/**
 * The codes in what a person typed, pasted or scanned: `K7M4XQ/BIKE`, with any spaces and marks between the two, or the address of a
 * page that names them, with the part of the key's fingerprint where it has one. Undefined when there are not two, or the part is damaged.
 */
export function codesIn(text: string): Codes | undefined {
  const path = /\/connect\/([^/?#\s]+)\/([^/?#\s]+)/.exec(text);
  const [company, service, ...rest] = path
    ? [path[1], path[2]].map((part) => decodeURIComponent(part ?? ''))
    : text.trim().split(/[\s/·.,:;-]+/u);
  if (!company || !service || rest.length > 0) return undefined;
  const key = path ? keyIn(text.slice(text.indexOf('#'))) : undefined;
  if (key !== undefined && !isKeyPart(key)) return undefined;
  return { company: company.toUpperCase(), service: service.toUpperCase(), ...(key && { key }) };
}

/** What stands behind the `#` of a link: the part of a fingerprint. */
export const keyIn = (hash: string): string | undefined =>
  hash.startsWith('#') ? (new URLSearchParams(hash.slice(1)).get('k') ?? undefined) : undefined;

/** Whether it is a part of a fingerprint of which a second key cannot be found. */
export const isKeyPart = (text: string): boolean => /^[0-9a-f]{32,64}$/i.test(text);

/** What the address of the page says on which a person connects. */
export const searchOf = ({ company, service, key }: Codes) => ({ code: `${company}/${service}`, k: key });

/** The address that leads a person to a service: it stands in QR codes. */
export const addressOf = ({ company, service }: Codes): string =>
  `/connect/${encodeURIComponent(company)}/${encodeURIComponent(service)}`;
