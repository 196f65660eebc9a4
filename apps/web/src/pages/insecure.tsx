import { Frame, Sheet } from '../parts/frame.tsx';
import { useText } from '../text/index.tsx';

/** In place of every page where the browser gives no keys. */
export function InsecurePage() {
  const { t } = useText();
  return (
    <Frame>
      <Sheet title={t('app.insecure')} lead={t('app.insecure.text')}>
        {null}
      </Sheet>
    </Frame>
  );
}
