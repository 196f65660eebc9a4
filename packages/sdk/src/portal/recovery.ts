import { fingerprint, fingerprintWords, importPrivateKey, openText } from '@symbolon/crypto';
import type {
  OpenedRecoveryKey,
  RecoveryCopy,
  RecoveryKeyHolder,
  ShareRecoveryKeyRequest,
} from '@symbolon/protocol';
import { checkRecoveryKey, openRecoveryKey, sealRecoveryKey } from '../account/recovery-key.ts';
import { type Api, path } from '../http/api.ts';
import { NotFoundError, UnconfirmedKeyError } from '../http/errors.ts';
import type { PortalLogin, PortalProof } from './portal-login.ts';

/** A secret from the recovery copies. */
export type RecoveredSecret = {
  kind: RecoveryCopy['kind'];
  /** `null` for account clients and sign-in apps, which belong to the whole company. */
  serviceId: string | null;
  clientId: string | null;
  secret: string;
  createdAt: string;
};

/**
 * The company's recovery key, for owners and admins: `recovery` of a portal client. Each login has its own copy of the
 * private half, sealed to the public key of that login.
 */
export class RecoveryClient {
  readonly #api: Api;
  readonly #login: PortalLogin;
  readonly #confirmed: () => Promise<string | undefined>;

  constructor(api: Api, login: PortalLogin, confirmed: () => Promise<string | undefined>) {
    this.#api = api;
    this.#login = login;
    this.#confirmed = confirmed;
  }

  /** The logins that may open the recovery key, and whether they have a copy. */
  async holders(): Promise<RecoveryKeyHolder[]> {
    type Body = { items: RecoveryKeyHolder[] };
    return (await this.#api.json<Body>({ method: 'GET', path: `${ADDRESS}/holders` })).items;
  }

  /**
   * Gives another login a copy of the recovery key.
   *
   * @param holder.confirmedFingerprint of the login's key. That person read it, or its four words, to the caller over another
   * channel: `fingerprintWords` makes the words
   * @param askProof called twice, to open the caller's copy and to store the new one: a code is good for one use
   * @throws NotFoundError `account.recovery_key_not_shared` when the caller has no copy; UnconfirmedKeyError
   * `sdk.holder_key_changed`, `sdk.recovery_key_changed`; ConflictError `account.recovery_key_holder_changed`
   */
  async share(
    holder: { loginId: string; confirmedFingerprint: string },
    askProof: () => Promise<PortalProof>,
  ): Promise<void> {
    const found = (await this.holders()).find(({ login_id }) => login_id === holder.loginId);
    if (!found?.public_key) {
      const message = 'There is no such login with a key that may hold the recovery key.';
      throw new NotFoundError({ errorKey: 'sdk.holder_unknown', message });
    }
    const sha256 = await fingerprint(found.public_key);
    if (sha256 !== holder.confirmedFingerprint.toLowerCase()) {
      throw new UnconfirmedKeyError({
        errorKey: 'sdk.holder_key_changed',
        message: 'Nothing was shared: the login has another key than the confirmed one.',
        details: { fingerprint: sha256, words: await fingerprintWords(sha256) },
      });
    }
    const pkcs8 = await this.#open(await askProof());
    const sealed = await sealRecoveryKey(pkcs8, found.public_key);
    pkcs8.fill(0);
    const json: ShareRecoveryKeyRequest = {
      ...(await this.#login.proof(await askProof())),
      public_key_sha256: sha256,
      sealed,
    };
    await this.#api.done({
      method: 'PUT',
      path: path`/api/account/recovery-key/holders/${holder.loginId}`,
      json,
    });
  }

  /**
   * Opens the recovery copies: passphrases of services and secrets of clients and sign-in apps.
   *
   * @throws NotFoundError `account.recovery_key_not_shared`; AuthenticationError `auth.credentials_invalid`
   */
  async secrets(proof: PortalProof): Promise<RecoveredSecret[]> {
    const pkcs8 = await this.#open(proof);
    const key = await importPrivateKey(pkcs8);
    pkcs8.fill(0);
    type Body = { items: RecoveryCopy[] };
    const { items } = await this.#api.json<Body>({ method: 'GET', path: '/api/account/recovery-copies' });
    return Promise.all(
      items.map(async (copy) => ({
        kind: copy.kind,
        serviceId: copy.service_id,
        clientId: copy.client_id,
        secret: await openText(copy.sealed, key),
        createdAt: copy.created_at,
      })),
    );
  }

  /** The private half, which must belong to the confirmed public key where one is confirmed. */
  async #open(proof: PortalProof): Promise<Uint8Array<ArrayBuffer>> {
    const { pkcs8 } = this.#login.held;
    const json = await this.#login.proof(proof);
    const copy = await this.#api.json<OpenedRecoveryKey>({ method: 'POST', path: `${ADDRESS}/open`, json });
    const confirmed = await this.#confirmed();
    if (confirmed !== undefined) await checkRecoveryKey(copy.public_key, confirmed);
    return openRecoveryKey(copy, pkcs8);
  }
}

const ADDRESS = '/api/account/recovery-key';
