import { Button, Stack } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { usePortalText } from '../../text/portal/index.tsx';
import type { DeskGroup } from '../../ui/desk.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import classes from './portal-page.module.css';

const Found = lazy(() => import('./go-to-found.tsx').then(({ GoToFound }) => ({ default: GoToFound })));

/** Goes to a page, a service or a customer by a few letters, from every page. */
export function GoTo({ groups }: { groups: readonly DeskGroup[] }) {
  const { t } = usePortalText();
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault(); // Some browsers go to their address bar.
      setOpen(true);
    };
    addEventListener('keydown', open);
    return () => removeEventListener('keydown', open);
  }, []);
  return (
    <>
      <Button
        variant="default"
        className={classes.goTo ?? ''}
        leftSection={<IconSearch size={16} aria-hidden="true" />}
        rightSection={
          <kbd className={classes.keys}>{/Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K'}</kbd>
        }
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setOpen(true)}
      >
        {t('goTo.title')}
      </Button>
      <Sheet title={t('goTo.title')} opened={isOpen} close={close} closeLabel={t('app.close')}>
        <Stack mih={360} gap="md">
          <Suspense>{isOpen && <Found groups={groups} close={close} />}</Suspense>
        </Stack>
      </Sheet>
    </>
  );
}
