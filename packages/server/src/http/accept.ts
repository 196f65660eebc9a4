/** A weight as the standard writes it (RFC 9110 12.4.2). */
const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;
/** A name that another one has as well (RFC 9110 8.4.1.3). */
const ALIASES: Readonly<Record<string, string>> = { 'x-gzip': 'gzip' };

/**
 * Weights by what is named, in lower case; 1 where none is said. A weight of another form is 0: what it names is not chosen
 * for it, and without a choice the answer is JSON, as it is, which every caller takes.
 */
function weightsOf(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const part of header.split(',')) {
    const [named = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    if (named === '') continue;
    const name = ALIASES[named] ?? named;
    const weight = parameters.find((parameter) => /^q\s*(=|$)/.test(parameter)) ?? 'q=1';
    weights.set(name, Math.max(weights.get(name) ?? 0, Number(WEIGHT.exec(weight)?.[1] ?? 0)));
  }
  return weights;
}

/** What an Accept header weighs a type: of the ranges that have it, the most specific one says so (RFC 9110 12.5.1). */
function weightOf(weights: ReadonlyMap<string, number>, type: string): number {
  return weights.get(type) ?? weights.get(type.replace(/\/.*/, '/*')) ?? weights.get('*/*') ?? 0;
}

/** Whether an Accept header prefers XML to JSON, which wins a tie. */
export function prefersXml(accept: string | undefined): boolean {
  // Without a weight and without XML by name there is no preference: most callers accept JSON or everything.
  if (accept === undefined || !/xml|q=/i.test(accept)) return false;
  const weights = weightsOf(accept);
  return weightOf(weights, 'application/xml') > weightOf(weights, 'application/json');
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

/** Whether an Accept header names HTML, as those of browsers do when a page is opened, and does not prefer JSON to it. */
export function takesHtml(accept: string | undefined): boolean {
  const weights = weightsOf(accept ?? '');
  const html = weights.get('text/html') ?? 0;
  return html > 0 && html >= weightOf(weights, 'application/json');
}
