import { type Core, type Domain, expirySweep } from '../../domain.ts';
import type { Audit } from '../../operations/index.ts';
import type { SigningKeys } from '../signing-keys/signing-keys.ts';
import { Codes } from './codes.ts';
import { CodeExchanges } from './exchange.ts';
import { IdTokens } from './id-token.ts';
import { signInTokenRoutes } from './routes.ts';
import { signInTables } from './tables.ts';
import { UsedCodes } from './used-codes.ts';
import { UserInfos } from './user-info.ts';

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
      expirySweep(core, 'sign-ins', 'sign_ins'),
      expirySweep(core, 'plaintext claims', 'sign_in_plaintexts'),
    ],
  };
  return { codes: new Codes(core), codeGrants, userInfos, usedCodes, domain };
}
