import { Progress as Bar, Button, Group, Stack, Text } from '@mantine/core';
import { useErrorText } from '../../../parts/problem.tsx';
import { Section } from '../../../parts/section.tsx';
import { TextLink } from '../../../parts/text-link.tsx';
import { usePortalText } from '../../../text/portal/index.tsx';
import { List, Row } from '../../../ui/list.tsx';
import { Status } from '../../../ui/status.tsx';
import type { Sending } from './sending.ts';

/** How far the copies are; those that were not sent, why, and the way to send them again. */
export function Progress({ sending, retry }: { sending: Sending; retry: () => void }) {
  const { t } = usePortalText();
  const textOf = useErrorText();
  const { total, done, failed, isUnderWay } = sending;
  return (
    <>
      <Section title={isUnderWay ? t('issued.sending') : t('issued.over')}>
        <Stack gap="xs">
          <Bar value={((done + failed.length) / total) * 100} aria-label={t('issued.sending')} />
          <Text size="sm" role="status">
            {t('issued.progress', { done, total })}
          </Text>
          {!isUnderWay && (
            <TextLink to="/portal/documents" size="sm">
              {t('issued.backToAll')}
            </TextLink>
          )}
        </Stack>
      </Section>
      {failed.length > 0 && (
        <Section title={t('issued.failed')} lead={t('issued.failed.text')}>
          <Stack>
            <List label={t('issued.failed')}>
              {failed.map(({ customer, error }) => (
                <Row
                  key={customer.connection_id}
                  title={customer.display_name}
                  detail={textOf(error)}
                  trailing={<Status tone="bad">{t('issued.notSent')}</Status>}
                />
              ))}
            </List>
            <Group>
              <Button onClick={retry} disabled={isUnderWay}>
                {t('issued.again')}
              </Button>
            </Group>
          </Stack>
        </Section>
      )}
    </>
  );
}
