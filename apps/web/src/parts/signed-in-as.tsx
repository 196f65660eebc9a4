import { Group, Text } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { signOut, useSession } from '../platform/session.ts';
import { useText } from '../text/index.tsx';
import classes from './signed-in-as.module.css';

/** Who answers, and the way for another person at the same browser: the sign-in page, which leads back to `next`. */
export function SignedInAs({ next }: { next: string }) {
  const { t } = useText();
  const session = useSession();
  const { history } = useRouter();
  if (session.state !== 'in') return null;
  const { display_name: name, share_code: code } = session.person;
  const leave = () =>
    signOut()
      // This browser has forgotten the person either way; the sign-in tells when the platform cannot be reached.
      .catch(() => undefined)
      .then(() => history.push(`/sign-in?${new URLSearchParams({ next })}`));
  return (
    <Group gap="xs" justify="center">
      <Text size="sm" c="dimmed">
        {t('me.title', { name: `${name} · ${code}` })}
      </Text>
      <button type="button" className={classes.leave} onClick={leave}>
        {t('me.notYou')}
      </button>
    </Group>
  );
}
