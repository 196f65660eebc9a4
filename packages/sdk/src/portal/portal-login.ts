import { type CryptoKey, unwrapPrivateKey } from '@symbolon/crypto';
import type {
  CurrentSession,
  LoginParameters,
  PresenceOptions,
  PresenceProof,
  ProofRequest,
  WrappedPrivateKey,
} from '@symbolon/protocol';
import type { Api } from '../http/api.ts';
import { openingKey } from '../http/opening-key.ts';
import { deriveFrom, keyLocked } from '../login/login-secret.ts';
import { type Authenticator, passkeyProof } from '../person/authenticator.ts';

/** The proof that some calls need beside the session: the password and, when the second factor is on or one was mailed, a code. */
export type PortalProof = { password: string; code?: string; recoveryCode?: string; mailedCode?: string };

/** The proof of who has no passkey at hand. */
type PasswordProof = Omit<ProofRequest, 'passkey' | 'login_secret'> & { login_secret: string };

/** Proves that the login is present, for one act: a passkey does so too. */
export type PresentLogin = PortalProof | { passkey: Authenticator };

/** What the device has of a login after it signed in. A client that resumes a session lacks it. */
export type HeldLogin = {
  email: string;
  /** The recipe of the login keys. */
  version: number;
  pkcs8: Uint8Array<ArrayBuffer>;
};

/** The login behind a portal client. It makes proofs out of passwords, which never leave the device. */
export class PortalLogin {
  readonly #api: Api;
  #held: HeldLogin | undefined;

  constructor(api: Api, held?: HeldLogin) {
    this.#api = api;
    this.#held = held;
  }

  /** @throws DecryptionError `sdk.key_locked` for a resumed session */
  get held(): HeldLogin {
    if (this.#held === undefined) throw keyLocked();
    return this.#held;
  }

  /** False for a resumed session. */
  get isHeld(): boolean {
    return this.#held !== undefined;
  }

  get version(): number | undefined {
    return this.#held?.version;
  }

  /** After a change of password. */
  setVersion(version: number): void {
    this.held.version = version;
  }

  /** @param act names the thing and the decision: `documentActs` has those of documents */
  async prove(act: string, proof: PresentLogin): Promise<PresenceProof> {
    if (!('passkey' in proof)) return { kind: 'password', ...(await this.proof(proof)) };
    const path = '/api/account/2fa/presence';
    const asked = await this.#api.json<PresenceOptions>({ method: 'POST', path, json: { act } });
    return passkeyProof(proof.passkey, asked);
  }

  /** A proof in the form of the wire: the login secret in place of the password. */
  async proof({ password, code, recoveryCode, mailedCode }: PortalProof): Promise<PasswordProof> {
    // Asked each time: the address may have been changed since the sign-in.
    const { email } = (await this.#session()).login;
    const path = '/api/portal/login/parameters';
    const found = await this.#api.json<LoginParameters>({ method: 'POST', path, json: { email } });
    const { loginSecret } = await deriveFrom(found, password, this.version);
    return {
      login_secret: loginSecret,
      ...(code === undefined ? {} : { code }),
      ...(recoveryCode === undefined ? {} : { recovery_code: recoveryCode }),
      ...(mailedCode === undefined ? {} : { mailed_code: mailedCode }),
    };
  }

  /** Forgets the key. */
  clear(): void {
    this.#held?.pkcs8.fill(0);
    this.#held = undefined;
  }

  #session(): Promise<CurrentSession> {
    return this.#api.json({ method: 'GET', path: '/api/portal/session' });
  }
}

/** Opens the private key that the answer of a sign-in carries. @throws DecryptionError `sdk.password_wrong` */
export function openLoginKey(wrapped: WrappedPrivateKey, wrapKey: CryptoKey): Promise<HeldLogin['pkcs8']> {
  return openingKey(unwrapPrivateKey(wrapped, wrapKey));
}
