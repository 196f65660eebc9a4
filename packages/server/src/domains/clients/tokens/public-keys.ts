import type { JWK } from 'jose';

/** The public keys by which apps check id_tokens. */
export interface PublicKeys {
  published(): Promise<readonly JWK[]>;
}

/** Decides whose keys are published. */
export type KeyRouter = (own: PublicKeys) => PublicKeys;

/** With one region, its own. */
export const localKeys: KeyRouter = (own) => own;

/** For so long clients may keep the published keys; a new key is published much longer before it signs. */
export const KEYS_MAX_AGE_S = 300;
