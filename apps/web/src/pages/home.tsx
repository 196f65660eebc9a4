import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import { AwayPage } from '../parts/away-page.tsx';
import { Frame, Sheet } from '../parts/frame.tsx';
import { LoadingPage } from '../parts/loading-page.tsx';
import { MyPages } from '../parts/my-pages.tsx';
import { TextLink } from '../parts/text-link.tsx';
import { WhoseAccount } from '../parts/whose-account.tsx';
import { resumeAgain, signOut, useSession } from '../platform/session.ts';
import { useText } from '../text/index.tsx';

const LinkButton = createLink(Button<'a'>);

/** The address itself: who is signed in and where to go on, or how to get in. */
export function HomePage() {
  const { t } = useText();
  const session = useSession();
  if (session.state === 'unknown') return <LoadingPage />;
  if (session.state === 'away') return <AwayPage error={session.error} retry={resumeAgain} />;
  const isIn = session.state === 'in';
  return (
    <Frame
      aside={
        isIn && (
          <Button variant="subtle" color="gray" onClick={signOut}>
            {t('app.signOut')}
          </Button>
        )
      }
    >
      <Sheet title={t('home.title')} lead={t('home.lead')}>
        {isIn ? (
          <>
            <WhoseAccount person={session.person} />
            <nav aria-label={t('app.pages')}>
              <MyPages />
            </nav>
          </>
        ) : (
          <Stack gap="sm">
            <LinkButton component="a" to="/sign-in">
              {t('signIn.title')}
            </LinkButton>
            <LinkButton component="a" to="/register" variant="default">
              {t('register.title')}
            </LinkButton>
          </Stack>
        )}
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
