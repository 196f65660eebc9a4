import { IconChevronLeft } from '@tabler/icons-react';
import { createLink } from '@tanstack/react-router';
import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react';
import classes from './page.module.css';

/** A page: its large title, what can be done with the whole of it, and its content in one column. */
export function Page({
  title,
  about,
  status,
  lead,
  back,
  aside,
  children,
}: {
  title: string;
  /** The id of what the title names, where that may be renamed while it is shown: its new name takes no focus. */
  about?: string;
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
          <div className={classes.named}>
            <PageTitle about={about}>{title}</PageTitle>
            {status}
          </div>
          {lead !== undefined && <p className={classes.lead}>{lead}</p>}
        </div>
        {aside}
      </header>
      {children}
    </div>
  );
}

/** The heading of a page. It gets the focus when the page changes, so that a screen reader says where one is. */
export function PageTitle({ children, about = children }: { children: string; about?: string | undefined }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${children} · Symbolon`;
  }, [children]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is what moves the focus
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
  }, [about]);
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
