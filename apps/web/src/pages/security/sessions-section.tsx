import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { Loaded } from '../../parts/loaded.tsx';
import { Problem, useAct } from '../../parts/problem.tsx';
import { Section } from '../../parts/section.tsx';
import { When } from '../../parts/when.tsx';
import { useRead } from '../../platform/read.ts';
import { endOtherSessions, endSession, sessions } from '../../platform/security.ts';
import { useText } from '../../text/index.tsx';

/** The browsers in which the person is signed in. */
export function SessionsSection() {
  const { t } = useText();
  const { busy, error, run } = useAct();
  const read = useRead(sessions);
  const { found: list, load } = read;
  const end = (act: () => Promise<unknown>) =>
    run(async () => {
      await act();
      await load();
    });
  return (
    <Section title={t('sessions.title')} lead={t('sessions.lead')}>
      <Problem error={error} />
      <Loaded of={read} height={60} />
      {list?.map(({ id, user_agent, last_seen_at, current }) => (
        <Group key={id} justify="space-between" wrap="nowrap">
          <Stack gap={0}>
            <Text>{user_agent}</Text>
            <Text size="sm" c="dimmed">
              {t('sessions.seen')} <When at={last_seen_at} />
            </Text>
          </Stack>
          {current ? (
            <Badge variant="light" tt="none">
              {t('sessions.current')}
            </Badge>
          ) : (
            <Button
              variant="default"
              flex="none"
              disabled={busy}
              aria-label={t('sessions.end.of', { browser: user_agent })}
              onClick={() => end(() => endSession(id))}
            >
              {t('sessions.end')}
            </Button>
          )}
        </Group>
      ))}
      {list !== undefined && list.length > 1 && (
        <Group>
          <Button variant="default" disabled={busy} onClick={() => end(endOtherSessions)}>
            {t('sessions.endOthers')}
          </Button>
        </Group>
      )}
    </Section>
  );
}
