import { Worker } from '../../core/worker.ts';
import { type Core, combine, type Domain } from '../domain.ts';
import type { Audit, Maintenance, OperatorActs } from '../operations/index.ts';
import { createSigningKeys, keepSigningKeys, type SigningKeys } from './signing-keys/index.ts';
import { createSignInTokens, type UsedCodes } from './tokens/index.ts';

/** How soon it is saved that a code was used, once it can be. */
const SETTLE_MS = 1000;

/** What approval does for domains before it: it exchanges the codes of sign-ins. Made before them. */
export function createApprovalPorts(core: Core, needs: { audit: Audit }) {
  const signingKeys = createSigningKeys(core);
  const { domain: signInDomain, ...tokens } = createSignInTokens(core, { ...needs, signingKeys });
  return { ...tokens, signingKeys, signInDomain };
}

/** The tokens of sign-ins, with what works on them beside requests. */
export function createSignIns(
  core: Core,
  needs: {
    signInDomain: Domain;
    usedCodes: UsedCodes;
    signingKeys: SigningKeys;
    maintenance: Maintenance;
    acts: OperatorActs;
  },
): Domain {
  const { signInDomain, usedCodes, maintenance } = needs;
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
  return combine(signInDomain, keepSigningKeys(core, needs), { workers });
}
