import { deleteExpired } from '../../../db/expired-rows.ts';
import type { Core, Domain } from '../../domain.ts';
import { Codes } from './codes.ts';
import { signInTables } from './tables.ts';

export type { Codes } from './codes.ts';
export type { Grant, PlaintextClaims, SignInMode } from './grant.ts';

/** What the platform gives for a person's approval: codes, and the tokens that apps exchange them for. */
export function createSignInTokens(core: Core) {
  const domain: Domain = {
    tables: signInTables,
    sweeps: [
      { name: 'sign-ins', run: (stopping) => deleteExpired(core, { table: 'sign_ins' }, stopping) },
      {
        name: 'plaintext claims',
        run: (stopping) => deleteExpired(core, { table: 'sign_in_plaintexts' }, stopping),
      },
    ],
  };
  return { codes: new Codes(core), domain };
}
