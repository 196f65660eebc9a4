import type {
  AuditLogPage,
  CodeMailed,
  CurrentSession,
  DeletionState,
  EmailChangeRequest,
  PasswordRequest,
  ProfileKeys,
  RecoveryCodeRequest,
  RecoveryCodes,
  SessionView,
  SignInPolicy,
  TrustedDevice,
  TwoFactorEnrolment,
  TwoFactorState,
} from '@symbolon/protocol';
import { type Api, path } from '../http/api.ts';
import { passwordMaterial, recoveryMaterial } from '../login/material.ts';
import type { PortalLogin, PortalProof } from './portal-login.ts';

/** What the password alone does not do, with the acts that their proofs are for. */
const STRONG = {
  enrolTwoFactor: 'POST /api/account/2fa/enrol',
  startEmailChange: 'POST /api/account/email',
} as const;

/** The calls that only a portal login can make, never an account client (wire 5.5): `security` of a portal client. */
export class PortalSecurity {
  readonly #api: Api;
  readonly #login: PortalLogin;

  constructor(api: Api, login: PortalLogin) {
    this.#api = api;
    this.#login = login;
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
   * Sets a new password and ends other sessions.
   *
   * @throws InvalidRequestError `sdk.password_weak`; AuthenticationError `auth.credentials_invalid`,
   * `auth.two_factor_required`; DecryptionError `sdk.key_locked` for a resumed session
   */
  async changePassword(current: PortalProof, newPassword: string): Promise<void> {
    const { pkcs8, email } = this.#login.held;
    const { material } = await passwordMaterial(newPassword, pkcs8, [email]);
    const json: PasswordRequest = { ...(await this.#login.proof(current)), new: material };
    await this.#api.done({ method: 'PUT', path: '/api/account/password', json });
    this.#login.setVersion(material.version);
  }

  /**
   * Makes a new recovery code for a lost password, which is shown once. The one before is void.
   *
   * @throws AuthenticationError `auth.credentials_invalid`; DecryptionError `sdk.key_locked` for a resumed session
   */
  async renewRecoveryCode(proof: PortalProof): Promise<string> {
    const { recovery, recoveryCode } = await recoveryMaterial(this.#login.held.pkcs8);
    const json: RecoveryCodeRequest = { ...(await this.#login.proof(proof)), recovery };
    await this.#api.done({ method: 'PUT', path: '/api/account/recovery-code', json });
    return recoveryCode;
  }

  /** The public halves of the company's own keys. */
  profileKeys(): Promise<ProfileKeys> {
    return this.#get('/api/profile/keys');
  }

  /**
   * Has a code mailed to the login's address for the proof of `enrolTwoFactor` or `startEmailChange`, as its `mailedCode`: the
   * password alone does neither. A login with a passkey or the second factor proves it by those.
   *
   * @throws ConflictError `account.mailed_code_unavailable` where there is something better
   */
  mailCode(call: keyof typeof STRONG): Promise<CodeMailed> {
    return this.#post('/api/account/2fa/presence/mailed-code', { act: STRONG[call] });
  }

  /**
   * Mails a code to the new address; `confirmEmailChange` takes it.
   *
   * @param proof with the code of `mailCode` where there is no second factor
   * @throws InvalidRequestError `account.email_invalid`; AuthenticationError `auth.two_factor_required`
   */
  async startEmailChange(newEmail: string, proof: PortalProof): Promise<CodeMailed> {
    const json: EmailChangeRequest = { ...(await this.#login.proof(proof)), new_email: newEmail };
    return this.#post('/api/account/email', json);
  }

  /** @throws AuthenticationError `account.code_invalid`; ConflictError `account.email_taken` */
  confirmEmailChange(code: string): Promise<void> {
    return this.#api.done({ method: 'POST', path: '/api/account/email/confirm', json: { code } });
  }

  twoFactor(): Promise<TwoFactorState> {
    return this.#get('/api/account/2fa');
  }

  /**
   * A secret for the authenticator app. The second factor is on only after `confirmTwoFactor`.
   *
   * @param proof with the code of `mailCode` where there is no passkey
   * @throws AuthenticationError `auth.two_factor_required`
   */
  async enrolTwoFactor(proof: PortalProof): Promise<TwoFactorEnrolment> {
    return this.#post('/api/account/2fa/enrol', await this.#login.proof(proof));
  }

  /** Switches the second factor on. The recovery codes are shown only once. */
  async confirmTwoFactor(code: string): Promise<string[]> {
    return (await this.#post<RecoveryCodes>('/api/account/2fa/confirm', { code })).recovery_codes;
  }

  /** Replaces the recovery codes. */
  async newRecoveryCodes(proof: PortalProof): Promise<string[]> {
    const json = await this.#login.proof(proof);
    return (await this.#post<RecoveryCodes>('/api/account/2fa/recovery-codes', json)).recovery_codes;
  }

  async switchTwoFactorOff(proof: PortalProof): Promise<void> {
    const json = await this.#login.proof(proof);
    await this.#api.done({ method: 'POST', path: '/api/account/2fa/off', json });
  }

  /** Whether each login of the company needs a second factor, and which have none. */
  signInPolicy(): Promise<SignInPolicy> {
    return this.#get('/api/account/sign-in-policy');
  }

  /**
   * Requires a second factor of each login of the company, or of none.
   *
   * @throws ConflictError `account.second_factor_untried` unless this session was opened with one; ForbiddenError
   * `auth.role_forbidden` below admin; AuthenticationError `auth.credentials_invalid`, `auth.second_factor_invalid`
   */
  async setSignInPolicy(
    proof: PortalProof,
    second_factor: SignInPolicy['second_factor'],
  ): Promise<SignInPolicy> {
    const json = { ...(await this.#login.proof(proof)), second_factor };
    return this.#api.json({ method: 'PUT', path: '/api/account/sign-in-policy', json });
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
  async requestDeletion(proof: PortalProof): Promise<CodeMailed> {
    return this.#post('/api/account/delete-request', await this.#login.proof(proof));
  }

  /** Deletes the company after the grace period, unless `withdrawDeletion` is called before. */
  confirmDeletion(code: string): Promise<DeletionState> {
    return this.#post('/api/account/confirm-delete', { code });
  }

  /** @throws ConflictError `account.deletion_not_pending` */
  withdrawDeletion(): Promise<void> {
    return this.#api.done({ method: 'DELETE', path: '/api/account/delete-request' });
  }

  /**
   * Who did what to the account, the latest first.
   *
   * @param page.before the id of the last entry of the page before; not together with `offset`
   */
  auditLog(page: { limit?: number; offset?: number; before?: string } = {}): Promise<AuditLogPage> {
    return this.#api.json({ method: 'GET', path: '/api/account/audit-log', query: page });
  }

  #get<T>(address: string): Promise<T> {
    return this.#api.json({ method: 'GET', path: address });
  }

  #post<T>(address: string, json: unknown): Promise<T> {
    return this.#api.json({ method: 'POST', path: address, json });
  }
}
