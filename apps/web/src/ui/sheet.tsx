import { Modal, useMatches } from '@mantine/core';
import { type ReactNode, useEffect, useId, useSyncExternalStore } from 'react';
import classes from './sheet.module.css';

/**
 * One act over the page: a question, its primary button, and the other way out. It comes from below on a phone and stands in the middle
 * of a desk. Escape, a tap beside it and its button close it; the focus returns to where it came from. A sheet that comes over
 * another one leaves that one as it is.
 */
export function Sheet({
  title,
  picture,
  opened,
  close,
  closeLabel,
  wide = false,
  children,
}: {
  title: ReactNode;
  /** Whom or what it is about, before the title. */
  picture?: ReactNode;
  opened: boolean;
  close: () => void;
  closeLabel: string;
  /** On a desk it has room for two columns. */
  wide?: boolean;
  children: ReactNode;
}) {
  const isPhone = useMatches({ base: true, xs: false });
  const isUnder = useIsUnder(opened);
  return (
    <Modal
      opened={opened}
      onClose={close}
      closeOnEscape={!isUnder}
      inert={isUnder}
      title={
        picture === undefined ? (
          title
        ) : (
          <span className={classes.whom}>
            {picture}
            <span>{title}</span>
          </span>
        )
      }
      centered={!isPhone}
      // The library would do it by a style that the policy of the pages refuses: the style of the sheet does it.
      lockScroll={false}
      radius={16}
      size={wide ? '60rem' : 'md'}
      closeButtonProps={{ 'aria-label': closeLabel }}
      transitionProps={{ transition: isPhone ? 'slide-up' : 'fade', duration: 150 }}
      classNames={{
        inner: classes.inner ?? '',
        content: classes.content ?? '',
        header: classes.header ?? '',
        title: classes.title ?? '',
      }}
      // Its own header is not a header of the page.
      attributes={{ header: { role: 'presentation' } }}
      data-phone={isPhone || undefined}
    >
      {children}
    </Modal>
  );
}

/** The sheets that are open, the uppermost last. */
let stack: readonly string[] = [];
const listeners = new Set<() => void>();

function restack(next: readonly string[]): void {
  stack = next;
  for (const listener of listeners) listener();
}

/** Whether another sheet is over this one. The library has every open sheet hear the key that closes one. */
function useIsUnder(isOpen: boolean): boolean {
  const id = useId();
  useEffect(() => {
    if (!isOpen) return;
    restack([...stack, id]);
    return () => restack(stack.filter((each) => each !== id));
  }, [isOpen, id]);
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => stack.includes(id) && stack.at(-1) !== id,
  );
}
