import { Paper, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { EmptyState, PageHead } from '../../parts/frame.tsx';
import { MeFrame } from '../../parts/me-frame.tsx';
import { MyPages } from '../../parts/my-pages.tsx';
import rows from '../../parts/rows.module.css';
import { Section } from '../../parts/section.tsx';
import { WhoseAccount } from '../../parts/whose-account.tsx';
import { useSession } from '../../platform/session.ts';
import { useWaiting } from '../../platform/waiting.ts';
import { useText } from '../../text/index.tsx';

/** Where a person comes in: what waits, and where to go. */
export function MePage() {
  return (
    <MeFrame>
      <Overview />
    </MeFrame>
  );
}

function Overview() {
  const { t } = useText();
  const session = useSession();
  if (session.state !== 'in') return null;
  return (
    <Stack gap="lg">
      <PageHead title={t('me.home')} lead={t('me.home.lead')} />
      <Paper withBorder p="md">
        <WhoseAccount person={session.person} />
      </Paper>
      <Waits />
      <Section title={t('me.home.pages')}>
        <MyPages here="/me" />
      </Section>
    </Stack>
  );
}

/** Each thing that waits, with the way to it. */
function Waits() {
  const texts = useText();
  const { t } = texts;
  const heading = useId();
  const items = Object.values(useWaiting()).flat();
  return (
    <Stack component="section" gap="xs" aria-live="polite" aria-labelledby={heading}>
      <Title order={2} id={heading}>
        {t('me.home.waits')}
      </Title>
      {items.length === 0 ? (
        <EmptyState title={t('me.home.nothing')}>
          <Text c="dimmed">{t('me.home.nothing.text')}</Text>
        </EmptyState>
      ) : (
        <ul className={rows.rows}>
          {items.map(({ to, text }, index) => (
            // Several approvals lead to one page.
            // biome-ignore lint/suspicious/noArrayIndexKey: an item has no name of its own
            <li key={`${to} ${index}`}>
              <Link to={to} className={rows.row ?? ''}>
                <Text component="span" fw={600} className={rows.name}>
                  {text(texts)}
                </Text>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Stack>
  );
}
