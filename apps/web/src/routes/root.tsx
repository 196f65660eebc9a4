import {
  type AnyRouter,
  createRootRoute,
  createRoute,
  type lazyRouteComponent,
  Outlet,
  useRouter,
  useRouterState,
} from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { NotFoundPage } from '../pages/not-found.tsx';
import { LoadingPage } from '../parts/loading-page.tsx';
import { areaOf } from '../platform/for-people.ts';

const ApprovalsOver = lazy(() =>
  import('../pages/approvals/approvals-over.tsx').then(({ ApprovalsOver: component }) => ({
    default: component,
  })),
);

/** Every page, and over those of a person what waits for an approval. */
function Root() {
  const isOfPerson = useRouterState({ select: ({ location }) => /^\/me(\/|$)/.test(location.pathname) });
  return (
    <>
      <Outlet />
      {isOfPerson && (
        <Suspense>
          <ApprovalsOver />
        </Suspense>
      )}
    </>
  );
}

/** There is no such page, or it is one of staff and this page was opened for somebody else: then it is opened anew. */
function NotKnown() {
  const area = useRouterState({ select: ({ location }) => areaOf(location.pathname) });
  const { routesByPath } = useRouter<AnyRouter>();
  const isElsewhere = area !== 'people' && routesByPath[`/${area}`] === undefined;
  useEffect(() => {
    if (isElsewhere) location.reload();
  }, [isElsewhere]);
  return isElsewhere ? <LoadingPage /> : <NotFoundPage />;
}

/** Texts in the address. */
export const texts =
  <const Name extends string>(...names: readonly Name[]) =>
  (search: Record<string, unknown>) =>
    Object.fromEntries(
      names.map((name) => [name, typeof search[name] === 'string' ? search[name] : undefined]),
    ) as { [Each in Name]?: string | undefined };
export const searched = texts('q');

export const root = createRootRoute({
  component: Root,
  notFoundComponent: NotKnown,
  validateSearch: texts('next'),
});
export const at = <const Path extends string>(path: Path, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({ getParentRoute: () => root, path, component });
/** A page of which a part stands behind the question mark. */
export const showing = <const Path extends string, Search extends object>(
  path: Path,
  validateSearch: (search: Record<string, unknown>) => Search,
  component: ReturnType<typeof lazyRouteComponent>,
) => createRoute({ getParentRoute: () => root, path, component, validateSearch });
