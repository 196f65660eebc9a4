import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { CustomerConsent, ServiceLink } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import type { Core } from '../../domain.ts';
import { takeUploads } from '../../people/index.ts';
import type { ConnectionDocuments } from '../connections/connection-documents.ts';
import { answerOf, isAskedOf, pairRows, uploadsIn } from '../connections/decisions.ts';
import type { Side } from '../connections/side.ts';
import { localSlots, type SlotHome } from '../connections/slot-home.ts';
import { viewCompanyConsents, viewLink } from './company-views.ts';

interface Deps extends Pick<Core, 'clock' | 'database' | 'ids'> {
  readonly registry: FieldTypeRegistry;
  readonly slotHome: SlotHome;
  readonly connectionDocuments: ConnectionDocuments;
}

/**
 * Companies as customers: all answers are typed. Such an answer stays until the company types another; it follows no field,
 * so no other region has to follow it, and it has no attestation.
 */
export function companySide({
  clock,
  database,
  ids,
  registry,
  slotHome,
  connectionDocuments,
}: Deps): Side<ServiceLink, CustomerConsent> {
  return {
    customer: 'company',
    slotHome: {
      ...localSlots,
      async register(companyId, plan, act) {
        const planned = await plan(database.reader);
        return slotHome.withUploads(companyId, planned?.uploads ?? [], act);
      },
    },
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
    async answers(writer, companyId, decided, registered) {
      const now = clock.now();
      const fields = new Map();
      const fetched = await registered.files?.(writer, fields);
      const files = {
        uploads: fetched?.uploads ?? (await takeUploads(writer, companyId, uploadsIn(decided.values()), now)),
        ofFields: new Map(),
        newId: () => ids.uuid(),
      };
      const context = { customer: 'company', registry, fields, files, now } as const;
      return [...decided].map(([row, decision]) => answerOf(row, decision, context));
    },
    view: (reader, companyId, linkId) => viewLink(reader, companyId, linkId, connectionDocuments),
    consents: viewCompanyConsents,
  };
}
