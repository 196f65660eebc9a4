import { matchesAttestation, sealValue, serializeWrapper } from '@symbolon/crypto';
import type { FieldTypeRegistry } from '@symbolon/field-types';
import { type ClaimAnswer, type ConsentClaim, limits } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import { parseSealed } from '../../../core/sealed-value.ts';
import type { Reader } from '../../../db/database.ts';
import { flag } from '../../../db/tables.ts';
import type { SignInApp } from '../../clients/index.ts';
import { fieldsById, type NamedField, readAttestation, slotAttestation, stands } from '../../people/index.ts';
import type { PlaintextClaims } from '../tokens/grant.ts';

/** What the answers to an app's claims come to. */
export interface CheckedAnswers {
  /** Wrappers by the claim's name. */
  readonly values: Readonly<Record<string, string>>;
  readonly attestations: Readonly<Record<string, string>>;
  readonly plaintext: PlaintextClaims | undefined;
  /** The fields that answer, by the claim's name. */
  readonly choices: Readonly<Record<string, string>>;
  readonly names: readonly string[];
  /** The fields as they were when the answers were checked. */
  readonly fields: ReadonlyMap<string, NamedField>;
}

interface Context {
  readonly personId: string;
  readonly claims: readonly ConsentClaim[];
  readonly app: SignInApp;
  readonly registry: FieldTypeRegistry;
  readonly now: number;
}

interface Pair {
  readonly claim: ConsentClaim;
  readonly answer: ClaimAnswer;
  readonly field: NamedField | undefined;
}

/**
 * Checks what a person answers to an app's claims.
 * @throws {PlatformError} oauth.claim_invalid, oauth.claims_missing, contact_data.not_found, contact_data.type_mismatch,
 *   contact_data.encryption_required, contact_data.wrapper_invalid, contact_data.value_too_large,
 *   contact_data.value_invalid, invalid_request where a claim must be verified and is not
 */
export async function checkAnswers(
  reader: Reader,
  sent: readonly ClaimAnswer[],
  context: Context,
): Promise<CheckedAnswers> {
  const { claims, personId, app } = context;
  const asked = new Map(claims.map((claim) => [claim.name, claim]));
  const ids = sent.flatMap(({ field_id }) => (field_id === undefined ? [] : [field_id]));
  const fields = await fieldsById(reader, personId, ids);
  const pairs = new Map<string, Pair>();
  for (const answer of sent) {
    const claim = asked.get(answer.name);
    if (claim === undefined || pairs.has(answer.name)) throw new PlatformError('oauth.claim_invalid');
    const field = answer.field_id === undefined ? undefined : fields.get(answer.field_id);
    if (answer.field_id !== undefined && field === undefined)
      throw new PlatformError('contact_data.not_found');
    if (field !== undefined && !context.registry.accepts(claim.type, field.type))
      throw new PlatformError('contact_data.type_mismatch');
    if (claim.verified && !stands(ageOf(claim), field?.verification ?? null, context.now)) throw unverified();
    pairs.set(claim.name, { claim, answer, field });
  }
  const missing = claims.filter(({ name, required }) => required && !pairs.has(name)).map(({ name }) => name);
  if (missing.length > 0) throw new PlatformError('oauth.claims_missing', { details: { missing } });

  const all = [...pairs.values()];
  const wrapped = all.filter(({ claim }) => claim.delivery === 'wrapper');
  return {
    values: Object.fromEntries(wrapped.map(({ claim, answer }) => [claim.name, wrapperOf(answer)])),
    attestations: await attestationsOf(wrapped, app),
    plaintext: await plaintextOf(all, context),
    choices: Object.fromEntries(all.flatMap(({ claim, field }) => (field ? [[claim.name, field.id]] : []))),
    names: claims.filter(({ name }) => pairs.has(name)).map(({ name }) => name),
    fields,
  };
}

/** Refuses answers whose fields changed while they were checked. @throws {PlatformError} contact_data.field_changed */
export async function refuseChanged(
  reader: Reader,
  personId: string,
  answers: CheckedAnswers,
): Promise<void> {
  const now = await fieldsById(reader, personId, [...answers.fields.keys()]);
  for (const [id, before] of answers.fields) {
    const after = now.get(id);
    if (after?.version !== before.version || after.verification !== before.verification)
      throw new PlatformError('contact_data.field_changed');
  }
}

const ageOf = (claim: ConsentClaim) => ({
  verified: flag(claim.verified),
  verified_max_age_days: claim.verified_max_age_days,
});

function unverified(): PlatformError {
  return new PlatformError('invalid_request', {
    text: 'The app takes a verified value here. Verify the field, or choose another one.',
  });
}

function wrapperOf({ wrapper, plaintext }: ClaimAnswer): string {
  if (plaintext !== undefined) throw new PlatformError('oauth.claim_invalid');
  return parseSealed(wrapper);
}

/** What the platform attests of the answers, sealed to the app: it must not be read on the way, and it names the value. */
async function attestationsOf(pairs: readonly Pair[], app: SignInApp): Promise<Record<string, string>> {
  const sealed: Record<string, string> = {};
  for (const { claim, field } of pairs) {
    const attestation = readAttestation(slotAttestation(ageOf(claim), field?.verification ?? null));
    if (!claim.verified || attestation === undefined || app.public_key === null) continue;
    const told = {
      hash: attestation.verified_hash,
      salt: attestation.verified_salt,
      verified_at: attestation.verified_at,
      verified_expires_at: attestation.verified_expires_at ?? null,
      verified_method: attestation.verified_method,
      verified_provider: attestation.verified_provider,
      verification_id: attestation.verification_id,
    };
    sealed[claim.name] = serializeWrapper(await sealValue(JSON.stringify(told), app.public_key));
  }
  return sealed;
}

/**
 * The claims that the site can read. An address counts as verified only when the standing attestation is over exactly the text
 * that is handed over.
 */
async function plaintextOf(pairs: readonly Pair[], context: Context): Promise<PlaintextClaims | undefined> {
  const plain = pairs.filter(({ claim }) => claim.delivery === 'plaintext');
  if (plain.length === 0) return undefined;
  const claims: { name?: string; email?: string; email_verified?: boolean } = {};
  for (const { claim, answer, field } of plain) {
    const text = answer.plaintext;
    if (text === undefined || answer.wrapper !== undefined) throw new PlatformError('oauth.claim_invalid');
    if (claim.name === 'name') {
      if (!new RegExp(limits.shownText, 'u').test(text)) throw invalidValue('name');
      claims.name = text;
      continue;
    }
    if (!context.registry.validate('email', text).valid || text !== text.trim() || text === '')
      throw invalidValue('email');
    const verified = await isVerified(claim, field, text, context.now);
    if (claim.verified && !verified) throw unverified();
    claims.email = text;
    claims.email_verified = verified;
  }
  return claims;
}

async function isVerified(
  claim: ConsentClaim,
  field: NamedField | undefined,
  text: string,
  now: number,
): Promise<boolean> {
  const stored = field?.verification ?? null;
  const attestation = readAttestation(stored);
  if (attestation?.verified_hash === undefined || attestation.verified_salt === undefined) return false;
  const { verified_hash, verified_salt } = attestation;
  return stands(ageOf(claim), stored, now) && matchesAttestation(text, verified_salt, verified_hash);
}

function invalidValue(name: string): PlatformError {
  const issue = { path: '/claims', message: `the value of ${name} is invalid` };
  return new PlatformError('contact_data.value_invalid', { details: { issues: [issue] } });
}
