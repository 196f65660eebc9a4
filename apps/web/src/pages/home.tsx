import { Anchor, Group, Stack, Text } from '@mantine/core';
import { Navigate } from '@tanstack/react-router';
import { AwayPage } from '../parts/away-page.tsx';
import { Frame, Sheet } from '../parts/frame.tsx';
import { LinkButton } from '../parts/link-button.tsx';
import { LoadingPage } from '../parts/loading-page.tsx';
import { TextLink } from '../parts/text-link.tsx';
import { resumeAgain, useSession } from '../platform/session.ts';
import { useText } from '../text/index.tsx';

/** The address itself: the way in, and for those who are in their home. */
export function HomePage() {
  const { t } = useText();
  const session = useSession();
  if (session.state === 'unknown') return <LoadingPage />;
  if (session.state === 'away') return <AwayPage error={session.error} retry={resumeAgain} />;
  if (session.state === 'in') return <Navigate to="/me" replace />;
  return (
    <Frame>
      <Sheet title={t('home.title')} lead={t('home.lead')}>
        <Stack gap="sm">
          <LinkButton component="a" to="/sign-in">
            {t('signIn.title')}
          </LinkButton>
          <LinkButton component="a" to="/register" variant="default">
            {t('register.title')}
          </LinkButton>
        </Stack>
        <ForCompanies />
        <ForDevelopers />
      </Sheet>
    </Frame>
  );
}

function ForCompanies() {
  const { t } = useText();
  return (
    <Group gap="md">
      <Text size="sm" c="dimmed">
        {t('home.companies')}
      </Text>
      <TextLink size="sm" to="/portal">
        {t('home.portal')}
      </TextLink>
    </Group>
  );
}

/** What the same address offers to those who write programs. */
function ForDevelopers() {
  const { t } = useText();
  return (
    <Group gap="md">
      <Text size="sm" c="dimmed">
        {t('home.developers')}
      </Text>
      <Anchor size="sm" href="/explorer">
        {t('home.explorer')}
      </Anchor>
      <Anchor size="sm" href="/errors">
        {t('home.errors')}
      </Anchor>
    </Group>
  );
}
