import { derivePasskeyWrapKey, unwrapPrivateKey, wrapPrivateKey } from '@symbolon/crypto';
import type {
  AddPasskeyRequest,
  ChangePasswordRequest,
  CodeMailed,
  EmailChangeRequest,
  Passkey,
  PasskeyCreationOptions,
  Person,
  PersonRecoveryCodeRequest,
  PersonSession,
  RecoveryCodes,
  RecoveryKeyRequest,
  SessionView,
  TwoFactorEnrolment,
  TwoFactorState,
  WrapPasskeyRequest,
  WrappedPrivateKey,
} from '@symbolon/protocol';
import { type Api, path } from '../http/api.ts';
import { NotFoundError } from '../http/errors.ts';
import { openingKey } from '../http/opening-key.ts';
import { passwordMaterial, recoveryMaterial } from '../login/material.ts';
import { keysOfCode } from '../login/recovery.ts';
import { type Authenticator, answerOf, createdBy } from './authenticator.ts';
import { checkOwnKey, heldKey, type Identity } from './identity.ts';
import type { PersonPresence, PersonProof } from './presence.ts';

type Deps = {
  api: Api;
  presence: PersonPresence;
  identity: Identity;
  /** After a change that ended the token of before. */
  setToken: (token: string) => void;
};

const PASSKEYS = '/api/person/passkeys';
const TOTP = '/api/person/totp';
const EMAIL = '/api/person/email';
/** What the password alone does not do, with the acts that their proofs are for. */
const STRONG = {
  addPasskey: `POST ${PASSKEYS}/options`,
  beginTotp: `POST ${TOTP}/enrol`,
  startEmailChange: `POST ${EMAIL}`,
} as const;

/** Password, passkeys, authenticator app and sessions of a person (wire 10.1): `security` of a person client. */
export class PersonSecurity {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Sets a new password. Every other device must sign in again.
   *
   * @throws AuthenticationError `auth.credentials_invalid`, `auth.two_factor_required`; InvalidRequestError `sdk.password_weak`;
   * DecryptionError `sdk.key_locked`
   */
  async changePassword(current: PersonProof, newPassword: string): Promise<void> {
    const { api, identity, presence, setToken } = this.#deps;
    const about = [identity.email, identity.person.display_name];
    const { material, loginSecret } = await passwordMaterial(newPassword, heldKey(identity), about);
    const path = '/api/person/password';
    const { login_secret, ...proof } = await presence.members(`PUT ${path}`, current);
    const json: ChangePasswordRequest = {
      ...(login_secret === undefined ? {} : { current_login_secret: login_secret }),
      ...proof,
      ...material,
    };
    const session = await api.json<PersonSession>({ method: 'PUT', path, json });
    identity.loginSecret = loginSecret;
    identity.version = material.version;
    setToken(session.access_token);
  }

  /**
   * Makes a new recovery code, which is shown once. The one before is void.
   *
   * @throws AuthenticationError `auth.credentials_invalid`, `auth.two_factor_required`; DecryptionError `sdk.key_locked`
   */
  async renewRecoveryCode(proof: PersonProof): Promise<string> {
    const { api, identity, presence } = this.#deps;
    const { recovery, recoveryCode } = await recoveryMaterial(heldKey(identity));
    const path = '/api/person/recovery-code';
    const proven = await presence.members(`PUT ${path}`, proof);
    const json: PersonRecoveryCodeRequest = { ...proven, recovery };
    await api.done({ method: 'PUT', path, json });
    return recoveryCode;
  }

  /**
   * Tells the platform that the person still has the recovery code, after it has opened the private key here. The last passkey
   * goes only after that.
   *
   * @throws InvalidRequestError `sdk.recovery_code_malformed`; AuthenticationError `account.recovery_invalid`
   */
  async confirmRecoveryCode(recoveryCode: string): Promise<void> {
    const { api, identity } = this.#deps;
    const { recoverySecret: recovery_secret, wrapKey } = await keysOfCode(recoveryCode);
    const asked: RecoveryKeyRequest = { email: identity.email, recovery_secret };
    type Found = { encrypted_private_key: WrappedPrivateKey };
    const found = await this.#post<Found>('/api/person/recover/key', asked);
    const pkcs8 = await openingKey(unwrapPrivateKey(found.encrypted_private_key, wrapKey));
    await checkOwnKey({ pkcs8, person: identity.person });
    await api.done({ method: 'POST', path: '/api/person/recovery-code/confirm', json: { recovery_secret } });
  }

  /**
   * Has a code mailed for the proof of one of these acts, as its `mailedCode`: the password alone does none of them. An account
   * with a passkey or the authenticator app proves it by those.
   *
   * @throws ConflictError `account.mailed_code_unavailable` where there is something better
   */
  mailCode(call: keyof typeof STRONG): Promise<CodeMailed> {
    return this.#deps.presence.mailCode(STRONG[call]);
  }

  /**
   * Mails a code to the new address; `confirmEmailChange` takes it.
   *
   * @param proof with the code of `mailCode` where there is no second factor
   * @throws InvalidRequestError `account.email_invalid`; AuthenticationError `auth.two_factor_required`
   */
  async startEmailChange(newEmail: string, proof: PersonProof): Promise<CodeMailed> {
    const json = {
      ...(await this.#deps.presence.members(STRONG.startEmailChange, proof)),
      new_email: newEmail,
    };
    return this.#post(EMAIL, json satisfies EmailChangeRequest);
  }

  /** @throws AuthenticationError `account.code_invalid`; ConflictError `account.email_taken` */
  async confirmEmailChange(code: string): Promise<void> {
    const { identity } = this.#deps;
    identity.person = await this.#post<Person>(`${EMAIL}/confirm`, { code });
    identity.email = identity.person.email;
  }

  async passkeys(): Promise<Passkey[]> {
    return (await this.#get<{ items: Passkey[] }>(PASSKEYS)).items;
  }

  /**
   * Makes a passkey. One with the PRF extension opens the private key as well; some are asked once more for that.
   *
   * @param proof with the code of `mailCode` where there is no second factor yet
   * @throws AuthenticationError `auth.two_factor_required`; ConflictError `account.passkey_limit`, `account.passkeys_unavailable`; DecryptionError `sdk.key_locked`
   */
  async addPasskey(name: string, authenticator: Authenticator, proof: PersonProof): Promise<Passkey> {
    const asked = await this.#deps.presence.members(STRONG.addPasskey, proof);
    const options = await this.#post<PasskeyCreationOptions>(`${PASSKEYS}/options`, asked);
    const { credential, prfOutput, hasPrf } = await createdBy(authenticator, options);
    const wrapped = prfOutput && (await this.#wrappedFor(prfOutput));
    const json: AddPasskeyRequest = {
      nonce: options.challenge,
      name,
      credential,
      ...(wrapped && { encrypted_private_key: wrapped }),
    };
    const passkey = await this.#post<Passkey>(PASSKEYS, json);
    return hasPrf && !wrapped ? this.#openWith(passkey, authenticator) : passkey;
  }

  /** Lets a passkey with the PRF extension open the private key. @returns whether it does now: `opens_key` */
  async openKeyWith(id: string, authenticator: Authenticator): Promise<Passkey> {
    return this.#openWith(await this.#passkey(id), authenticator);
  }

  /** @throws NotFoundError `account.passkey_not_found` */
  renamePasskey(id: string, name: string): Promise<void> {
    return this.#deps.api.done({ method: 'PUT', path: `${PASSKEYS}${path`/${id}`}`, json: { name } });
  }

  /** @throws NotFoundError `account.passkey_not_found` */
  async removePasskey(id: string, proof: PersonProof): Promise<void> {
    const at = `${PASSKEYS}${path`/${id}`}/remove`;
    const json = await this.#deps.presence.members(`POST ${at}`, proof);
    await this.#deps.api.done({ method: 'POST', path: at, json });
  }

  /** Whether the authenticator app is on. */
  totp(): Promise<TwoFactorState> {
    return this.#get(TOTP);
  }

  /**
   * A secret for the authenticator app. It is asked for only after `confirmTotp`.
   *
   * @param proof with the code of `mailCode` where there is no second factor yet
   * @throws AuthenticationError `auth.two_factor_required`
   */
  beginTotp(proof: PersonProof): Promise<TwoFactorEnrolment> {
    return this.#proven(`${TOTP}/enrol`, proof);
  }

  /** Switches the authenticator app on. The recovery codes are shown only once. */
  async confirmTotp(code: string): Promise<string[]> {
    return (await this.#post<RecoveryCodes>(`${TOTP}/confirm`, { code })).recovery_codes;
  }

  /** Replaces the recovery codes. */
  async newTotpRecoveryCodes(proof: PersonProof): Promise<string[]> {
    return (await this.#proven<RecoveryCodes>(`${TOTP}/recovery-codes`, proof)).recovery_codes;
  }

  endTotp(proof: PersonProof): Promise<void> {
    return this.#proven(`${TOTP}/off`, proof);
  }

  /** The browsers in which the person is signed in. Programs have a token and are not listed. */
  async sessions(): Promise<SessionView[]> {
    return (await this.#get<{ items: SessionView[] }>('/api/person/sessions')).items;
  }

  /** @throws NotFoundError `account.session_not_found` */
  endSession(id: string): Promise<void> {
    return this.#deps.api.done({ method: 'DELETE', path: path`/api/person/sessions/${id}` });
  }

  /** Ends every session in a browser, but not this client's token. */
  endSessions(): Promise<void> {
    return this.#deps.api.done({ method: 'DELETE', path: '/api/person/sessions' });
  }

  /**
   * Deletes the account, at once and for good. The client is of no use afterwards.
   *
   * @throws AuthenticationError `auth.credentials_invalid`, `auth.two_factor_required`
   */
  async deleteAccount(proof: PersonProof): Promise<void> {
    const [method, path] = ['DELETE', '/api/person'] as const;
    const json = await this.#deps.presence.members(`${method} ${path}`, proof);
    await this.#deps.api.done({ method, path, json });
  }

  async #openWith(passkey: Passkey, authenticator: Authenticator): Promise<Passkey> {
    const { id, credential_id } = passkey;
    const { nonce, rp_id: rpId } = await this.#deps.presence.options(`wrap key of passkey ${id}`);
    const { credential, prfOutput } = await answerOf(authenticator, {
      nonce,
      rpId,
      credentialIds: [credential_id],
    });
    if (prfOutput === undefined) return passkey;
    const json: WrapPasskeyRequest = {
      passkey: { nonce, credential },
      encrypted_private_key: await this.#wrappedFor(prfOutput),
    };
    await this.#deps.api.done({ method: 'PUT', path: `${PASSKEYS}${path`/${id}`}/key`, json });
    return { ...passkey, opens_key: true };
  }

  async #wrappedFor(prfOutput: Uint8Array) {
    return wrapPrivateKey(heldKey(this.#deps.identity), await derivePasskeyWrapKey(prfOutput));
  }

  async #passkey(id: string): Promise<Passkey> {
    const passkey = (await this.passkeys()).find((one) => one.id === id);
    if (passkey) return passkey;
    const message = 'The account has no such passkey.';
    throw new NotFoundError({ errorKey: 'account.passkey_not_found', message });
  }

  async #proven<T>(address: string, proof: PersonProof): Promise<T> {
    return this.#post(address, await this.#deps.presence.members(`POST ${address}`, proof));
  }

  #get<T>(address: string): Promise<T> {
    return this.#deps.api.json({ method: 'GET', path: address });
  }

  #post<T>(address: string, json: unknown): Promise<T> {
    return this.#deps.api.json({ method: 'POST', path: address, json });
  }
}
