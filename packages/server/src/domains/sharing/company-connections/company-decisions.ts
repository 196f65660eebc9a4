import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { CustomerDecision } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import { flag } from '../../../db/tables.ts';
import { parseSealed } from '../../identity/index.ts';
import type { RequestFieldRow } from '../../services/index.ts';
import { type Answer, isAskedOf, pairRows } from '../connections/index.ts';

/** A decision whose value has the form in which it is stored. */
export type CompanyDecided =
  | { readonly rowId: string; readonly kind: 'keep' }
  | { readonly rowId: string; readonly kind: 'typed' | 'one_time'; readonly value: string };

/**
 * Reads decisions as far as that needs no database: every value must be sealed.
 * @throws {PlatformError} contact_data.encryption_required, contact_data.wrapper_invalid, contact_data.decision_invalid
 */
export function readCompanyDecisions(decisions: readonly CustomerDecision[]): CompanyDecided[] {
  return decisions.map(({ request_field_id: rowId, kind, value }) => {
    if (kind !== 'keep') return { rowId, kind, value: parseSealed(value) };
    if (value !== undefined) {
      throw new PlatformError('contact_data.decision_invalid', {
        text: 'A decision that keeps an answer takes no value.',
      });
    }
    return { rowId, kind };
  });
}

/**
 * Finds the row of each decision; rows are the service's own, whoever they are asked of.
 * @throws {PlatformError} contact_data.decision_invalid for a row that is none of them or stands twice,
 *   contact_data.usertype_forbidden for an answer to one that is asked of people alone
 */
export function pairCompanyRows(
  rows: readonly RequestFieldRow[],
  decisions: readonly CompanyDecided[],
): Map<RequestFieldRow, CompanyDecided> {
  const paired = pairRows(rows, decisions);
  for (const [row, decision] of paired) {
    if (decision.kind === 'keep' || isAskedOf('company', row)) continue;
    throw new PlatformError('contact_data.usertype_forbidden', {
      text: 'A decision names a row that is asked of people alone.',
      details: { slug: row.slug },
    });
  }
  return paired;
}

/**
 * Checks a decision against its row. A typed answer stays until the company types another: it is live without a field that
 * it would follow. Nothing attests what a company types.
 * @throws {PlatformError} contact_data.files_unsupported, contact_data.one_time_only, contact_data.mandatory,
 *   contact_data.verification_required, contact_data.decision_invalid
 */
export function companyAnswer(
  row: RequestFieldRow,
  decision: CompanyDecided,
  registry: FieldTypeRegistry,
): Answer {
  if (decision.kind === 'keep') {
    throw new PlatformError('contact_data.decision_invalid', {
      text: 'Only an answer that stands can be kept.',
    });
  }
  if (registry.isBinary(row.type)) throw new PlatformError('contact_data.files_unsupported');
  const live = decision.kind === 'typed';
  if (live && row.one_time === 1) throw new PlatformError('contact_data.one_time_only');
  if (!live && row.mandatory_connected === 1) {
    throw new PlatformError('contact_data.mandatory', {
      status: 422,
      text: 'This row takes a typed answer.',
    });
  }
  if (row.verified === 1) throw new PlatformError('contact_data.verification_required');
  return { row, fieldId: null, live: flag(live), value: decision.value, private: 0, verification: null };
}
