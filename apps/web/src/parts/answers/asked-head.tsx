import { Group, Text } from '@mantine/core';
import { useText } from '../../text/index.tsx';
import { Status } from '../../ui/status.tsx';
import type { Asked } from './asked.ts';

/** What is asked, whether it may be left out, and who can read the answer. */
export function AskedHead(props: {
  asked: Pick<Asked, 'required' | 'verified' | 'readable'>;
  label: string;
  id?: string;
}) {
  const { asked, label, id } = props;
  const { t } = useText();
  return (
    <Group gap="xs" {...(id !== undefined && { id })}>
      <Text fw={600}>{label}</Text>
      {!asked.required && <Text c="dimmed">{t('consent.optional')}</Text>}
      {asked.verified && <Status tone="accent">{t('consent.verified')}</Status>}
      {asked.readable && <Status tone="warn">{t('consent.readable')}</Status>}
    </Group>
  );
}
