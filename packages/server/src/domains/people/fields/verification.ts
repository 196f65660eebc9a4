import { createAttestation } from '@symbolon/crypto';
import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { ConfirmVerificationRequest, ErrorKey, PersonField } from '@symbolon/protocol';
import { mailboxOf, normalizeEmail } from '../../../access/email.ts';
import { isoTime } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import type { Mail } from '../../../core/mail.ts';
import { lock, writeLocked } from '../../../db/database.ts';
import { CODE_MINUTES, type CodeMailLimits, type MailedCodes } from '../../accounts/index.ts';
import type { Core } from '../../domain.ts';
import { type Attestation, NO_ATTESTATION } from './attestations.ts';
import { type Fields, toPersonField } from './fields.ts';
import { deleteCheck } from './identity-check-store.ts';
import type { PersonFieldRow } from './tables.ts';

interface Deps extends Pick<Core, 'clock' | 'database' | 'ids' | 'mail' | 'secrets'> {
  readonly fields: Fields;
  readonly registry: FieldTypeRegistry;
  readonly codes: MailedCodes<'verification_codes'>;
  readonly codeMailLimits: CodeMailLimits;
}

/**
 * Verifying an e-mail address by a code mailed to it. The verifying moment is the only one at which the platform sees a
 * plaintext: it keeps a keyed hash of it while the code is valid, and the salted attestation afterwards.
 */
export class Verification {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Mails a code to the address that the field holds. An earlier code is void.
   * @param value the field's plaintext
   * @throws {PlatformError} contact_data.not_found, verification.unsupported, contact_data.value_invalid,
   *   rate_limit.exceeded, mail.unavailable, mail.refused
   */
  async start(personId: string, fieldId: string, value: string): Promise<{ expires_at: string }> {
    const field = await this.#deps.fields.require(this.#deps.database.reader, personId, fieldId);
    const mail = { subject: fieldId, account: personId, to: this.#mailboxOf(field, value) };
    const key = { person_id: personId, field_id: fieldId };
    const valueHash = this.#deps.secrets.hash(verifiedValue(fieldId, value));
    this.#deps.mail.refuseWhenAway();
    await this.#deps.codeMailLimits.consume(mail);
    const { code, expiresAt, row } = this.#deps.codes.draw(key, { value_hash: valueHash });
    await writeLocked(this.#deps.database, 'persons', personId, async (writer) => {
      await this.#deps.fields.require(writer, personId, fieldId);
      await this.#deps.codes.put(writer, key, row);
    });
    await this.#deps.mail.send(codeMail(value, code));
    return { expires_at: isoTime(expiresAt) };
  }

  /**
   * Attests the value by the code that was mailed for it, to the field and to the slots that follow it.
   * @throws {PlatformError} contact_data.not_found, verification.not_started, verification.value_changed,
   *   verification.code_invalid
   */
  async confirm(
    personId: string,
    fieldId: string,
    request: ConfirmVerificationRequest,
  ): Promise<PersonField> {
    const now = this.#deps.clock.now();
    const attestation: Attestation = {
      ...(await createAttestation(request.value)),
      verified_at: isoTime(now),
      verified_method: 'email_code',
      verified_provider: 'symbolon',
      verification_id: this.#deps.ids.uuid(),
    };
    const key = { person_id: personId, field_id: fieldId };
    const outcome = await this.#deps.database.write(
      async (writer): Promise<{ field: PersonFieldRow } | { refused: ErrorKey }> => {
        await lock(this.#deps.database.engine, writer, 'persons', [personId]);
        const field = await this.#deps.fields.require(writer, personId, fieldId);
        const code = await this.#deps.codes.find(writer, key);
        if (code === undefined) return { refused: 'verification.not_started' };
        if (!this.#deps.secrets.matches(verifiedValue(fieldId, request.value), code.value_hash))
          return { refused: 'verification.value_changed' };
        // Returned, not thrown: a throw would undo the count of wrong tries.
        if ((await this.#deps.codes.redeem(writer, key, request.code)) === undefined)
          return { refused: 'verification.code_invalid' };
        const verification = JSON.stringify(attestation);
        return {
          field: await this.#deps.fields.attest(writer, field, { verification, verified_name: null }),
        };
      },
    );
    if ('refused' in outcome) throw new PlatformError(outcome.refused);
    return toPersonField(outcome.field);
  }

  /** Drops the attestation, a code that was mailed, and what a provider is asked. @throws {PlatformError} contact_data.not_found */
  async drop(personId: string, fieldId: string): Promise<PersonField> {
    return writeLocked(this.#deps.database, 'persons', personId, async (writer) => {
      const field = await this.#deps.fields.require(writer, personId, fieldId);
      await this.#deps.codes.delete(writer, { person_id: personId, field_id: fieldId });
      await deleteCheck(writer, personId, fieldId);
      if (field.verification === null) return toPersonField(field);
      return toPersonField(await this.#deps.fields.attest(writer, field, NO_ATTESTATION));
    });
  }

  /** The address in its stored form. The value is mailed to and attested as it stands, so it must be one as it stands. */
  #mailboxOf(field: PersonFieldRow, value: string): string {
    if (!this.#deps.registry.accepts('email', field.type))
      throw new PlatformError('verification.unsupported');
    const result = this.#deps.registry.validate(field.type, value);
    const address = normalizeEmail(value);
    if (!result.valid || address === undefined || value !== value.trim()) {
      throw new PlatformError('contact_data.value_invalid', {
        details: { issues: [{ path: '/value', message: 'is not an e-mail address' }] },
      });
    }
    return address;
  }
}

/** What is hashed of a value that is being verified. */
const verifiedValue = (fieldId: string, value: string) => `verified value ${fieldId} ${mailboxOf(value)}`;

function codeMail(to: string, code: string): Mail {
  return {
    to,
    subject: `${code} is your verification code`,
    code,
    text: `${code} is your Symbolon verification code.

Enter it within ${CODE_MINUTES} minutes to confirm that this e-mail address is yours. Keep it to yourself: we never ask for it.

You did not ask for a code? Then there is nothing to do. Without it, nothing is confirmed.
`,
  };
}
