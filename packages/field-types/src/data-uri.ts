/** A file inside an envelope, taken apart. */
export interface DataUri {
  /** Media type without parameters, lower case. */
  readonly mimeType: string;
  /** Canonical, padded base64 (RFC 4648, section 4). */
  readonly base64: string;
}

/**
 * Takes `data:<mime>[;parameters];base64,<base64>` (RFC 2397) apart; undefined for anything else. Linear in
 * its length, without decoding.
 */
export function parseDataUri(text: string): DataUri | undefined {
  const comma = text.indexOf(',');
  if (comma < 0 || comma > HEADER_MOST) return undefined;
  const header =
    /^data:([a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*)(;[a-z0-9-]+=[^\s;,]+)*;base64$/i;
  const mimeType = header.exec(text.slice(0, comma))?.[1];
  const base64 = text.slice(comma + 1);
  if (mimeType === undefined || !isCanonicalBase64(base64)) return undefined;
  return { mimeType: mimeType.toLowerCase(), base64 };
}

/** Do the bytes begin with these ASCII characters? */
export function startsWith({ base64 }: DataUri, prefix: string): boolean {
  return atob(base64.slice(0, Math.ceil(prefix.length / 3) * 4)).startsWith(prefix);
}

const HEADER_MOST = 500;

function isCanonicalBase64(base64: string): boolean {
  if (base64.length % 4 !== 0) return false;
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  const digits = base64.slice(0, base64.length - padding);
  // Searches for invalid characters: matching groups of four over megabytes exhausts the stack of the engine.
  if (/[^A-Za-z0-9+/]/.test(digits)) return false;
  // The bits that the last digit holds beyond the last byte are zero.
  if (padding === 2) return /[AQgw]$/.test(digits.slice(-1));
  if (padding === 1) return /[AEIMQUYcgkosw048]$/.test(digits.slice(-1));
  return true;
}
