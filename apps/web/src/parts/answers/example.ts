import type { ResolvedFieldType } from '@symbolon/field-types';
import { useText } from '../../text/index.tsx';

/** How a value of a type is written, in the language of the page: by the nearest type that has an example. */
export function useExample() {
  const { t, maybe } = useText();
  return ({ lineage }: Pick<ResolvedFieldType, 'lineage'>): string | undefined => {
    const example = lineage.map((name) => maybe(`example.${name}`)).findLast((text) => text !== undefined);
    return example === undefined ? undefined : t('fields.example', { example });
  };
}
