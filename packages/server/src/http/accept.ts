/** Weights by what is named, in lower case (RFC 9110 12.4.2); 1 where none is said. */
function weightsOf(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const part of header.split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    const quality = weight === undefined ? 1 : Number(weight) || 0;
    if (name !== '') weights.set(name, Math.max(weights.get(name) ?? 0, quality));
  }
  return weights;
}

/**
 * Whether an Accept header prefers XML to JSON: of the ranges that have a type, the most specific one says its weight
 * (RFC 9110 12.5.1). JSON wins a tie.
 */
export function prefersXml(accept: string | undefined): boolean {
  // Without a weight and without XML by name there is no preference: most callers accept JSON or everything.
  if (accept === undefined || !/xml|q=/i.test(accept)) return false;
  const weights = weightsOf(accept);
  const any = weights.get('application/*') ?? weights.get('*/*') ?? 0;
  return (weights.get('application/xml') ?? any) > (weights.get('application/json') ?? any);
}

/** How answers are compressed, the smallest first. */
const ENCODINGS = ['br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/**
 * The encoding that an Accept-Encoding header weighs most, the smallest of equal ones, among those that there are
 * (RFC 9110 12.5.3); undefined: as it is.
 */
export function bestEncoding(
  acceptEncoding: string | undefined,
  isThere: (encoding: Encoding) => boolean = () => true,
): Encoding | undefined {
  const weights = weightsOf(acceptEncoding ?? '');
  let best: Encoding | undefined;
  let most = weights.get('identity') ?? 0;
  for (const encoding of ENCODINGS) {
    const weight = weights.get(encoding) ?? weights.get('*') ?? 0;
    const isBetter = best === undefined ? weight >= most && weight > 0 : weight > most;
    if (isBetter && isThere(encoding)) [best, most] = [encoding, weight];
  }
  return best;
}

/** Whether an Accept header names HTML, as those of browsers do when a page is opened. */
export function takesHtml(accept: string | undefined): boolean {
  return /\btext\/html\b/i.test(accept ?? '');
}
