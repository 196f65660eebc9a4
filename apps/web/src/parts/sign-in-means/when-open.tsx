import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { useRead } from '../../platform/read.ts';
import type { PasskeyCopy } from '../../platform/session.ts';
import type { SignInMeans } from '../../platform/sign-in-means.ts';
import { Problem } from '../problem.tsx';

/** Asks for the present password. @param done is called when it has opened the private key */
export type Locked = (done: () => void) => ReactNode;

/** After a sign-in by a passkey that does not open the private key, the present password opens it first. */
export function WhenOpen(props: {
  means: SignInMeans;
  locked: Locked;
  children: (by: 'password' | PasskeyCopy) => ReactNode;
}) {
  const { found, error, load } = useRead(props.means.passwordMeans);
  if (found === undefined)
    return error === undefined ? <Skeleton h={96} radius={8} /> : <Problem error={error} />;
  return found === 'nothing' ? props.locked(load) : props.children(found);
}
