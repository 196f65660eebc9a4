import { decryptPrivateKey, encryptPrivateKey } from '@symbolon/crypto';
import type {
  AuditLogPage,
  CodeMailed,
  CurrentSession,
  DeletionState,
  EncryptedPrivateKey,
  PasswordRequest,
  ProfileKeys,
  ProfileKeysRequest,
  ProofRequest,
  RecoveryCodes,
  RecoveryKeyView,
  SessionView,
  TrustedDevice,
  TwoFactorEnrolment,
  TwoFactorState,
} from '@symbolon/protocol';
import { type Api, path } from '../http/api.ts';
import { openingKey } from '../http/opening-key.ts';

/** The proof that some calls need beside the session: the password and, when the second factor is on, a code. */
export type PortalProof = { password: string; code?: string; recoveryCode?: string };

/** The calls that only a portal login can make, never an account client (wire 5.5): `security` of a portal client. */
export class PortalSecurity {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** The signed-in login, and when its session ends at the latest. */
  session(): Promise<CurrentSession> {
    return this.#get('/api/portal/session');
  }

  /** The sessions of this login, the latest first. */
  async sessions(): Promise<SessionView[]> {
    return (await this.#get<{ items: SessionView[] }>('/api/account/sessions')).items;
  }

  /** @throws NotFoundError `account.session_not_found` */
  endSession(id: string): Promise<void> {
    return this.#api.done({ method: 'DELETE', path: path`/api/account/sessions/${id}` });
  }

  /** Ends all other sessions of this login. */
  endOtherSessions(): Promise<void> {
    return this.#api.done({ method: 'DELETE', path: '/api/account/sessions' });
  }

  /**
   * Sets a new password and ends other sessions. For the company's own login the recovery key is opened here with the
   * current password and wrapped under the new one.
   *
   * @throws AuthenticationError `auth.credentials_invalid`; DecryptionError `sdk.password_wrong`; InvalidRequestError
   * `account.password_weak`
   */
  async changePassword(current: string, next: string): Promise<void> {
    const { login } = await this.session();
    const json: PasswordRequest = {
      current_password: current,
      new_password: next,
      ...(login.company_login ? { recovery_private_key: await this.#rewrapped(current, next) } : {}),
    };
    await this.#api.done({ method: 'PUT', path: '/api/account/password', json });
  }

  /** The public halves of the company's own keys. */
  profileKeys(): Promise<ProfileKeys> {
    return this.#get('/api/profile/keys');
  }

  /** Replaces the wrapped recovery key. @throws ForbiddenError `account.company_login_only` */
  replaceRecoveryKey(json: ProfileKeysRequest): Promise<void> {
    return this.#api.done({ method: 'PUT', path: '/api/profile/keys', json });
  }

  /** Mails a code to the new address; `confirmEmailChange` takes it. @throws InvalidRequestError `account.email_invalid` */
  startEmailChange(newEmail: string, proof: PortalProof): Promise<CodeMailed> {
    return this.#post('/api/account/email', { ...proofOf(proof), new_email: newEmail });
  }

  /** @throws InvalidRequestError `account.code_invalid`; ConflictError `account.email_taken` */
  confirmEmailChange(code: string): Promise<void> {
    return this.#api.done({ method: 'POST', path: '/api/account/email/confirm', json: { code } });
  }

  twoFactor(): Promise<TwoFactorState> {
    return this.#get('/api/account/2fa');
  }

  /** A secret for the authenticator app. The second factor is on only after `confirmTwoFactor`. */
  enrolTwoFactor(password: string): Promise<TwoFactorEnrolment> {
    return this.#post('/api/account/2fa/enrol', { password });
  }

  /** Switches the second factor on. The recovery codes are shown only once. */
  async confirmTwoFactor(code: string): Promise<string[]> {
    return (await this.#post<RecoveryCodes>('/api/account/2fa/confirm', { code })).recovery_codes;
  }

  /** Replaces the recovery codes. */
  async newRecoveryCodes(proof: PortalProof): Promise<string[]> {
    const json = proofOf(proof);
    return (await this.#post<RecoveryCodes>('/api/account/2fa/recovery-codes', json)).recovery_codes;
  }

  switchTwoFactorOff(proof: PortalProof): Promise<void> {
    return this.#api.done({ method: 'POST', path: '/api/account/2fa/off', json: proofOf(proof) });
  }

  async trustedDevices(): Promise<TrustedDevice[]> {
    return (await this.#get<{ items: TrustedDevice[] }>('/api/account/trusted-devices')).items;
  }

  /** @throws NotFoundError `account.trusted_device_not_found` */
  revokeTrustedDevice(id: string): Promise<void> {
    return this.#api.done({ method: 'DELETE', path: path`/api/account/trusted-devices/${id}` });
  }

  revokeTrustedDevices(): Promise<void> {
    return this.#api.done({ method: 'DELETE', path: '/api/account/trusted-devices' });
  }

  /** Whether and when the company will be deleted. */
  deletion(): Promise<DeletionState> {
    return this.#get('/api/account/delete-request');
  }

  /** Mails a code that `confirmDeletion` takes. @throws ConflictError `account.deletion_pending` */
  requestDeletion(proof: PortalProof): Promise<CodeMailed> {
    return this.#post('/api/account/delete-request', proofOf(proof));
  }

  /** Deletes the company after the grace period, unless `withdrawDeletion` is called before. */
  confirmDeletion(code: string): Promise<DeletionState> {
    return this.#post('/api/account/confirm-delete', { code });
  }

  /** @throws ConflictError `account.deletion_not_pending` */
  withdrawDeletion(): Promise<void> {
    return this.#api.done({ method: 'DELETE', path: '/api/account/delete-request' });
  }

  /** Who did what to the account, the latest first. */
  auditLog(page: { limit?: number; offset?: number } = {}): Promise<AuditLogPage> {
    return this.#api.json({ method: 'GET', path: '/api/account/audit-log', query: page });
  }

  async #rewrapped(current: string, next: string): Promise<EncryptedPrivateKey> {
    const view = await this.#get<RecoveryKeyView>('/api/account/recovery-key');
    const pkcs8 = await openingKey(decryptPrivateKey(view.encrypted_private_key, current));
    try {
      return await encryptPrivateKey(pkcs8, next);
    } finally {
      pkcs8.fill(0);
    }
  }

  #get<T>(address: string): Promise<T> {
    return this.#api.json({ method: 'GET', path: address });
  }

  #post<T>(address: string, json: unknown): Promise<T> {
    return this.#api.json({ method: 'POST', path: address, json });
  }
}

/** A proof in the form of the wire. */
export function proofOf({ password, code, recoveryCode }: PortalProof): ProofRequest {
  return {
    password,
    ...(code === undefined ? {} : { code }),
    ...(recoveryCode === undefined ? {} : { recovery_code: recoveryCode }),
  };
}
