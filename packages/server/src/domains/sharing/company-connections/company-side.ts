import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { CustomerConsent, ServiceLink } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import type { Core } from '../../domain.ts';
import {
  answerOf,
  type ConnectionDocuments,
  isAskedOf,
  localSlots,
  pairRows,
  type Side,
} from '../connections/index.ts';
import { viewCompanyConsents, viewLink } from './company-views.ts';

/**
 * Companies as customers: all answers are typed. Such an answer stays until the company types another; it follows no field,
 * so no other region has to know it, and it has no attestation.
 */
export function companySide({
  clock,
  registry,
  connectionDocuments,
}: Pick<Core, 'clock'> & { registry: FieldTypeRegistry; connectionDocuments: ConnectionDocuments }): Side<
  ServiceLink,
  CustomerConsent
> {
  return {
    customer: 'company',
    slotHome: localSlots,
    async lockCustomer() {},
    pair(rows, decided) {
      const paired = pairRows(rows, decided);
      for (const [row, decision] of paired) {
        if (decision.kind === 'remove' || isAskedOf('company', row)) continue;
        throw new PlatformError('contact_data.usertype_forbidden', {
          text: 'A decision names a row that is asked of people alone.',
          details: { slug: row.slug },
        });
      }
      return paired;
    },
    async answers(_writer, _companyId, decided) {
      const context = { customer: 'company', registry, fields: new Map(), now: clock.now() } as const;
      return [...decided].map(([row, decision]) => answerOf(row, decision, context));
    },
    view: (reader, companyId, linkId) => viewLink(reader, companyId, linkId, connectionDocuments),
    consents: viewCompanyConsents,
  };
}
