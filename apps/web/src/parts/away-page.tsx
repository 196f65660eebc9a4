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
  return (
    <Sheet title={t('app.away')} lead={t('app.away.text')}>
      <Problem error={error} retry={retry} />
    </Sheet>
  );
}
