import type { Core, Domain } from '../../domain.ts';
import { SigningKeys } from './signing-keys.ts';
import { signingKeyTables } from './tables.ts';

export { JWKS_MAX_AGE_S, type SigningAlgorithm, type SigningKeys } from './signing-keys.ts';

/** The keys of id_tokens. */
export function createSigningKeys(core: Core): { signingKeys: SigningKeys; domain: Domain } {
  return { signingKeys: new SigningKeys(core), domain: { tables: signingKeyTables } };
}
