import type { RequestFieldInput } from '@symbolon/protocol';
import { useFieldLabel } from '../../../parts/field-label.ts';
import { TypeChoice } from '../../../parts/type-choice.tsx';
import type { FieldTypes } from '../../../platform/fields.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Sheet } from '../../../ui/sheet.tsx';
import { slugOf } from './asks-draft.ts';

/** A new question begins with what kind of thing is asked for. */
export function NewRowSheet(props: {
  types: FieldTypes;
  opened: boolean;
  taken: readonly string[];
  close: () => void;
  add: (row: RequestFieldInput) => void;
}) {
  const { types, opened, taken, close, add } = props;
  const { t } = usePortalText();
  const labelOf = useFieldLabel();
  return (
    <Sheet title={t('asks.add')} opened={opened} close={close} closeLabel={t('app.close')}>
      <TypeChoice
        types={types}
        choose={(type) => add({ slug: slugOf(type, taken), label: labelOf(type, types), type })}
      />
    </Sheet>
  );
}
