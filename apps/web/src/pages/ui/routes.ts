import { lazyRouteComponent } from '@tanstack/react-router';

/** Pages for those who build pages: not in what is built. @param at makes a route of an address and its page */
export const routesOfDevelopment = <Route>(
  at: (path: '/ui', component: ReturnType<typeof lazyRouteComponent>) => Route,
): Route[] =>
  import.meta.env.DEV
    ? [
        at(
          '/ui',
          lazyRouteComponent(() => import('./ui-page.tsx'), 'UiPage'),
        ),
      ]
    : [];
