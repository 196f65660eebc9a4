import { ActionIcon, Group } from '@mantine/core';
import type { RequestFieldInput } from '@symbolon/protocol';
import { IconArrowDown, IconArrowUp, IconPencil } from '@tabler/icons-react';
import { kindOf } from '../../../parts/field-icon.ts';
import type { FieldTypes } from '../../../platform/fields.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { type Icon, IconTile } from '../../../ui/icon.tsx';
import { List, Row } from '../../../ui/list.tsx';
import { resting } from '../../../ui/resting.ts';
import { Status } from '../../../ui/status.tsx';
import { stateOf } from './asks-draft.ts';
import { Reason } from './reason.tsx';
import { useRowLabel } from './row-label.ts';

interface Props {
  readonly rows: readonly RequestFieldInput[];
  readonly published: readonly RequestFieldInput[];
  readonly types: FieldTypes;
  readonly mayEdit: boolean;
  readonly edit: (slug: string) => void;
  readonly change: (rows: readonly RequestFieldInput[]) => void;
}

/** The questions in the order in which people read them. */
export function AskedRows({ rows, published, types, mayEdit, edit, change }: Props) {
  const { t, count } = usePortalText();
  const labelOf = useRowLabel(types);
  const move = (from: number, by: number) => {
    const next = [...rows];
    next.splice(from + by, 0, ...next.splice(from, 1));
    change(next);
  };
  return (
    <List label={t('asks.place')}>
      {rows.map((row, place) => {
        const { slug, label, type, verified_max_age_days: days } = row;
        const state = stateOf(row, published);
        const need = row.mandatory_provide ? (row.mandatory_connected ? 'connected' : 'provide') : 'optional';
        return (
          <Row
            key={slug}
            leading={<IconTile icon={kindOf(type, types).icon} />}
            title={label}
            detail={
              <>
                {[
                  [labelOf(row), ...(row.verified ? [t('asks.verified')] : [])].join(', '),
                  ...(days ? [count('asks.both.days', days)] : []),
                  t(`asks.need.${need}`),
                  slug,
                ].join(' · ')}
                <Reason of={row} />
              </>
            }
            trailing={
              <Group gap={4} wrap="nowrap">
                {state !== 'same' && <Status tone="accent">{t(`asks.${state}`)}</Status>}
                <Status tone={row.one_time ? 'neutral' : 'good'}>
                  {t(row.one_time ? 'asks.live.once' : 'asks.live.yes')}
                </Status>
                {mayEdit && (
                  <>
                    {act(IconArrowUp, t('asks.up', { name: label }), place === 0, () => move(place, -1))}
                    {act(IconArrowDown, t('asks.down', { name: label }), place === rows.length - 1, () =>
                      move(place, 1),
                    )}
                    {act(IconPencil, t('asks.edit', { name: label }), false, () => edit(slug))}
                  </>
                )}
              </Group>
            }
          />
        );
      })}
    </List>
  );
}

function act(Drawn: Icon, label: string, disabled: boolean, onClick: () => void) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={36}
      aria-label={label}
      // The first cannot go up: it keeps the focus of who has moved it there.
      {...resting(disabled, onClick)}
    >
      <Drawn size={18} aria-hidden="true" />
    </ActionIcon>
  );
}
