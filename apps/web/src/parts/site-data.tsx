import { IconCookieOff } from '@tabler/icons-react';
import { useText } from '../text/index.tsx';
import { keepsSiteData } from '../text/settings.ts';
import { Note } from '../ui/note.tsx';

/** Says what a form that ends with a session needs, where this browser refuses it. */
export function NeedsSiteData() {
  const { t } = useText();
  if (keepsSiteData()) return null;
  return (
    <Note icon={IconCookieOff} tone="warn">
      {t('app.needsSiteData')}
    </Note>
  );
}
