import { VisuallyHidden } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Icon } from './icon.tsx';
import classes from './shell.module.css';

export interface Place {
  readonly to: string;
  readonly title: string;
  readonly icon: Icon;
  /** Addresses below these belong to the place, too. */
  readonly under?: readonly string[];
  /** How many things wait there, and the same in words. */
  readonly count?: { readonly number: number; readonly words: string } | undefined;
}

/** The places of an app: a bar at the bottom of a phone, a rail beside the page on a desk. */
export function Shell(props: {
  mark: ReactNode;
  label: string;
  skip: string;
  places: readonly Place[];
  here: string;
  /** At the foot of the rail: whose it is. */
  foot?: ReactNode;
  /** Over the page: what is true of all of them at the moment. */
  notices?: ReactNode;
  children: ReactNode;
}) {
  const { mark, label, skip, places, here, foot, notices, children } = props;
  return (
    <div className={classes.shell}>
      <a href="#content" className={classes.skip}>
        {skip}
      </a>
      <nav aria-label={label} className={classes.rail}>
        <div className={classes.mark}>{mark}</div>
        <div className={classes.places}>
          {places.map((place) => (
            <PlaceLink key={place.to} place={place} isHere={isAt(place, here)} />
          ))}
        </div>
        {foot !== undefined && <div className={classes.foot}>{foot}</div>}
      </nav>
      <div className={classes.column}>
        {notices}
        <main id="content" tabIndex={-1} className={classes.main}>
          {children}
        </main>
      </div>
    </div>
  );
}

function PlaceLink({ place: { to, title, icon: Drawn, count }, isHere }: { place: Place; isHere: boolean }) {
  return (
    <Link
      to={to}
      // Which place one is at is said below: it may be at other addresses, too.
      activeOptions={{ exact: true }}
      className={classes.place ?? ''}
      aria-current={isHere ? 'page' : undefined}
    >
      <span className={classes.picture}>
        <Drawn size={22} stroke={1.75} aria-hidden="true" />
        {count !== undefined && count.number > 0 && (
          <span className={classes.count} aria-hidden="true">
            {count.number > 99 ? '99+' : count.number}
          </span>
        )}
      </span>
      <span className={classes.title}>{title}</span>
      {count !== undefined && count.number > 0 && (
        <VisuallyHidden component="span">{count.words}</VisuallyHidden>
      )}
    </Link>
  );
}

/** A place is where its own address is, or one below those that belong to it. */
function isAt({ to, under = [] }: Place, here: string): boolean {
  return here === to || under.some((each) => here === each || here.startsWith(`${each}/`));
}
