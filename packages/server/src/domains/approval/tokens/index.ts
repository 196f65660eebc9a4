import { deleteExpired } from '../../../db/expired-rows.ts';
import type { Core, Domain } from '../../domain.ts';
import type { Audit } from '../../operations/index.ts';
import type { SigningKeys } from '../signing-keys/index.ts';
import { Codes } from './codes.ts';
import { CodeExchanges } from './exchange.ts';
import { IdTokens } from './id-token.ts';
import { signInTokenRoutes } from './routes.ts';
import { signInTables } from './tables.ts';
import { UsedCodes } from './used-codes.ts';
import { UserInfos } from './user-info.ts';

export type { Codes } from './codes.ts';
export type { Grant, PlaintextClaims, SignInMode } from './grant.ts';
export type { UsedCodes } from './used-codes.ts';

/** What the platform gives for a person's approval: codes, and the tokens that apps exchange them for. */
export function createSignInTokens(core: Core, needs: { signingKeys: SigningKeys; audit: Audit }) {
  const usedCodes = new UsedCodes({ ...core, ...needs });
  const idTokens = new IdTokens({ ...core, ...needs });
  const codeGrants = new CodeExchanges({ ...core, usedCodes, idTokens });
  const userInfos = new UserInfos({ ...core, usedCodes });
  const domain: Domain = {
    tables: signInTables,
    routes: (app) => signInTokenRoutes(app, { userInfos }),
    sweeps: [
      { name: 'sign-ins', run: (stopping) => deleteExpired(core, { table: 'sign_ins' }, stopping) },
      {
        name: 'plaintext claims',
        run: (stopping) => deleteExpired(core, { table: 'sign_in_plaintexts' }, stopping),
      },
    ],
  };
  return { codes: new Codes(core), codeGrants, userInfos, usedCodes, domain };
}
