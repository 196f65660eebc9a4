import { Button, Text } from '@mantine/core';
import { SymbolonError } from '@symbolon/sdk/device';
import { useEffect } from 'react';
import { useText } from '../text/index.tsx';
import { Frame, Sheet } from './frame.tsx';
import { Problem } from './problem.tsx';

/** In place of a page while the platform does not say who is signed in. */
export function AwayPage(props: { error: unknown; retry: () => void }) {
  return (
    <Frame>
      <AwaySheet {...props} />
    </Frame>
  );
}

/** The same inside a page. */
export function AwaySheet({ error, retry }: { error: unknown; retry: () => void }) {
  const { t } = useText();
  const which = awayOf(error);
  useRetryOnline(retry);
  return (
    <Sheet title={t(which)} lead={t(`${which}.text`)}>
      {which === 'app.offline' ? (
        <Button onClick={retry}>{t('app.retry')}</Button>
      ) : (
        <Problem error={error} retry={retry} />
      )}
    </Sheet>
  );
}

/** The same above a form to sign in: another account may be at home in a region that answers. */
export function AwayNotice({ error, retry }: { error: unknown; retry: () => void }) {
  const { t } = useText();
  const which = awayOf(error);
  useRetryOnline(retry);
  return (
    <Problem error={error} title={t(which)} retry={retry}>
      <Text size="sm">{t(`${which}.text`)}</Text>
    </Problem>
  );
}

/** Whether the device has no network, all of the platform is away, or the region in which the account is at home. */
function awayOf(error: unknown) {
  if (navigator.onLine === false) return 'app.offline';
  return error instanceof SymbolonError && error.errorKey === 'region.unavailable'
    ? 'app.away.region'
    : 'app.away';
}

/** The page goes on by itself when the device has its network again. */
function useRetryOnline(retry: () => void): void {
  useEffect(() => {
    addEventListener('online', retry);
    return () => removeEventListener('online', retry);
  }, [retry]);
}
