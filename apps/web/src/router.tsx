import { createRouter } from '@tanstack/react-router';
import { BrokenPage } from './pages/broken.tsx';
import { routesOfDevelopment } from './pages/ui/routes.ts';
import { LoadingPage } from './parts/loading-page.tsx';
import { routesOfOperator } from './routes/operator.ts';
import { routesOfPerson } from './routes/person.ts';
import { routesOfPortal } from './routes/portal.ts';
import { at, root } from './routes/root.tsx';

const routes = [...routesOfPerson, ...routesOfPortal, ...routesOfOperator, ...routesOfDevelopment(at<'/ui'>)];

export const router = createRouter({
  routeTree: root.addChildren(routes),
  defaultPreload: 'intent',
  defaultErrorComponent: BrokenPage,
  // Addresses stay as they came: `state=123` is a text.
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search) => {
    const given = Object.entries(search).filter(([, value]) => value !== undefined);
    const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
    return query === '' ? '' : `?${query}`;
  },
  defaultPendingComponent: LoadingPage,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
