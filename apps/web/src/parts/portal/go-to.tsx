import { Button } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { usePortalText } from '../../text/portal/index.tsx';
import type { DeskGroup } from '../../ui/desk.tsx';
import classes from './portal-page.module.css';

const GoToSheet = lazy(() => import('./go-to-sheet.tsx').then((module) => ({ default: module.GoToSheet })));

/** Goes to a page, a service or a customer by a few letters, from every page. */
export function GoTo({ groups }: { groups: readonly DeskGroup[] }) {
  const { t } = usePortalText();
  // Its sheet is loaded when it is first wanted.
  const [opened, setOpened] = useState<boolean>();
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
      if (key.toLowerCase() !== 'k' || !(ctrlKey || metaKey) || altKey || shiftKey) return;
      // A sheet that is open may show what is shown once.
      if (document.querySelector('[role=dialog]') !== null) return;
      event.preventDefault(); // Some browsers go to their address bar.
      setOpened(true);
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
        onClick={() => setOpened(true)}
      >
        {t('goTo.title')}
      </Button>
      <Suspense>
        {opened !== undefined && <GoToSheet groups={groups} opened={opened} close={() => setOpened(false)} />}
      </Suspense>
    </>
  );
}
