import { Button, Stack } from '@mantine/core';
import type { ContactData, ContactField } from '@symbolon/protocol';
import type { ValueInput } from '@symbolon/sdk/device';
import { useState } from 'react';
import { ValueForm } from '../../../parts/answers/value-form.tsx';
import { kindOf } from '../../../parts/field-icon.ts';
import { useFieldLabel } from '../../../parts/field-label.ts';
import { Loaded, LoadedList } from '../../../parts/loaded.tsx';
import { Problem, useAct } from '../../../parts/problem.tsx';
import { useShownText } from '../../../parts/shown-text.ts';
import { checkedValue } from '../../../platform/check-value.ts';
import type { FieldTypes } from '../../../platform/fields.ts';
import { portalFieldTypes } from '../../../platform/portal/account.ts';
import {
  addToCard,
  cardFieldsQuery,
  cardQuery,
  changeOnCard,
  takeOffCard,
} from '../../../platform/portal/profile.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Group } from '../../../ui/group.tsx';
import { IconTile } from '../../../ui/icon.tsx';
import { List, Row, RowButton } from '../../../ui/list.tsx';
import { Sheet } from '../../../ui/sheet.tsx';

/** What everybody who meets the company can read of it: its address, its telephone, and more. */
export function BusinessCard({ mayEdit }: { mayEdit: boolean }) {
  const { t } = usePortalText();
  const labelOf = useFieldLabel();
  const types = useRead(portalFieldTypes);
  const card = useRead(cardQuery);
  const shown = useShownText(types.found?.resolved, card.found ?? []);
  const [isAdding, setIsAdding] = useState(false);
  const [opened, setOpened] = useState<ContactData>();
  const changed = async () => {
    setIsAdding(false);
    setOpened(undefined);
    await card.load();
  };
  return (
    <Group
      title={t('profile.card')}
      lead={t('profile.card.lead')}
      aside={
        mayEdit && (
          <Button variant="default" size="sm" onClick={() => setIsAdding(true)}>
            {t('profile.card.add')}
          </Button>
        )
      }
    >
      <Loaded of={types} height={80}>
        {(known) => (
          <>
            <LoadedList of={card} none={t('profile.card.none')} noneText={t('profile.card.none.text')}>
              {(found) => (
                <List label={t('profile.card')}>
                  {found.map((entry) => {
                    const parts = {
                      leading: <IconTile icon={kindOf(entry.type, known).icon} />,
                      title: entry.field_id === entry.type ? labelOf(entry.type, known) : entry.label,
                      // Everybody may read it: nothing of it is a secret.
                      detail: shown({ type: entry.type, text: entry.value }, true),
                    };
                    return mayEdit ? (
                      <RowButton key={entry.id} {...parts} onClick={() => setOpened(entry)} />
                    ) : (
                      <Row key={entry.id} {...parts} />
                    );
                  })}
                </List>
              )}
            </LoadedList>
            {isAdding && <AddSheet types={known} close={() => setIsAdding(false)} changed={changed} />}
            {opened !== undefined && (
              <EntrySheet entry={opened} types={known} close={() => setOpened(undefined)} changed={changed} />
            )}
          </>
        )}
      </Loaded>
    </Group>
  );
}

interface SheetProps {
  readonly types: FieldTypes;
  readonly close: () => void;
  readonly changed: () => Promise<void>;
}

/** What it is first, then its value. */
function AddSheet({ types, close, changed }: SheetProps) {
  const { t } = usePortalText();
  const labelOf = useFieldLabel();
  const fields = useRead(cardFieldsQuery);
  const [field, setField] = useState<ContactField>();
  if (field !== undefined)
    return (
      <Sheet title={labelOf(field.type, types)} opened close={close} closeLabel={t('app.close')}>
        <Value
          types={types}
          type={field.type}
          save={(value) => addToCard(field.id, value)}
          changed={changed}
        />
      </Sheet>
    );
  return (
    <Sheet title={t('profile.card.add')} opened close={close} closeLabel={t('app.close')}>
      <Loaded of={fields} height={200}>
        {(found) => (
          <List>
            {found
              .filter(({ type }) => isTyped(type, types))
              .map((each) => {
                const { icon, example } = kindOf(each.type, types);
                return (
                  <RowButton
                    key={each.id}
                    onClick={() => setField(each)}
                    leading={<IconTile icon={icon} tone="accent" />}
                    title={each.is_system ? labelOf(each.type, types) : each.label}
                    {...(example !== undefined && { detail: example })}
                  />
                );
              })}
          </List>
        )}
      </Loaded>
    </Sheet>
  );
}

function EntrySheet({ entry, types, close, changed }: SheetProps & { entry: ContactData }) {
  const { t } = usePortalText();
  const labelOf = useFieldLabel();
  const { busy, error, run } = useAct();
  return (
    <Sheet title={labelOf(entry.type, types)} opened close={close} closeLabel={t('app.close')}>
      <Stack>
        <Value
          types={types}
          type={entry.type}
          initial={entry.value}
          save={(value) => changeOnCard(entry.id, value)}
          changed={changed}
        />
        <Problem error={error} />
        <Button
          variant="subtle"
          color="red"
          loading={busy}
          onClick={() => run(() => takeOffCard(entry.id).then(changed))}
        >
          {t('profile.card.remove')}
        </Button>
      </Stack>
    </Sheet>
  );
}

function Value(props: {
  types: FieldTypes;
  type: string;
  initial?: string;
  save: (value: string) => Promise<unknown>;
  changed: () => Promise<void>;
}) {
  const { types, type, initial, save, changed } = props;
  const { t } = usePortalText();
  const labelOf = useFieldLabel();
  const resolved = types.resolved.get(type);
  if (resolved === undefined) return null;
  return (
    <ValueForm
      type={resolved}
      label={labelOf(type, types)}
      {...(initial !== undefined && { initial })}
      submit={t('settings.save')}
      save={async (value: ValueInput) => {
        await save(checkedValue(type, value, types.rows));
        await changed();
      }}
    />
  );
}

/** Files are no part of a card, and a choice needs options. */
function isTyped(type: string, { resolved }: FieldTypes): boolean {
  const found = resolved.get(type);
  return found !== undefined && !/file|photo|plugin/.test(found.input) && found.options?.length !== 0;
}
