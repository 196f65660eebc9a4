import { Button, Group, Text } from '@mantine/core';
import { useId } from 'react';
import type { Fields, OpenField } from '../../../platform/fields.ts';
import { useText } from '../../../text/index.tsx';
import { IconTile } from '../../../ui/icon.tsx';
import { Status } from '../../../ui/status.tsx';
import { kindOf } from '../../field-icon.ts';
import type { Asked, Picked } from '../asked.ts';
import classes from './field-choice.module.css';
import { Why } from './why.tsx';

/** One answer that is picked already, with the way to another one. */
export function Settled(props: {
  asked: Asked;
  chosen: Picked & { field: OpenField };
  label: string;
  /** What the field says. */
  text: string;
  fields: Fields;
  change: () => void;
}) {
  const { asked, chosen, label, text, fields, change } = props;
  const { field, isGuess } = chosen;
  const { t } = useText();
  const heading = useId();
  return (
    <Group component="fieldset" wrap="nowrap" gap="sm" className={classes.settled} aria-labelledby={heading}>
      <IconTile icon={kindOf(field.type, fields.types).icon} />
      <div className={classes.words}>
        <Text fw={600} className={classes.value}>
          <bdi>{text}</bdi>
        </Text>
        <Text size="sm" c="dimmed" id={heading}>
          {label}
        </Text>
        <Why asked={asked} />
        {isGuess && (
          <Text size="sm" c="dimmed">
            {t('consent.guess')}
          </Text>
        )}
        {asked.mayLive && (
          <Text size="sm" c="dimmed">
            {t(chosen.live ? 'consent.live.on' : 'consent.live.off')}
          </Text>
        )}
        {asked.readable && <Status tone="warn">{t('consent.readable')}</Status>}
      </div>
      <Button
        variant="subtle"
        size="compact-md"
        mih={44}
        aria-label={t('consent.change', { label })}
        onClick={change}
      >
        {t('consent.change.short')}
      </Button>
    </Group>
  );
}
