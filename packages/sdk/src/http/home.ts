import { RegionError } from './errors.ts';
import { type Answer, type Call, normalizeBase, type Transport } from './transport.ts';

/**
 * The base URL that a response names, or `undefined` when the client must not follow it. Secrets are sent only over https,
 * or over http when the configured base URL uses http.
 */
export function followedBase(first: string, apiUrl: unknown): string | undefined {
  const base = typeof apiUrl === 'string' ? normalizeBase(apiUrl) : undefined;
  const plain = first.startsWith('http:');
  return base?.startsWith('https:') || (plain && base?.startsWith('http:')) ? base : undefined;
}

/**
 * Sends a call that signs in. After a 421 it is sent once more, to the base URL in the response (wire 5.2). Returns the base
 * URL that answered.
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
