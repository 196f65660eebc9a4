import { Button } from '@mantine/core';
import { Frame, Sheet } from '../parts/frame.tsx';
import { useText } from '../text/index.tsx';

/** A part of the page could not be loaded, or failed. */
export function BrokenPage() {
  const { t } = useText();
  return (
    <Frame>
      <Sheet title={t('app.broken')} lead={t('error.page.worker')}>
        <Button onClick={() => location.reload()}>{t('app.reload')}</Button>
      </Sheet>
    </Frame>
  );
}
