import { createRouter } from '@tanstack/react-router';
import { BrokenPage } from './pages/broken.tsx';
import { routesOfDevelopment } from './pages/ui/routes.ts';
import { LoadingPage } from './parts/loading-page.tsx';
import { areaOf } from './platform/for-people.ts';
import type { routesOfOperator } from './routes/operator.ts';
import { routesOfPerson } from './routes/person.ts';
import type { routesOfPortal } from './routes/portal.ts';
import { at, root } from './routes/root.tsx';

type OfStaff = (typeof routesOfPortal)[number] | (typeof routesOfOperator)[number];

/** The pages of companies, or of operators, where one of them is opened. Nobody else loads the list. */
const LOADS: Readonly<Record<ReturnType<typeof areaOf>, () => Promise<readonly OfStaff[]>>> = {
  people: async () => [],
  portal: async () => (await import('./routes/portal.ts')).routesOfPortal,
  operator: async () => (await import('./routes/operator.ts')).routesOfOperator,
};

/** Knows the pages of people, and those of whose page is opened first. */
export async function openRouter(path: string) {
  const ofStaff = await LOADS[areaOf(path)]();
  return createRouter({
    routeTree: root.addChildren([...routesOfPerson, ...ofStaff, ...routesOfDevelopment(at<'/ui'>)]),
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
}

declare module '@tanstack/react-router' {
  interface Register {
    router: Awaited<ReturnType<typeof openRouter>>;
  }
}
