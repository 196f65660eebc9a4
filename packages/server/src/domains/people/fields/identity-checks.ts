import { createAttestation } from '@symbolon/crypto';
import type { FieldTypeRegistry } from '@symbolon/field-types';
import { type DocumentCheck, limits } from '@symbolon/protocol';
import { counted, type Limiter } from '../../../access/limit-store.ts';
import { isoTime } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import { FairTurns } from '../../../core/fair-turns.ts';
import type { IdentityProvider } from '../../../core/identity-provider.ts';
import type { LargeText } from '../../../core/large-text.ts';
import { storedFile } from '../../../core/stored-file.ts';
import { lock, writeLocked } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import type { Blobs } from '../../operations/index.ts';
import type { Attestation } from './attestations.ts';
import type { Fields } from './fields.ts';
import { readEnvelope } from './file-envelope.ts';
import { checkById, checkOf, deleteCheckById, endCheck, putCheck } from './identity-check-store.ts';
import { fieldOf } from './store.ts';
import type { IdentityCheckRow, PersonFieldRow } from './tables.ts';
import { verifiedName } from './verified-name.ts';

/** The types whose documents prove identity. */
const IDENTITY_DOCUMENT = 'proof_of_identity';
export const RESULTS_PATH = '/api/verification/results';
const DAY_S = 86_400;

interface Deps
  extends Pick<Core, 'clock' | 'database' | 'ids' | 'identityProvider' | 'limitStore' | 'publicUrl'> {
  readonly blobs: Blobs;
  readonly fields: Fields;
  readonly registry: FieldTypeRegistry;
}

/**
 * Verifying identity documents by a provider. The platform has the document in memory while it hands it over, and keeps the
 * salted hash of it. When the provider approves, that hash becomes the attestation, and the name on the document is kept
 * as another salted hash.
 */
export class IdentityChecks {
  readonly #deps: Deps;
  /** A document takes a few times its size in memory. People have turns. */
  readonly #turns = new FairTurns({
    perParty: 1,
    inAll: 2,
    waitingMost: 2,
    waitingInAll: 8,
    busy: 'platform.busy',
  });
  readonly #perDay: Limiter;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#perDay = deps.limitStore.limiter({
      keyPrefix: 'document-checks',
      points: limits.documentChecksPerDay,
      duration: DAY_S,
    });
  }

  /**
   * Hands the document of a field over to the provider. What the provider was asked of this field before has ended.
   * @param value the plaintext of a sealed file
   * @throws {PlatformError} contact_data.not_found, verification.unsupported, contact_data.file_not_found, request.invalid,
   *   contact_data.value_invalid, contact_data.file_too_large, rate_limit.exceeded, platform.busy,
   *   verification.value_changed, verification.provider_unavailable
   */
  async start(personId: string, fieldId: string, value: LargeText | undefined): Promise<DocumentCheck> {
    const { clock, database, fields, identityProvider, ids, registry } = this.#deps;
    const field = await fields.require(database.reader, personId, fieldId);
    if (identityProvider === undefined || !registry.accepts(IDENTITY_DOCUMENT, field.type))
      throw new PlatformError('verification.unsupported');
    return this.#turns.run(personId, async () => {
      const envelope = await this.#plaintextOf(field, value);
      const document = withoutNames(readEnvelope(registry, field.type, envelope));
      await counted(this.#perDay.consume(personId));
      const row: IdentityCheckRow = {
        id: ids.uuid(),
        person_id: personId,
        field_id: fieldId,
        field_version: field.version,
        provider: identityProvider.name,
        state: 'pending',
        reason: null,
        ...(await createAttestation(envelope)),
        expires_at: clock.now() + limits.documentCheckMs,
      };
      await writeLocked(database, 'persons', personId, async (writer) => {
        const { version } = await fields.require(writer, personId, fieldId);
        if (version !== field.version) throw new PlatformError('verification.value_changed');
        await putCheck(writer, row);
      });
      await this.#handOver(identityProvider, row, { type: field.type, document });
      return toCheck(row);
    });
  }

  /** What became of the document that the field has now. @throws {PlatformError} contact_data.not_found */
  async get(personId: string, fieldId: string): Promise<DocumentCheck | null> {
    const { clock, database, fields } = this.#deps;
    const { version } = await fields.require(database.reader, personId, fieldId);
    const row = await checkOf(database.reader, personId, fieldId);
    const isCurrent = row?.field_version === version && row.expires_at > clock.now();
    return isCurrent ? toCheck(row) : null;
  }

  /**
   * Takes a result in. A repeated one changes nothing, whatever it says.
   * @throws {PlatformError} verification.result_invalid, verification.check_not_found
   */
  async finish(result: string): Promise<void> {
    const { clock, database, fields, identityProvider, publicUrl } = this.#deps;
    if (identityProvider === undefined) throw new PlatformError('verification.result_invalid');
    const told = await identityProvider.read(result, `${publicUrl()}${RESULTS_PATH}`);
    const name = told.outcome === 'approved' ? await verifiedName(told.name, told.verificationId) : undefined;
    await database.write(async (writer) => {
      const found = await checkById(writer, told.checkId);
      if (found === undefined) throw new PlatformError('verification.check_not_found');
      await lock(database.engine, writer, 'persons', [found.person_id]);
      // Another process may have ended it, or put another one in its place, before the lock was had.
      const check = await checkById(writer, told.checkId);
      const field = check && (await fieldOf(writer, check.person_id, check.field_id));
      const now = clock.now();
      if (check === undefined || field?.version !== check.field_version || check.expires_at <= now)
        throw new PlatformError('verification.check_not_found');
      if (check.state !== 'pending') return;
      if (told.outcome === 'rejected')
        return endCheck(writer, check.id, { state: 'rejected', reason: told.reason });
      const { verificationId, expiresAt } = told;
      if (expiresAt !== undefined && expiresAt <= now)
        return endCheck(writer, check.id, { state: 'rejected', reason: 'expired' });
      const attestation: Attestation = {
        verified_hash: check.verified_hash,
        verified_salt: check.verified_salt,
        verified_at: isoTime(now),
        ...(expiresAt !== undefined && { verified_expires_at: isoTime(expiresAt) }),
        verified_method: 'id_document',
        verified_provider: check.provider,
        verification_id: verificationId,
      };
      await endCheck(writer, check.id, { state: 'approved', reason: null });
      const verification = JSON.stringify(attestation);
      await fields.attest(writer, field, { verification, verified_name: name ?? null });
    });
  }

  /** @throws {PlatformError} contact_data.file_not_found, request.invalid */
  async #plaintextOf(field: PersonFieldRow, value: LargeText | undefined): Promise<string> {
    const file = storedFile(field.value);
    if (file === undefined) throw new PlatformError('contact_data.file_not_found');
    const isSealed = file.form === 'sealed';
    if (isSealed !== (value !== undefined)) {
      const message = isSealed
        ? 'is required: the file is sealed'
        : 'must be left out: the file is read where it is stored';
      throw new PlatformError('request.invalid', { details: { issues: [{ path: '/value', message }] } });
    }
    return (value === undefined ? await this.#deps.blobs.read(file.hash) : await value.read()).toString();
  }

  /** @throws {PlatformError} verification.provider_unavailable */
  async #handOver(
    provider: IdentityProvider,
    { id, expires_at }: IdentityCheckRow,
    { type, document }: { type: string; document: object },
  ): Promise<void> {
    try {
      await provider.begin({
        check_id: id,
        callback_url: `${this.#deps.publicUrl()}${RESULTS_PATH}`,
        expires_at: isoTime(expires_at),
        type,
        document,
      });
    } catch (error) {
      await this.#deps.database.write((writer) => deleteCheckById(writer, id));
      throw error;
    }
  }
}

const toCheck = ({ state, reason, expires_at }: IdentityCheckRow): DocumentCheck => ({
  state,
  reason,
  expires_at: isoTime(expires_at),
});

/** A document without the names of its files, which say more about a person than the provider needs. */
function withoutNames({ pages, ...entries }: Record<string, unknown>): object {
  if (!Array.isArray(pages)) return entries;
  return {
    ...entries,
    pages: pages.map(({ label, file }: { label?: unknown; file?: unknown }) => ({ label, file })),
  };
}
