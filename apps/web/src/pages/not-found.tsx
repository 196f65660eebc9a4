import { Frame, Sheet } from '../parts/frame.tsx';
import { TextLink } from '../parts/text-link.tsx';
import { useText } from '../text/index.tsx';

export function NotFoundPage() {
  const { t } = useText();
  return (
    <Frame>
      <Sheet title={t('app.notFound')} lead={t('app.notFound.text')}>
        <TextLink to="/me">{t('app.continue')}</TextLink>
      </Sheet>
    </Frame>
  );
}
