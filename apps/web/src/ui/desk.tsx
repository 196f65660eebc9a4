import { UnstyledButton } from '@mantine/core';
import { IconMenu2, IconX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import classes from './desk.module.css';
import type { Icon } from './icon.tsx';

export interface DeskPlace {
  readonly to: string;
  readonly title: string;
  readonly icon?: Icon;
  /** Something is wrong there, in words. */
  readonly alarm?: string | undefined;
  /** Shown below it while one is there. */
  readonly inner?: readonly DeskPlace[];
}
export interface DeskGroup {
  readonly title?: string;
  readonly places: readonly DeskPlace[];
}

/** The places of an app for work at a desk: a rail with groups beside the page; on a phone behind a button. */
export function Desk(props: {
  head: ReactNode;
  /** Above the places: the way to all of them by their names. */
  find?: ReactNode;
  foot: ReactNode;
  /** Below it: how the pages look. */
  choices: ReactNode;
  label: string;
  skip: string;
  /** Of the button on a phone. */
  menu: string;
  groups: readonly DeskGroup[];
  here: string;
  /** The page takes the whole width. */
  full?: boolean;
  children: ReactNode;
}) {
  const { head, find, foot, choices, label, skip, menu, groups, here, full = false, children } = props;
  const [openAt, setOpenAt] = useState<string>();
  const isOpen = openAt === here;
  return (
    <div className={classes.desk}>
      <a href="#content" className={classes.skip}>
        {skip}
      </a>
      <header className={classes.bar}>
        <UnstyledButton
          className={classes.menu ?? ''}
          aria-label={menu}
          aria-expanded={isOpen}
          onClick={() => setOpenAt(isOpen ? undefined : here)}
        >
          {isOpen ? <IconX size={22} aria-hidden="true" /> : <IconMenu2 size={22} aria-hidden="true" />}
        </UnstyledButton>
        {head}
      </header>
      <nav aria-label={label} className={classes.rail} data-open={isOpen || undefined}>
        <div className={classes.head}>{head}</div>
        {find}
        {groups.map(({ title, places }, index) => (
          <div key={title ?? index} className={classes.group}>
            {title !== undefined && <p className={classes.heading}>{title}</p>}
            {places.map((place) => (
              <PlaceWithInner key={place.to} place={place} here={here} />
            ))}
          </div>
        ))}
        <div className={classes.foot}>
          {foot}
          <div className={classes.choices}>{choices}</div>
        </div>
      </nav>
      <main id="content" tabIndex={-1} className={classes.main} data-full={full || undefined}>
        {children}
      </main>
    </div>
  );
}

function PlaceWithInner({ place, here }: { place: DeskPlace; here: string }) {
  const { inner = [] } = place;
  const isIn = inner.some(({ to }) => isAt(to, here));
  return (
    <>
      <PlaceLink place={place} isHere={here === place.to && !isIn} />
      {(isIn || here === place.to) &&
        inner.map((each) => <PlaceLink key={each.to} place={each} isHere={isAt(each.to, here)} isInner />)}
    </>
  );
}

function PlaceLink({
  place,
  isHere,
  isInner = false,
}: {
  place: DeskPlace;
  isHere: boolean;
  isInner?: boolean;
}) {
  const { to, title, icon: Drawn, alarm } = place;
  return (
    <Link
      to={to}
      // Which place one is at is said by the page: it may be at addresses below, too.
      activeOptions={{ exact: true }}
      className={classes.place ?? ''}
      data-inner={isInner || undefined}
      aria-current={isHere ? 'page' : undefined}
    >
      {Drawn !== undefined && <Drawn size={18} stroke={1.75} aria-hidden="true" />}
      <span className={classes.title}>{title}</span>
      {alarm !== undefined && (
        <span className={classes.alarm} role="img" aria-label={alarm} title={alarm}>
          !
        </span>
      )}
    </Link>
  );
}

const isAt = (to: string, here: string) => here === to || here.startsWith(`${to}/`);
