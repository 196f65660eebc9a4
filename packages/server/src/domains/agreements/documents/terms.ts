import type { DocumentTerms } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import type { DocumentRow } from './tables.ts';

type Named = Pick<DocumentRow, 'name' | 'description' | 'metadata'>;

/** As the company has them. */
export const termsOf = ({ name, description, metadata }: Named): DocumentTerms => ({
  name,
  description,
  metadata: JSON.parse(metadata) as Record<string, unknown>,
});

/** What a customer's act is about, whatever the company writes afterwards (wire 11.3). */
export const agreedTerms = (row: Named & Pick<DocumentRow, 'acted_terms'>): DocumentTerms =>
  row.acted_terms === null ? termsOf(row) : (JSON.parse(row.acted_terms) as DocumentTerms);

/** What the company made of them since; null when they are as they were. */
export const newerTerms = (row: Named & Pick<DocumentRow, 'acted_terms'>): DocumentTerms | null => {
  const newer = termsOf(row);
  return row.acted_terms === null || row.acted_terms === JSON.stringify(newer) ? null : newer;
};

/**
 * What a company's change does to a document that its customer acted on: the customer goes on seeing what it acted on beside
 * what is new, and the status is no longer the company's. To write the same status again changes nothing.
 * @throws {PlatformError} documents.contract_immutable
 */
export function afterAct(document: DocumentRow, change: Partial<DocumentRow>): Partial<DocumentRow> {
  const { status, ends_on: _, ...terms } = change;
  if (status !== undefined && status !== document.status)
    throw new PlatformError('documents.contract_immutable');
  if (Object.keys(terms).length === 0) return {};
  // Of several changes the first one keeps what was there.
  return { ...terms, acted_terms: document.acted_terms ?? JSON.stringify(termsOf(document)) };
}
