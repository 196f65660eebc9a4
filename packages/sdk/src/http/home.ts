import { RegionError } from './errors.ts';
import { type Answer, type Call, normalizeBase, type Transport } from './transport.ts';

/**
 * The base that an answer names, when it may be followed: a secret goes out only over https, or over http when the first
 * base itself was configured so.
 */
export function followedBase(first: string, apiUrl: unknown): string | undefined {
  const base = typeof apiUrl === 'string' ? normalizeBase(apiUrl) : undefined;
  const plain = first.startsWith('http:');
  return base?.startsWith('https:') || (plain && base?.startsWith('http:')) ? base : undefined;
}

/**
 * A call by which somebody signs in, sent to the base given or, when that answers 421, to the one it names: once (wire 5.2).
 * Gives the base that answered.
 */
export async function sendHome(
  transport: Transport,
  base: string,
  call: Call,
): Promise<{ answer: Answer; base: string }> {
  try {
    return { answer: await transport.send(base, call), base };
  } catch (error) {
    const named = error instanceof RegionError && error.errorKey === 'region.rebase_required';
    const home = named ? followedBase(base, error.details.api_url) : undefined;
    if (home === undefined) throw error;
    return { answer: await transport.send(home, call), base: home };
  }
}
