import { IconChevronLeft } from '@tabler/icons-react';
import { createLink } from '@tanstack/react-router';
import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react';
import classes from './page.module.css';

/** A page: its large title, what can be done with the whole of it, and its content in one column. */
export function Page({
  title,
  status,
  lead,
  back,
  aside,
  children,
}: {
  title: string;
  /** How the thing stands, beside its title. */
  status?: ReactNode;
  lead?: ReactNode;
  /** The way to the place that it belongs to. */
  back?: ReactNode;
  aside?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className={classes.page}>
      {back}
      <header className={classes.head}>
        <div className={classes.words}>
          {status === undefined ? (
            <PageTitle>{title}</PageTitle>
          ) : (
            <div className={classes.named}>
              <PageTitle>{title}</PageTitle>
              {status}
            </div>
          )}
          {lead !== undefined && <p className={classes.lead}>{lead}</p>}
        </div>
        {aside}
      </header>
      {children}
    </div>
  );
}

/** The heading of a page. It gets the focus when the page changes, so that a screen reader says where one is. */
export function PageTitle({ children }: { children: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${children} · Symbolon`;
    heading.current?.focus({ preventScroll: true });
  }, [children]);
  return (
    <h1 ref={heading} tabIndex={-1} className={classes.title}>
      {children}
    </h1>
  );
}

/** The way back to the place that a page belongs to. */
export const BackLink = createLink(({ children, ...anchor }: ComponentProps<'a'>) => (
  <a {...anchor} className={classes.back}>
    <IconChevronLeft size={20} className={classes.chevron} aria-hidden="true" />
    {children}
  </a>
));
