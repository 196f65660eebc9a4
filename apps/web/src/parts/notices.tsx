import { Button } from '@mantine/core';
import { IconCloudOff, IconSparkles } from '@tabler/icons-react';
import { useSyncExternalStore } from 'react';
import { lastOffline, whenOffline } from '../platform/offline.ts';
import { hasTyped, isOutdated, whenOutdated } from '../platform/version.ts';
import { useInsideText } from '../text/inside/index.tsx';
import { Strip } from '../ui/strip.tsx';
import classes from './notices.module.css';
import { useNow } from './when.tsx';

/** What is true of all pages at the moment. Its place is there all the time: screen readers announce what comes into it. */
export function Notices() {
  const { t } = useInsideText();
  const offline = useSyncExternalStore(whenOffline, lastOffline);
  const isNewThere = useSyncExternalStore(whenOutdated, isOutdated);
  return (
    <section aria-label={t('notices.label')} className={classes.place}>
      <div role="status">
        {offline && <OfflineStrip since={offline.since} />}
        {isNewThere && offline === undefined && <NewVersion />}
      </div>
    </section>
  );
}

function OfflineStrip({ since }: { since: number | undefined }) {
  const { t, language } = useInsideText();
  if (since === undefined)
    return (
      <Strip icon={IconCloudOff} tone="warn">
        {t('offline.nothing')}
      </Strip>
    );
  const isToday = new Date(since).toDateString() === new Date().toDateString();
  const format = new Intl.DateTimeFormat(language, {
    ...(!isToday && { dateStyle: 'medium' }),
    timeStyle: 'short',
  });
  return (
    <Strip icon={IconCloudOff} tone="warn">
      {t('offline.since', { time: format.format(since) })}
    </Strip>
  );
}

/** The person reloads, when it suits. While something is typed that would go, it is not offered. */
function NewVersion() {
  const { t } = useInsideText();
  useNow();
  if (hasTyped()) return null;
  return (
    <Strip
      icon={IconSparkles}
      tone="accent"
      act={
        <Button size="compact-sm" h={36} onClick={() => location.reload()}>
          {t('app.reload')}
        </Button>
      }
    >
      {t('version.ready')}
    </Strip>
  );
}
