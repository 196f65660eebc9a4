import {
  type AddPasskeyRequest,
  limits,
  type Passkey,
  type PasskeyCreationOptions,
  type ProofRequest,
  type WrapPasskeyRequest,
} from '@symbolon/protocol';
import { checkKeyMaterial } from '../../../access/key-material.ts';
import { passkeyAdded, passkeyRemoved } from '../../../access/login-mails.ts';
import type { AccountRef } from '../../../access/user-handle.ts';
import { userHandle } from '../../../access/user-handle.ts';
import { isoTime } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import type { Reader, Writer } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import type { Notices } from '../mailed-codes/notices.ts';
import {
  type AccountKind,
  type AccountRow,
  nameOf,
  requireAccount,
  requireFactor,
  writeToAccount,
} from './account.ts';
import type { AccountPresence } from './account-presence.ts';
import type { Nonces } from './nonces.ts';
import { proofOf } from './proof-of.ts';
import { type RelyingParty, relyingParty } from './relying-party.ts';
import { deletePasskey, insertPasskey, passkeysOf, updatePasskey } from './store.ts';
import type { PasskeyColumns } from './tables.ts';
import { ALGORITHMS, checkRegistration } from './webauthn.ts';

interface Deps<Row extends AccountRow>
  extends Pick<Core, 'clock' | 'config' | 'database' | 'ids' | 'publicUrl' | 'regions'> {
  readonly notices: Notices;
  readonly nonces: Nonces;
  readonly presence: AccountPresence<Row>;
}

/** The passkeys of an account: added and removed by a fresh proof, announced by mail. */
export class Passkeys<Row extends AccountRow> {
  readonly #deps: Deps<Row>;
  readonly #kind: AccountKind<Row>;

  constructor(deps: Deps<Row>, kind: AccountKind<Row>) {
    this.#deps = deps;
    this.#kind = kind;
  }

  async list(ref: AccountRef): Promise<Passkey[]> {
    return (await passkeysOf(this.#deps.database.reader, ref)).map(toPasskey);
  }

  /**
   * What a browser makes a passkey with. The proof is checked here: only who gave one has a nonce for `add`.
   * @throws {PlatformError} account.passkeys_unavailable, account.passkey_limit, and those of `AccountPresence.prove`
   */
  async options(ref: AccountRef, proof: ProofRequest, source: string): Promise<PasskeyCreationOptions> {
    const party = this.#party();
    const passkeys = await this.#roomFor(this.#deps.database.reader, ref);
    const act = `POST ${this.#kind.paths.passkeys}/options`;
    const { account } = await this.#deps.presence.prove(ref, act, proofOf(proof), source);
    return {
      challenge: this.#deps.nonces.make(this.#purpose(ref)).nonce,
      rp: { id: party.id, name: 'Symbolon' },
      user: { id: userHandle(ref), name: account.email, displayName: account.email },
      pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
      timeout: limits.presenceNonceMs,
      attestation: 'none',
      excludeCredentials: passkeys.map((passkey) => ({
        type: 'public-key',
        id: passkey.credential_id,
        transports: JSON.parse(passkey.transports) as string[],
      })),
      authenticatorSelection: {
        residentKey: 'required',
        requireResidentKey: true,
        userVerification: 'required',
      },
      extensions: { credProps: true },
    };
  }

  /** @throws {PlatformError} account.key_invalid, auth.passkey_invalid, account.passkey_limit */
  async add(ref: AccountRef, request: AddPasskeyRequest, source: string): Promise<Passkey> {
    const { nonce, credential, encrypted_private_key: wrapped } = request;
    if (wrapped !== undefined) await checkKeyMaterial({ wrapped });
    const good = this.#deps.nonces.check(nonce, this.#purpose(ref));
    const made = good === undefined ? undefined : await checkRegistration(credential, nonce, this.#party());
    if (good === undefined || made === undefined) throw new PlatformError('auth.passkey_invalid');
    const passkey: PasskeyColumns = {
      id: this.#deps.ids.uuid(),
      ...made,
      name: request.name.trim(),
      encrypted_private_key: wrapped === undefined ? null : JSON.stringify(wrapped),
      created_at: this.#deps.clock.now(),
      last_used_at: null,
    };
    const email = await this.#change(ref, async (writer) => {
      await this.#roomFor(writer, ref);
      const row = await this.#get(writer, ref);
      const isAdded =
        (await this.#deps.nonces.take(writer, good)) &&
        (await insertPasskey(writer, this.#kind, ref, passkey));
      if (!isAdded) throw new PlatformError('auth.passkey_invalid');
      await this.#kind.record(writer, row, { action: 'passkey.added', target: passkey.id, source });
      return row.email;
    });
    await this.#deps.notices.send(passkeyAdded(this.#kind.kind, email, passkey.name));
    return toPasskey(passkey);
  }

  /** @throws {PlatformError} account.passkey_not_found */
  async rename(ref: AccountRef, id: string, name: string): Promise<void> {
    const isRenamed = await this.#deps.database.write((writer) =>
      updatePasskey(writer, this.#kind, ref, id, { name: name.trim() }),
    );
    if (!isRenamed) throw new PlatformError('account.passkey_not_found');
  }

  /**
   * Stores the private key of the account under the PRF output of a passkey, which proves to be there: PRF may need a second
   * touch after the passkey was made. The act of its nonce is `wrap key of passkey <id>`.
   * @throws {PlatformError} account.key_invalid, account.passkey_not_found, auth.passkey_invalid, auth.throttled
   */
  async wrap(ref: AccountRef, id: string, request: WrapPasskeyRequest, source: string): Promise<void> {
    await checkKeyMaterial({ wrapped: request.encrypted_private_key });
    const passkeys = await passkeysOf(this.#deps.database.reader, ref);
    const passkey = passkeys.find((one) => one.id === id);
    if (passkey === undefined) throw new PlatformError('account.passkey_not_found');
    if (passkey.credential_id !== request.passkey.credential.id)
      throw new PlatformError('auth.passkey_invalid');
    const proof = { kind: 'passkey', ...request.passkey } as const;
    await this.#deps.presence.prove(ref, `wrap key of passkey ${id}`, proof, source);
    const encrypted_private_key = JSON.stringify(request.encrypted_private_key);
    const isStored = await this.#deps.database.write((writer) =>
      updatePasskey(writer, this.#kind, ref, id, { encrypted_private_key }),
    );
    // It may have been removed since it answered.
    if (!isStored) throw new PlatformError('account.passkey_not_found');
  }

  /** @throws {PlatformError} account.passkey_not_found, account.second_factor_needed, and those of `AccountPresence.prove` */
  async remove(ref: AccountRef, id: string, proof: ProofRequest, source: string): Promise<void> {
    const act = `POST ${this.#kind.paths.passkeys}/${id}/remove`;
    const { account } = await this.#deps.presence.prove(ref, act, proofOf(proof), source);
    const name = await this.#change(ref, async (writer) => {
      const passkeys = await passkeysOf(writer, ref);
      const passkey = passkeys.find((one) => one.id === id);
      if (passkey === undefined) throw new PlatformError('account.passkey_not_found');
      const { totp_enabled_at } = await this.#get(writer, ref);
      await requireFactor(this.#kind, writer, ref, totp_enabled_at !== null || passkeys.length > 1);
      await deletePasskey(writer, this.#kind, ref, id);
      await this.#kind.record(writer, account, { action: 'passkey.removed', target: id, source });
      return passkey.name;
    });
    await this.#deps.notices.send(passkeyRemoved(this.#kind.kind, account.email, name));
  }

  /** @throws {PlatformError} account.passkey_limit */
  async #roomFor(reader: Reader, ref: AccountRef): Promise<PasskeyColumns[]> {
    const passkeys = await passkeysOf(reader, ref);
    if (passkeys.length >= limits.passkeysMost) throw new PlatformError('account.passkey_limit');
    return passkeys;
  }

  /** @throws {PlatformError} account.passkeys_unavailable */
  #party(): RelyingParty {
    const party = relyingParty(this.#deps);
    if (party.id === '') throw new PlatformError('account.passkeys_unavailable');
    return party;
  }

  #purpose(ref: AccountRef): string {
    return JSON.stringify(['add a passkey', this.#deps.regions.own, nameOf(ref)]);
  }

  #change<T>(ref: AccountRef, work: (writer: Writer) => Promise<T>): Promise<T> {
    return writeToAccount(this.#deps.database, this.#kind, ref, work);
  }

  #get(reader: Reader, ref: AccountRef): Promise<Row> {
    return requireAccount(this.#kind, reader, ref);
  }
}

function toPasskey(row: PasskeyColumns): Passkey {
  return {
    id: row.id,
    credential_id: row.credential_id,
    name: row.name,
    backed_up: row.backed_up === 1,
    opens_key: row.encrypted_private_key !== null,
    created_at: isoTime(row.created_at),
    last_used_at: row.last_used_at === null ? null : isoTime(row.last_used_at),
  };
}
