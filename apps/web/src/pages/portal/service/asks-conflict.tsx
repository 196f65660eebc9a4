import { Button, Group, Radio, Stack, Text, VisuallyHidden } from '@mantine/core';
import type { RequestFieldConfig, RequestFieldInput } from '@symbolon/protocol';
import { useState } from 'react';
import { ActButtons } from '../../../parts/act-buttons.tsx';
import type { FieldTypes } from '../../../platform/fields.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Sheet } from '../../../ui/sheet.tsx';
import { type Column, DataTable } from '../../../ui/table.tsx';
import { type Clash, changedBetween, clashesOf, inputOf, rebase, type Side, sideOf } from './asks-draft.ts';
import classes from './asks-page.module.css';
import { Reason } from './reason.tsx';
import { useRowLabel } from './row-label.ts';

interface Props {
  readonly draft: {
    readonly rows: readonly RequestFieldInput[];
    readonly published: readonly RequestFieldInput[];
    readonly onto: (config: RequestFieldConfig, rows?: RequestFieldInput[]) => void;
  };
  readonly theirs: RequestFieldConfig;
  readonly types: FieldTypes;
}

/** What another login published meanwhile, beside the draft that is still here. */
export function Conflict({ draft: { rows, published, onto }, theirs, types }: Props) {
  const { t } = usePortalText();
  const [isChoosing, setIsChoosing] = useState(false);
  const found = theirs.request_fields.map(inputOf);
  const names = changedBetween(published, found);
  const clashes = clashesOf(rows, published, found);
  const put = (chosen?: ReadonlyMap<string, Side>) => onto(theirs, rebase(rows, published, found, chosen));
  return (
    <>
      <section className={classes.conflict} role="alert">
        <Text fw={600}>{t('asks.conflict')}</Text>
        <Text size="sm">{t('asks.conflict.text')}</Text>
        <Text size="sm">
          {t('asks.conflict.theirs', {
            names: names.length > 0 ? names.join(', ') : t('asks.conflict.nothing'),
          })}
        </Text>
        <Group mt="xs">
          <Button size="sm" onClick={() => (clashes.length > 0 ? setIsChoosing(true) : put())}>
            {t('asks.conflict.onto')}
          </Button>
          <Button size="sm" variant="default" onClick={() => onto(theirs)}>
            {t('asks.discard')}
          </Button>
        </Group>
      </section>
      {isChoosing && (
        <Sheet
          title={t('asks.both')}
          opened
          wide
          close={() => setIsChoosing(false)}
          closeLabel={t('app.close')}
        >
          <Choices clashes={clashes} types={types} put={put} close={() => setIsChoosing(false)} />
        </Sheet>
      )}
    </>
  );
}

/** Each question that both changed, as it was and as it is on both sides, and which of them holds. */
function Choices(props: {
  clashes: readonly Clash[];
  types: FieldTypes;
  put: (chosen: ReadonlyMap<string, Side>) => void;
  close: () => void;
}) {
  const { clashes, types, put, close } = props;
  const { t } = usePortalText();
  const [chosen, setChosen] = useState<ReadonlyMap<string, Side>>(new Map());
  const column = (key: 'was' | Side): Column<Clash> => ({
    key,
    title: t(`asks.both.${key}`),
    cell: (clash) => <Version row={clash[key]} isOver={clash.was !== undefined} types={types} />,
  });
  const columns: readonly Column<Clash>[] = [
    column('was'),
    column('theirs'),
    column('yours'),
    {
      key: 'holds',
      title: t('asks.both.holds'),
      cell: (clash) => (
        <Radio.Group
          label={<VisuallyHidden>{t('asks.both.holds.of', { name: clash.label })}</VisuallyHidden>}
          value={chosen.get(clash.slug) ?? sideOf(clash)}
          onChange={(side) => setChosen(new Map(chosen).set(clash.slug, side as Side))}
        >
          <Stack gap={6}>
            <Radio value="theirs" label={t('asks.both.theirs')} />
            <Radio value="yours" label={t('asks.both.yours')} />
          </Stack>
        </Radio.Group>
      ),
    },
  ];
  return (
    <Stack>
      <Text size="sm">{t('asks.both.text')}</Text>
      <DataTable label={t('asks.both')} columns={columns} rows={clashes} keyOf={({ slug }) => slug} />
      <ActButtons label={t('asks.conflict.onto')} busy={false} act={() => put(chosen)} cancel={close} />
    </Stack>
  );
}

/** A question with all its rules. @param isOver it was there before, so that it is removed where it is not */
function Version({
  row,
  isOver,
  types,
}: {
  row: RequestFieldInput | undefined;
  isOver: boolean;
  types: FieldTypes;
}) {
  const { t, count } = usePortalText();
  const labelOf = useRowLabel(types);
  if (row === undefined)
    return (
      <Text size="sm" c="dimmed">
        {t(isOver ? 'asks.both.removed' : 'asks.both.none')}
      </Text>
    );
  const need = row.mandatory_connected ? 'connected' : row.mandatory_provide ? 'provide' : 'optional';
  const { verified_max_age_days: days, audience = 'both' } = row;
  const rules = [
    labelOf(row),
    t(`asks.need.${need}`),
    t(row.one_time ? 'asks.howLong.once' : 'asks.howLong.live'),
    ...(row.verified ? [t('asks.verified')] : []),
    ...(days ? [count('asks.both.days', days)] : []),
    t(`settings.audience.${audience}`),
  ];
  return (
    <>
      <Text size="sm" fw={600}>
        {row.label}
      </Text>
      <Text size="sm" component="div">
        {rules.join(' · ')}
        <Reason of={row} />
      </Text>
    </>
  );
}
