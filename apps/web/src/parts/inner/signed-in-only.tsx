import { Navigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { resumeAgain, useSession } from '../../platform/session.ts';
import { AwayPage } from '../away-page.tsx';
import { LoadingPage } from '../loading-page.tsx';

/** Shows a page to a person who is signed in, and the sign-in page to everybody else. */
export function SignedInOnly({ children }: { children: ReactNode }) {
  const session = useSession();
  // The address of this page, also while the next one is on its way.
  const [here] = useState(() => location.pathname + location.search);
  if (session.state === 'unknown') return <LoadingPage />;
  if (session.state === 'away') return <AwayPage error={session.error} retry={resumeAgain} />;
  if (session.state === 'in') return children;
  return <Navigate to="/sign-in" search={{ next: here }} replace />;
}
