import { Text } from '@mantine/core';
import { useText } from '../../../text/index.tsx';
import { whyText } from '../../../text/why.ts';
import type { Asked } from '../asked.ts';
import classes from './field-choice.module.css';

/** Why it is asked, in the company's own words; nothing where it does not say. */
export function Why({ asked: { reason }, id }: { asked: Pick<Asked, 'reason'>; id?: string }) {
  const { language } = useText();
  if (reason === undefined) return null;
  return (
    <Text size="sm" c="dimmed" className={classes.value} {...(id !== undefined && { id })}>
      {whyText(reason, language)}
    </Text>
  );
}
