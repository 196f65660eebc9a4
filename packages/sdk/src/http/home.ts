import { followedBase } from '@symbolon/protocol/constants';
import { RegionError } from './errors.ts';
import type { Answer, Call, Transport } from './transport.ts';

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
