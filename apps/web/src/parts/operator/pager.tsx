import { Button, Group } from '@mantine/core';
import { useOperatorText } from '../../text/operator/index.tsx';

/** The ways to the pages of a table before and after this one; nothing where all of it is shown. */
export function Pager({ back, next }: { back: (() => void) | undefined; next: (() => void) | undefined }) {
  const { t } = useOperatorText();
  if (back === undefined && next === undefined) return null;
  return (
    <Group justify="flex-end" gap="xs">
      <Button variant="default" size="sm" disabled={back === undefined} onClick={back}>
        {t('operator.before')}
      </Button>
      <Button variant="default" size="sm" disabled={next === undefined} onClick={next}>
        {t('operator.after')}
      </Button>
    </Group>
  );
}
