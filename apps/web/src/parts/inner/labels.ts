import { englishLabel } from '@symbolon/field-types';
import type { FieldTypes } from '../../platform/fields.ts';
import type { Asked } from '../answers/asked.ts';

/** What people call a type of field, the members of a composite one, and what is asked of them. */
export function fieldLabels(maybe: (key: string) => string | undefined) {
  const labelOf = (type: string, { rows }: Pick<FieldTypes, 'rows'>): string => {
    const row = rows.find((each) => each.type === type);
    return maybe(`type.${type}`) ?? (row ? englishLabel(row) : type);
  };
  const member = (key: string): string => maybe(`member.${key}`) ?? key.replaceAll('_', ' ');
  /** In the words of who asks, else by the name of the claim, else by its type. */
  const asked = (
    { kind, id, type, label }: Pick<Asked, 'kind' | 'id' | 'type' | 'label'>,
    types: Pick<FieldTypes, 'rows'>,
  ): string => label ?? (kind === 'claim' ? maybe(`claim.${id}`) : undefined) ?? labelOf(type, types);
  return Object.assign(labelOf, { member, asked });
}
