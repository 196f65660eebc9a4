import type { ResolvedFieldType } from '@symbolon/field-types';
import { named, parsed } from './shown-value.ts';

/** One part of a value of several. */
export interface Member {
  readonly key: string;
  /** As people write it. */
  readonly text: string;
  readonly isSecret: boolean;
}

const SECRET = new Set(['number', 'cvc', 'account_number', 'document_number', 'personal_number']);

/** What stands in a value of several members, in the order of its type; none for any other value. */
export function membersOf(text: string, type: ResolvedFieldType | undefined, language: string): Member[] {
  const value = type?.input === 'composite' ? parsed(text) : undefined;
  if (typeof value !== 'object' || value === null) return [];
  return (type?.fields ?? []).flatMap(({ key, input }) => {
    const member: unknown = Reflect.get(value, key);
    return member ? [{ key, text: named(String(member), input, language), isSecret: SECRET.has(key) }] : [];
  });
}
