import type { RequestFieldInput } from '@symbolon/protocol';
import { useFieldLabel } from '../../../parts/field-label.ts';
import type { FieldTypes } from '../../../platform/fields.ts';
import { pluginName, pluginOffers } from '../../../platform/portal/plugins.ts';
import { useRead } from '../../../platform/read.ts';

/** What kind of thing a question asks for, in words. */
export function useRowLabel(types: FieldTypes) {
  const labelOf = useFieldLabel();
  const { found: offers = [] } = useRead(pluginOffers);
  return ({ type, plugin }: Pick<RequestFieldInput, 'type' | 'plugin'>): string => {
    if (!plugin) return labelOf(type, types);
    const offer = offers.find(
      (one) => one.plugin.id === plugin.plugin_id && one.type.key === plugin.field_type,
    );
    return offer === undefined ? plugin.field_type : `${offer.type.label} (${pluginName(offer.plugin)})`;
  };
}
