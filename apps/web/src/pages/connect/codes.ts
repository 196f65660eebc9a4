import type { Codes } from '../../platform/requests.ts';

/**
 * The codes in what a person typed, pasted or scanned: `K7M4XQ/BIKE`, with any spaces and marks between the two, or the address of a
 * page that names them, with the fingerprint of the key where it has that. Undefined when there are not two.
 */
export function codesIn(text: string): Codes | undefined {
  const path = /\/connect\/([^/?#\s]+)\/([^/?#\s]+)/.exec(text);
  const [company, service, ...rest] = path
    ? [path[1], path[2]].map((part) => decodeURIComponent(part ?? ''))
    : text.trim().split(/[\s/·.,:;-]+/u);
  if (!company || !service || rest.length > 0) return undefined;
  const key = path && /#(?:.*&)?k=([0-9a-f]{32,64})(?:&|$)/i.exec(text)?.[1]?.toLowerCase();
  return { company: company.toUpperCase(), service: service.toUpperCase(), ...(key && { key }) };
}

/** The page on which a person connects. */
export const searchOf = ({ company, service, key }: Codes) => ({ code: `${company}/${service}`, k: key });

/** The address that leads a person to a service: it stands in QR codes. */
export const addressOf = ({ company, service }: Codes): string =>
  `/connect/${encodeURIComponent(company)}/${encodeURIComponent(service)}`;
