import type { Regions } from '../core/regions.ts';

/**
 * Text to put before an opaque token, so that a front door knows from it alone which region made it; empty where there is one
 * region.
 */
export function regionMark(regions: Pick<Regions, 'names' | 'own'>): string {
  return regions.names.length > 1 ? `${regions.own}_` : '';
}

const PREFIX_LENGTH = 3;

/** The region that a token names: at its beginning, or after a prefix of three letters. */
export function regionInToken(token: string, regions: Pick<Regions, 'has'>): string | undefined {
  const [first = '', second] = token.split('_', 3);
  const candidates = first.length === PREFIX_LENGTH ? [second, first] : [first];
  return candidates.find((name) => name !== undefined && regions.has(name));
}
