import { Worker } from '../../core/worker.ts';
import { type Core, combine } from '../domain.ts';
import type { Audit, Maintenance, OperatorActs } from '../operations/index.ts';
import { createSigningKeys, keepSigningKeys } from './signing-keys/index.ts';
import { createSignInTokens } from './tokens/index.ts';

/** How soon it is saved that a code was used, once it can be. */
const SETTLE_MS = 1000;

/** The codes and tokens of sign-ins, with what works on them beside requests. */
export function createSignIns(
  core: Core,
  needs: { audit: Audit; maintenance: Maintenance; acts: OperatorActs },
) {
  const signingKeys = createSigningKeys(core);
  const tokens = createSignInTokens(core, { ...needs, signingKeys });
  const { usedCodes } = tokens;
  const settling = new Worker({
    ...core,
    name: 'codes used while saving was paused',
    pauseMs: SETTLE_MS,
    work: async () => {
      if (!needs.maintenance.workPaused) await usedCodes.settle();
    },
  });
  // In the processes that exchange codes: what is owed is in their memory.
  const workers = [{ role: 'region', start: () => settling.start(), stop: () => settling.stop() }] as const;
  const domain = combine(tokens.domain, keepSigningKeys(core, { ...needs, signingKeys }), { workers });
  return { ...tokens, signingKeys, domain };
}
