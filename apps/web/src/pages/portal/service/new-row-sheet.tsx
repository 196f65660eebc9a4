import { Stack } from '@mantine/core';
import type { RequestFieldInput } from '@symbolon/protocol';
import { PLUGIN_TYPE } from '@symbolon/protocol/constants';
import { IconPlug } from '@tabler/icons-react';
import { useFieldLabel } from '../../../parts/field-label.ts';
import { TypeChoice } from '../../../parts/type-choice.tsx';
import type { FieldTypes } from '../../../platform/fields.ts';
import { pluginName, pluginOffers } from '../../../platform/portal/plugins.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Group } from '../../../ui/group.tsx';
import { IconTile } from '../../../ui/icon.tsx';
import { List, RowButton } from '../../../ui/list.tsx';
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
  const { found: offers = [] } = useRead(pluginOffers);
  // Only a flow can fill an input.
  const offered = offers.filter(({ type }) => !type.inputs.some(({ required }) => required));
  return (
    <Sheet title={t('asks.add')} opened={opened} close={close} closeLabel={t('app.close')}>
      <Stack>
        <TypeChoice
          types={types}
          choose={(type) => add({ slug: slugOf(type, taken), label: labelOf(type, types), type })}
        />
        {offered.length > 0 && (
          <Group title={t('asks.plugins')} lead={t('asks.plugins.lead')}>
            <List>
              {offered.map(({ plugin, type: { key, label } }) => (
                <RowButton
                  key={`${plugin.id} ${key}`}
                  onClick={() =>
                    add({
                      ...{ slug: slugOf(key, taken), label, type: PLUGIN_TYPE },
                      plugin: { plugin_id: plugin.id, field_type: key },
                      // What the platform asks of such rows.
                      ...{ one_time: true, audience: 'person' },
                    })
                  }
                  leading={<IconTile icon={IconPlug} tone="accent" />}
                  title={label}
                  detail={pluginName(plugin)}
                />
              ))}
            </List>
          </Group>
        )}
      </Stack>
    </Sheet>
  );
}
