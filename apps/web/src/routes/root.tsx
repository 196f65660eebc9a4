import {
  createRootRoute,
  createRoute,
  type lazyRouteComponent,
  Outlet,
  useRouterState,
} from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { NotFoundPage } from '../pages/not-found.tsx';

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
  notFoundComponent: NotFoundPage,
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
