import { createHash } from 'node:crypto';
import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { ContactField, FieldTypeRow, Usertype } from '@symbolon/protocol';
import { namesTag } from '../../http/etag.ts';

/** Types that only a person has; with them go their descendants (wire 2.4). */
const OF_PEOPLE: ReadonlySet<string> = new Set([
  'gender',
  'nationality',
  'personal_number',
  'place_of_birth',
  'date_of_birth',
  'proof_of_identity',
]);

/** Who sees a row in a filtered view: people and companies see what they may fill. */
const SEEN_BY: Readonly<Record<Usertype, readonly Usertype[]>> = {
  person: ['person', 'any'],
  company: ['company', 'any'],
  any: ['any'],
};

/** What is served of one state of the registry. */
interface View {
  readonly rows: readonly FieldTypeRow[];
  readonly etag: string;
  readonly fields: readonly ContactField[];
  readonly byId: ReadonlyMap<string, ContactField>;
}

/** The field-type registry as it is served, and the catalogue of fields made of it (wire 2.4, 4.4). */
export class Catalogue {
  readonly #registry: FieldTypeRegistry;
  #last: View | undefined;

  constructor(registry: FieldTypeRegistry) {
    this.#registry = registry;
  }

  get rows(): readonly FieldTypeRow[] {
    return this.#registry.rows;
  }

  /** Names this very registry (RFC 9110 8.8.3). */
  get etag(): string {
    return this.#view().etag;
  }

  /** All rows, or those that a kind of profile may fill. */
  fields(usertype?: Usertype): ContactField[] {
    return this.#view().fields.filter((field) => isSeenBy(field, usertype));
  }

  /** The row of an id, which is the name of its type. */
  field(id: string): ContactField | undefined {
    return this.#view().byId.get(id);
  }

  /** Whether an If-None-Match header names this registry. */
  isKnown(ifNoneMatch: string | undefined): boolean {
    return namesTag(ifNoneMatch, this.etag);
  }

  /** Made again when the registry has changed. */
  #view(): View {
    const { rows } = this.#registry;
    if (this.#last?.rows !== rows) this.#last = viewOf(this.#registry);
    return this.#last;
  }
}

/** Whether a view of the catalogue has a field: the one of everything, or of what a kind of profile may fill. */
export function isSeenBy(field: ContactField, usertype: Usertype | undefined): boolean {
  return usertype === undefined || SEEN_BY[usertype].includes(field.usertype);
}

function viewOf(registry: FieldTypeRegistry): View {
  const { rows } = registry;
  const digest = createHash('sha256').update(JSON.stringify(rows)).digest('base64url');
  const byType = new Map(rows.map((row) => [row.type, row]));
  const fields = registry
    .order()
    .filter((type) => registry.isRequestable(type))
    .map((type): ContactField => {
      const row = byType.get(type);
      const lineage = [type, ...(registry.resolve(type)?.lineage ?? [])];
      return {
        id: type,
        slug: type,
        label: row?.label ?? type,
        type,
        usertype: lineage.some((name) => OF_PEOPLE.has(name)) ? 'person' : 'any',
        is_system: row?.is_system ?? false,
      };
    });
  return { rows, etag: `"${digest}"`, fields, byId: new Map(fields.map((field) => [field.id, field])) };
}
