import { englishLabel } from '@symbolon/field-types';
import type { FieldTypes } from '../platform/fields.ts';
import { useText } from '../text/index.tsx';

/** What people call a type of field, and the members of a composite one. */
export function useFieldLabel() {
  const { maybe } = useText();
  const labelOf = (type: string, { rows }: Pick<FieldTypes, 'rows'>): string => {
    const row = rows.find((each) => each.type === type);
    return maybe(`type.${type}`) ?? (row ? englishLabel(row) : type);
  };
  const member = (key: string): string => maybe(`member.${key}`) ?? key.replaceAll('_', ' ');
  return Object.assign(labelOf, { member });
}
