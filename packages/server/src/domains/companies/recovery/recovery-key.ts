import { checkPublicKey, fingerprint, parseWrapper, serializeWrapper, type Wrapper } from '@symbolon/crypto';
import type { NewRecoveryKey, OpenedRecoveryKey, ProfileKeys, RecoveryKeyView } from '@symbolon/protocol';
import { refuseCryptoError } from '../../../core/crypto-errors.ts';
import { PlatformError } from '../../../core/errors.ts';
import type { Reader, Writer } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import {
  deleteAllCopies,
  deleteHolders,
  holderOf,
  holdersOf,
  keysOf,
  putHolder,
  replaceRecoveryKey,
} from './store.ts';

type Deps = Pick<Core, 'clock' | 'database'>;

/**
 * The company's recovery key pair, made on a device. The platform has its public half, and for each login that may open it
 * the private half sealed to the key of that login (wire 5.6).
 */
export class RecoveryKey {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async publicHalf(companyId: string): Promise<RecoveryKeyView> {
    const { recovery_public_key: public_key } = await this.#keysOf(this.#deps.database.reader, companyId);
    return { public_key, public_key_sha256: await fingerprint(public_key) };
  }

  /** The public halves of the company's own keys. */
  async publicKeys(companyId: string): Promise<ProfileKeys> {
    const row = await this.#keysOf(this.#deps.database.reader, companyId);
    return { ...row, recovery_public_key_sha256: await fingerprint(row.recovery_public_key) };
  }

  /** The logins that have a copy of the private half. */
  holders(reader: Reader, companyId: string): Promise<ReadonlySet<string>> {
    return holdersOf(reader, companyId);
  }

  /** A login's copy. @throws {PlatformError} account.recovery_key_not_shared */
  async copyOf(reader: Reader, companyId: string, loginId: string): Promise<OpenedRecoveryKey> {
    const sealed = await holderOf(reader, companyId, loginId);
    if (sealed === undefined) throw new PlatformError('account.recovery_key_not_shared');
    const { recovery_public_key: public_key } = await this.#keysOf(reader, companyId);
    return { public_key, sealed: JSON.parse(sealed) as Wrapper };
  }

  /** Stores a login's copy in place of the one before. @throws {PlatformError} account.recovery_key_invalid */
  async share(writer: Writer, companyId: string, loginId: string, sealed: Wrapper): Promise<void> {
    await putHolder(writer, {
      company_id: companyId,
      login_id: loginId,
      sealed: await wrapperText(sealed),
      created_at: this.#deps.clock.now(),
    });
  }

  /** Takes a login's copy away. */
  async unshare(writer: Writer, companyId: string, loginId: string): Promise<void> {
    await deleteHolders(writer, companyId, loginId);
  }

  /**
   * Puts a new recovery key in place of the present one, which cannot be opened any more: its copies go, and the secrets
   * that are sealed to it.
   */
  async replace(writer: Writer, companyId: string, loginId: string, key: NewRecoveryKey): Promise<void> {
    await deleteHolders(writer, companyId);
    await deleteAllCopies(writer, companyId);
    await replaceRecoveryKey(writer, companyId, key.public_key);
    await this.share(writer, companyId, loginId, key.sealed);
  }

  async #keysOf(reader: Reader, companyId: string) {
    const row = await keysOf(reader, companyId);
    if (row === undefined) throw new PlatformError('auth.invalid');
    return row;
  }
}

/** @throws {PlatformError} account.recovery_key_invalid */
export async function checkRecoveryKey(key: NewRecoveryKey): Promise<void> {
  await refuseCryptoError('account.recovery_key_invalid', () => checkPublicKey(key.public_key));
  await wrapperText(key.sealed);
}

function wrapperText(sealed: Wrapper): Promise<string> {
  return refuseCryptoError('account.recovery_key_invalid', () => serializeWrapper(parseWrapper(sealed)));
}
