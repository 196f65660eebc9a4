import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Fields, OpenField } from '../../platform/fields.ts';
import { useText } from '../../text/index.tsx';
import { useFieldLabel } from '../field-label.ts';
import { type Asked, foldedOf } from './asked.ts';
import { FieldChoice } from './inner/field-choice.tsx';
import type { Picks } from './use-picked.ts';

/** Everything that is asked, each with the fields that may answer it. */
export function FieldChoices(props: {
  asked: readonly Asked[];
  fields: Fields | undefined;
  picks: Picks;
  added: (field: OpenField) => void;
  /** The person has come to choose another answer. */
  isOpen?: boolean;
}) {
  const { asked, fields, picks, added, isOpen = false } = props;
  const { picked } = picks;
  const { t } = useText();
  const labelOf = useFieldLabel();
  const [showsAll, setShowsAll] = useState(false);
  const folded = showsAll ? [] : foldedOf(asked, picked).filter((each) => !picks.isAdding(each));
  const rows = asked.filter((each) => !folded.includes(each));
  const choices = rows.map((each) => (
    <FieldChoice
      key={each.key}
      asked={each}
      fields={fields}
      picked={picked.get(each.key)}
      isOpen={isOpen}
      pick={(choice) => picks.pick(each, choice)}
      isNew={picks.isAdding(each)}
      setNew={(is) => picks.setAdding(each, is)}
      added={added}
    />
  ));
  const names = folded.map(({ label, type, ...each }) =>
    fields === undefined ? (label ?? type) : labelOf.asked({ label, type, ...each }, fields.types),
  );
  return (
    <>
      {choices}
      {folded.length > 0 && (
        <Stack gap={4} align="flex-start">
          <Text size="sm" c="dimmed">
            {t('consent.more.text', { names: names.join(', ') })}
          </Text>
          <Button variant="default" onClick={() => setShowsAll(true)}>
            {t('consent.more')}
          </Button>
        </Stack>
      )}
    </>
  );
}
