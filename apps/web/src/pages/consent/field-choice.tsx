import { Badge, Button, Group, Radio, Skeleton, Stack, Switch, Text } from '@mantine/core';
import { lazy, Suspense, useId, useState } from 'react';
import { useFieldLabel } from '../../parts/field-label.ts';
import { type Fields, type OpenField, shownValue } from '../../platform/fields.ts';
import { useText } from '../../text/index.tsx';
import { type Asked, asksFile, candidates, type Picked } from './asked.ts';
import classes from './field-choice.module.css';

const NewField = lazy(() => import('./new-field.tsx').then(({ NewField }) => ({ default: NewField })));

type Props = {
  asked: Asked;
  fields: Fields | undefined;
  picked: Picked | undefined;
  pick: (choice: Picked | undefined) => void;
  added: (field: OpenField) => void;
};

/** Which of the person's fields answers; a new one can be added here. */
export function FieldChoice({ asked, fields, picked, pick, added }: Props) {
  const { t } = useText();
  const labelOf = useFieldLabel();
  const heading = useId();
  const [adding, setAdding] = useState(false);
  if (fields === undefined) return null;
  const isFile = asksFile(asked, fields);
  const usable = isFile ? [] : candidates(asked, fields);
  const label = asked.label ?? labelOf(asked.type, fields.types);
  const mayAdd = !asked.verified && !isFile;
  const isAdding = mayAdd && (adding || usable.length === 0);
  return (
    <Stack component="fieldset" gap="xs" className={classes.choice} aria-labelledby={heading}>
      <Group gap="xs" id={heading}>
        <Text fw={600}>{label}</Text>
        {!asked.required && <Text c="dimmed">{t('consent.optional')}</Text>}
        {asked.verified && (
          <Badge variant="light" tt="none">
            {t('consent.verified')}
          </Badge>
        )}
        {asked.readable && (
          <Badge variant="light" color="orange" tt="none">
            {t('consent.readable')}
          </Badge>
        )}
      </Group>
      {usable.map((field) => (
        <Radio.Card
          key={field.id}
          checked={picked?.field.id === field.id}
          className={classes.card}
          onClick={() =>
            pick(
              picked?.field.id === field.id && !asked.required ? undefined : { field, live: asked.mayLive },
            )
          }
        >
          <Group wrap="nowrap" gap="sm">
            <Radio.Indicator />
            <div>
              <Text className={classes.value}>{shownValue(field.text ?? '', field.type, fields.types)}</Text>
              <Text size="sm" c="dimmed">
                {field.label}
              </Text>
            </div>
          </Group>
        </Radio.Card>
      ))}
      {isFile && <Text size="sm">{t('consent.files')}</Text>}
      {usable.length === 0 && asked.verified && !isFile && <Text size="sm">{t('consent.noVerified')}</Text>}
      {picked && asked.mayLive && (
        <Switch
          checked={picked.live}
          onChange={() => pick({ ...picked, live: !picked.live })}
          label={t('consent.live')}
          description={t(picked.live ? 'consent.live.on' : 'consent.live.off')}
        />
      )}
      {isAdding ? (
        <Suspense fallback={<Skeleton h={96} radius={8} />}>
          <NewField
            asked={asked}
            label={label}
            fields={fields}
            done={(field) => {
              setAdding(false);
              added(field);
              pick({ field, live: asked.mayLive });
            }}
            {...(usable.length > 0 && { cancel: () => setAdding(false) })}
          />
        </Suspense>
      ) : (
        mayAdd && (
          <Button
            variant="subtle"
            size="compact-md"
            className={classes.add ?? ''}
            onClick={() => setAdding(true)}
          >
            {t('consent.add')}
          </Button>
        )
      )}
    </Stack>
  );
}
