import { Worker } from '../../core/worker.ts';
import { type Core, combine, type Domain } from '../domain.ts';
import type { Maintenance } from '../operations/index.ts';
import { createSigningKeys } from './signing-keys/index.ts';
import { createSignInTokens, type UsedCodes } from './tokens/index.ts';

/** How soon it is saved that a code was used, once it can be. */
const SETTLE_MS = 1000;

/** What approval does for domains before it: it exchanges the codes of sign-ins. Made before them. */
export function createApprovalPorts(core: Core) {
  const keys = createSigningKeys(core);
  const tokens = createSignInTokens(core, keys);
  const { signingKeys } = keys;
  return { ...tokens, signingKeys, signInDomain: combine(keys.domain, tokens.domain) };
}

/** The tokens of sign-ins, with what works on them beside requests. */
export function createSignIns(
  core: Core,
  {
    signInDomain,
    usedCodes,
    maintenance,
  }: { signInDomain: Domain; usedCodes: UsedCodes; maintenance: Maintenance },
): Domain {
  const settling = new Worker({
    ...core,
    name: 'codes used while saving was paused',
    pauseMs: SETTLE_MS,
    work: async () => {
      if (!maintenance.workPaused) await usedCodes.settle();
    },
  });
  // In the processes that exchange codes: what is owed is in their memory.
  const workers = [{ role: 'region', start: () => settling.start(), stop: () => settling.stop() }] as const;
  return combine(signInDomain, { workers });
}
