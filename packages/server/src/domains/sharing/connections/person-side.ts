import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { PersonConnection, PersonConsent } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import { lock } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import { fieldsById, filesOfFields, takeUploads } from '../../people/index.ts';
import { answerOf, isAskedOf, pairRows, uploadsIn } from './decisions.ts';
import { viewConnections, viewConsents } from './person-views.ts';
import type { Side } from './side.ts';
import type { SlotHome } from './slot-home.ts';

interface Deps extends Pick<Core, 'clock' | 'database' | 'ids'> {
  readonly registry: FieldTypeRegistry;
  readonly slotHome: SlotHome;
}

/** People as customers: their live answers follow their own fields. */
export function personSide(deps: Deps): Side<PersonConnection, PersonConsent> {
  const { clock, database, ids, registry, slotHome } = deps;
  return {
    customer: 'person',
    slotHome,
    lockCustomer: (writer, personId) => lock(database.engine, writer, 'persons', [personId]),
    // A row that is no longer asked of people can keep its answer or lose it, but take no new one.
    pair: (rows, decided, answered) =>
      pairRows(
        rows.filter((row) => isAskedOf('person', row) || answered.has(row.id)),
        decided,
      ),
    async answers(writer, personId, decided, registered) {
      if (decided.size === 0) return [];
      if ([...decided.keys()].some((row) => !isAskedOf('person', row))) {
        throw new PlatformError('contact_data.decision_invalid');
      }
      const fields = await fieldsById(
        writer,
        personId,
        [...decided.values()].flatMap((decision) =>
          decision.kind === 'remove' || decision.fieldId === undefined ? [] : [decision.fieldId],
        ),
      );
      const now = clock.now();
      const fetched = await registered.files?.(writer, fields);
      const files = {
        uploads: fetched?.uploads ?? (await takeUploads(writer, personId, uploadsIn(decided.values()), now)),
        ofFields: fetched?.ofFields ?? (await filesOfFields(writer, personId, [...fields.keys()])),
        newId: () => ids.uuid(),
      };
      const context = { customer: 'person', registry, fields, files, now } as const;
      return [...decided].map(([row, decision]) => {
        const answer = answerOf(row, decision, context);
        const field = answer.live === 1 && answer.fieldId !== null ? fields.get(answer.fieldId) : undefined;
        return field === undefined ? answer : { ...answer, ...registered.claim(row, field) };
      });
    },
    async view(reader, personId, connectionId) {
      const [connection] = await viewConnections(reader, { personId, connectionId });
      return connection;
    },
    consents: viewConsents,
  };
}
