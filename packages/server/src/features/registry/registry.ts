import { createHash } from 'node:crypto';
import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { ContactField, FieldTypeRow, Usertype } from '@symbolon/protocol';

/** Types that only a person has; with them go their descendants (spec 2.4). */
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

/** The field-type registry as it is served, and the catalogue of fields made of it (spec 2.4, 4.4). */
export class Catalogue {
  readonly rows: readonly FieldTypeRow[];
  /** Names this very registry (RFC 9110 8.8.3). */
  readonly etag: string;
  readonly #fields: readonly ContactField[];

  constructor(registry: FieldTypeRegistry) {
    this.rows = registry.rows;
    const digest = createHash('sha256').update(JSON.stringify(registry.rows)).digest('base64url');
    this.etag = `"${digest}"`;
    const labels = new Map(registry.rows.map((row) => [row.type, row.label]));
    this.#fields = registry
      .order()
      .filter((type) => registry.isRequestable(type))
      .map((type) => {
        const lineage = [type, ...(registry.resolve(type)?.lineage ?? [])];
        return {
          id: type,
          slug: type,
          label: labels.get(type) ?? type,
          type,
          usertype: lineage.some((name) => OF_PEOPLE.has(name)) ? 'person' : 'any',
          is_system: true,
        };
      });
  }

  /** All rows, or those that a kind of profile may fill. */
  fields(usertype?: Usertype): ContactField[] {
    const seen = usertype === undefined ? undefined : SEEN_BY[usertype];
    return this.#fields.filter((field) => seen === undefined || seen.includes(field.usertype));
  }

  /** Whether an If-None-Match header names this registry (RFC 9110 13.1.2: weak comparison). */
  isKnown(ifNoneMatch: string | undefined): boolean {
    if (ifNoneMatch === undefined) return false;
    if (ifNoneMatch.trim() === '*') return true;
    return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === this.etag);
  }
}
