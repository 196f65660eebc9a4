import type {
  CodeMailed,
  LoginParameters,
  PresenceOptions,
  PresenceProof,
  ProofRequest,
} from '@symbolon/protocol';
import type { Api } from '../http/api.ts';
import { deriveFrom } from '../login/login-secret.ts';
import { type Authenticator, passkeyProof } from './authenticator.ts';

/**
 * How a person proves to be present: by the password, with a code where the second factor is on or one was mailed; or by
 * a passkey.
 */
export type PersonProof =
  | { password: string; code?: string; recoveryCode?: string; mailedCode?: string }
  | { passkey: Authenticator };

/** Proofs that the person is present, each for one act and good once (wire 10.1): `presence` of a person client. */
export class PersonPresence {
  readonly #api: Api;
  readonly #login: { readonly email: string; readonly version: number };

  constructor(api: Api, login: { readonly email: string; readonly version: number }) {
    this.#api = api;
    this.#login = login;
  }

  /** What the account can prove an act by. Asking changes nothing. */
  options(act: string): Promise<PresenceOptions> {
    return this.#api.json({ method: 'POST', path: '/api/person/presence', json: { act } });
  }

  /** Has a code mailed for an act. @throws ConflictError `account.mailed_code_unavailable` where there is something better */
  mailCode(act: string): Promise<CodeMailed> {
    return this.#api.json({ method: 'POST', path: '/api/person/presence/mailed-code', json: { act } });
  }

  /** @param act names the thing and the decision: `approve challenge ID` */
  async prove(act: string, proof: PersonProof): Promise<PresenceProof> {
    if ('passkey' in proof) return passkeyProof(proof.passkey, await this.options(act));
    const { code, recoveryCode, mailedCode } = proof;
    return {
      kind: 'password',
      login_secret: await this.loginSecret(proof.password),
      ...(code === undefined ? {} : { code }),
      ...(recoveryCode === undefined ? {} : { recovery_code: recoveryCode }),
      ...(mailedCode === undefined ? {} : { mailed_code: mailedCode }),
    };
  }

  /** A proof as members of a body, for the calls that take it so. @param act method and path of the call */
  async members(act: string, proof: PersonProof): Promise<ProofRequest> {
    const proven = await this.prove(act, proof);
    if (proven.kind === 'passkey') return { passkey: { nonce: proven.nonce, credential: proven.credential } };
    const { kind: _kind, ...members } = proven;
    return members;
  }

  /** @throws AuthenticationError `sdk.login_version_lowered`, `sdk.login_version_unknown` */
  async loginSecret(password: string): Promise<string> {
    const json = { email: this.#login.email };
    const path = '/api/person/login/parameters';
    const found = await this.#api.json<LoginParameters>({ method: 'POST', path, json });
    return (await deriveFrom(found, password, this.#login.version)).loginSecret;
  }
}
