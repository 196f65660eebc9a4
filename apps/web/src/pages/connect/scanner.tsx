import { Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { scan } from '../../platform/scan.ts';
import { useInsideText } from '../../text/inside/index.tsx';
import { Empty } from '../../ui/empty.tsx';
import classes from './connect-page.module.css';

/** The camera, until it sees a code. @param read takes what a code says; true ends the scan */
export function Scanner({ read }: { read: (text: string) => boolean }) {
  const { t } = useInsideText();
  const video = useRef<HTMLVideoElement>(null);
  const [failed, setFailed] = useState(false);
  const [isOther, setOther] = useState(false);
  const latest = useRef(read);
  latest.current = read;
  useEffect(() => {
    if (video.current === null) return;
    const stopping = new AbortController();
    scan(
      video.current,
      (text) => {
        const isOurs = latest.current(text);
        setOther(!isOurs);
        return isOurs;
      },
      stopping.signal,
    ).catch(() => stopping.signal.aborted || setFailed(true));
    return () => stopping.abort();
  }, []);
  if (failed) return <Empty title={t('connect.noCamera')}>{t('connect.noCamera.text')}</Empty>;
  return (
    <>
      <div className={classes.camera}>
        <video ref={video} aria-label={t('connect.camera')} playsInline muted />
        <div className={classes.frame} />
      </div>
      <Text ta="center" aria-live="polite">
        {t(isOther ? 'connect.otherCode' : 'connect.hold')}
      </Text>
    </>
  );
}
