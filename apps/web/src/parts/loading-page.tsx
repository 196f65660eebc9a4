import { VisuallyHidden } from '@mantine/core';
import { useText } from '../text/index.tsx';
import { Frame } from './frame.tsx';
import { Loading } from './mark.tsx';

/** In place of a page, until it is known what it shows. */
export function LoadingPage() {
  const { t } = useText();
  return (
    <Frame>
      <VisuallyHidden component="h1">{t('app.loading')}</VisuallyHidden>
      <Loading />
    </Frame>
  );
}
