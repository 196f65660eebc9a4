import { Navigate } from '@tanstack/react-router';
import { type ReactNode, useRef } from 'react';
import { resumeAgain, useSession } from '../../platform/session.ts';
import { AwayPage } from '../away-page.tsx';
import { LoadingPage } from '../loading-page.tsx';

/** Shows a page to a person who is signed in, and the sign-in page to everybody else. */
export function SignedInOnly({ children }: { children: ReactNode }) {
  const session = useSession();
  // As it was when the session ended, also while the next page is on its way.
  const here = useRef<string>(undefined);
  if (session.state === 'in') here.current = undefined;
  else here.current ??= location.pathname + location.search;
  if (session.state === 'unknown') return <LoadingPage />;
  if (session.state === 'away') return <AwayPage error={session.error} retry={resumeAgain} />;
  if (session.state === 'in') return children;
  return <Navigate to="/sign-in" search={{ next: here.current }} replace />;
}
