/**
 * Whether an Accept header prefers XML to JSON (RFC 9110 12.5.1). JSON wins a tie, and whenever neither is named.
 */
export function prefersXml(accept: string | undefined): boolean {
  if (accept === undefined || !/xml/i.test(accept)) return false;
  let json = 0;
  let xml = 0;
  for (const part of accept.split(',')) {
    const [range = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    const quality = weight === undefined ? 1 : Number(weight) || 0;
    if (range === 'application/xml') xml = Math.max(xml, quality);
    if (range === 'application/json') json = Math.max(json, quality);
  }
  return xml > json;
}

/** How answers are compressed, the smallest first. */
const ENCODINGS = ['br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** The best encoding that an Accept-Encoding header names, among those that there are; undefined: as it is. */
export function bestEncoding(
  acceptEncoding: string | undefined,
  isThere: (encoding: Encoding) => boolean = () => true,
): Encoding | undefined {
  const accepted = (acceptEncoding ?? '').split(',').map((part) => part.trim());
  return ENCODINGS.find((encoding) => accepted.includes(encoding) && isThere(encoding));
}

/** Whether an Accept header names HTML, as those of browsers do when a page is opened. */
export function takesHtml(accept: string | undefined): boolean {
  return /\btext\/html\b/i.test(accept ?? '');
}
