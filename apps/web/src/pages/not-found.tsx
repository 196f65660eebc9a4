import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Frame, Sheet } from '../parts/frame.tsx';
import { useText } from '../text/index.tsx';

export function NotFoundPage() {
  const { t } = useText();
  return (
    <Frame>
      <Sheet title={t('app.notFound')} lead={t('app.notFound.text')}>
        <Anchor component={Link} to="/me/approvals">
          {t('app.continue')}
        </Anchor>
      </Sheet>
    </Frame>
  );
}
