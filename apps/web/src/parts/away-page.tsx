import { Text } from '@mantine/core';
import { SymbolonError } from '@symbolon/sdk/device';
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
  return (
    <Sheet title={t(which)} lead={t(`${which}.text`)}>
      <Problem error={error} retry={retry} />
    </Sheet>
  );
}

/** The same above a form to sign in: another account may be at home in a region that answers. */
export function AwayNotice({ error, retry }: { error: unknown; retry: () => void }) {
  const { t } = useText();
  const which = awayOf(error);
  return (
    <Problem error={error} title={t(which)} retry={retry}>
      <Text size="sm">{t(`${which}.text`)}</Text>
    </Problem>
  );
}

/** Whether all of the platform is away, or the region in which the account is at home. */
const awayOf = (error: unknown) =>
  error instanceof SymbolonError && error.errorKey === 'region.unavailable' ? 'app.away.region' : 'app.away';
