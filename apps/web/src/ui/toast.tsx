import { Button, CloseButton } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './toast.module.css';

/**
 * What was just done, with the way back. It stands over the page for a while and takes no focus. Its place is there all the time: screen
 * readers announce what comes into it.
 */
export function Toast({
  shown,
  label,
  close,
  closeLabel,
  hold,
  release,
}: {
  shown:
    | { readonly text: ReactNode; readonly act?: { label: string; run: () => void; busy: boolean } }
    | undefined;
  label: string;
  close: () => void;
  closeLabel: string;
  /** Someone looks at it: it stays until `release`. */
  hold: () => void;
  release: () => void;
}) {
  return (
    <section aria-label={label} className={classes.place}>
      <div role="status">
        {shown !== undefined && (
          // biome-ignore lint/a11y/noStaticElementInteractions: nothing is operated here; it waits for those who read
          <div
            className={classes.toast}
            onMouseEnter={hold}
            onMouseLeave={release}
            onFocus={hold}
            onBlur={release}
          >
            <span className={classes.text}>{shown.text}</span>
            {shown.act && (
              <Button
                variant="subtle"
                className={classes.act}
                loading={shown.act.busy}
                onClick={shown.act.run}
              >
                {shown.act.label}
              </Button>
            )}
            <CloseButton size={44} className={classes.close} aria-label={closeLabel} onClick={close} />
          </div>
        )}
      </div>
    </section>
  );
}
