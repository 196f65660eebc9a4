import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { BrokenPage } from './pages/broken.tsx';
import { NotFoundPage } from './pages/not-found.tsx';
import { LoadingPage } from './parts/loading-page.tsx';

const root = createRootRoute({
  notFoundComponent: NotFoundPage,
  validateSearch: (search: Record<string, unknown>): { next?: string | undefined } => ({
    next: typeof search.next === 'string' ? search.next : undefined,
  }),
});
const at = <const Path extends string>(path: Path, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({ getParentRoute: () => root, path, component });

const routes = [
  at(
    '/',
    lazyRouteComponent(() => import('./pages/home.tsx'), 'HomePage'),
  ),
  at(
    '/auth',
    lazyRouteComponent(() => import('./pages/consent/consent-page.tsx'), 'ConsentPage'),
  ),
  at(
    '/sign-in',
    lazyRouteComponent(() => import('./pages/sign-in.tsx'), 'SignInPage'),
  ),
  at(
    '/register',
    lazyRouteComponent(() => import('./pages/register.tsx'), 'RegisterPage'),
  ),
  at(
    '/recover',
    lazyRouteComponent(() => import('./pages/recover.tsx'), 'RecoverPage'),
  ),
  at(
    '/verify',
    lazyRouteComponent(() => import('./pages/verify/verify-page.tsx'), 'VerifyPage'),
  ),
  at(
    '/me/approvals',
    lazyRouteComponent(() => import('./pages/approvals/approvals-page.tsx'), 'ApprovalsPage'),
  ),
  createRoute({
    getParentRoute: () => root,
    path: '/me/documents',
    component: lazyRouteComponent(() => import('./pages/documents/documents-page.tsx'), 'DocumentsPage'),
    validateSearch: (search: Record<string, unknown>): { q?: string | undefined } => ({
      q: typeof search.q === 'string' ? search.q : undefined,
    }),
  }),
  at(
    '/me/documents/$documentId',
    lazyRouteComponent(() => import('./pages/documents/document-page.tsx'), 'DocumentPage'),
  ),
  at(
    '/me/messages',
    lazyRouteComponent(() => import('./pages/messages/messages-page.tsx'), 'MessagesPage'),
  ),
  at(
    '/me/messages/$connectionId',
    lazyRouteComponent(() => import('./pages/messages/thread-page.tsx'), 'ThreadPage'),
  ),
  at(
    '/me/requests',
    lazyRouteComponent(() => import('./pages/requests/requests-page.tsx'), 'RequestsPage'),
  ),
  at(
    '/me/requests/$requestId',
    lazyRouteComponent(() => import('./pages/requests/request-page.tsx'), 'RequestPage'),
  ),
  at(
    '/me/flows',
    lazyRouteComponent(() => import('./pages/flows/flows-page.tsx'), 'FlowsPage'),
  ),
  at(
    '/me/flows/$runId',
    lazyRouteComponent(() => import('./pages/flows/flow-page.tsx'), 'FlowPage'),
  ),
  at(
    '/me/connections',
    lazyRouteComponent(() => import('./pages/connections/connections-page.tsx'), 'ConnectionsPage'),
  ),
  at(
    '/me/connections/$connectionId',
    lazyRouteComponent(() => import('./pages/connections/connection-page.tsx'), 'ConnectionPage'),
  ),
  at(
    '/me/fields',
    lazyRouteComponent(() => import('./pages/fields/fields-page.tsx'), 'FieldsPage'),
  ),
  at(
    '/me/enrolments',
    lazyRouteComponent(() => import('./pages/enrolments/enrolments-page.tsx'), 'EnrolmentsPage'),
  ),
  at(
    '/me/security',
    lazyRouteComponent(() => import('./pages/security/security-page.tsx'), 'SecurityPage'),
  ),
  at(
    '/portal',
    lazyRouteComponent(() => import('./pages/portal/services-page.tsx'), 'ServicesPage'),
  ),
  at(
    '/portal/plugins',
    lazyRouteComponent(() => import('./pages/portal/plugins/plugins-page.tsx'), 'PluginsPage'),
  ),
  at(
    '/portal/sign-in',
    lazyRouteComponent(() => import('./pages/portal/sign-in-page.tsx'), 'PortalSignInPage'),
  ),
  at(
    '/portal/services/$serviceId',
    lazyRouteComponent(() => import('./pages/portal/service-page.tsx'), 'ServicePage'),
  ),
  at(
    '/portal/services/$serviceId/flows/$flowId',
    lazyRouteComponent(() => import('./pages/portal/flow/flow-page.tsx'), 'FlowPage'),
  ),
  createRoute({
    getParentRoute: () => root,
    path: '/portal/services/$serviceId/flows/$flowId/runs',
    component: lazyRouteComponent(() => import('./pages/portal/runs/runs-page.tsx'), 'RunsPage'),
    validateSearch: (search: Record<string, unknown>): { status?: string | undefined } => ({
      status: typeof search.status === 'string' ? search.status : undefined,
    }),
  }),
  at(
    '/portal/services/$serviceId/flows/$flowId/runs/$runId',
    lazyRouteComponent(() => import('./pages/portal/runs/run-page.tsx'), 'RunPage'),
  ),
  at(
    '/portal/services/$serviceId/flows/$flowId/runs/$runId/documents/$outputKey',
    lazyRouteComponent(() => import('./pages/portal/runs/copy-page.tsx'), 'CopyPage'),
  ),
  at(
    '/me',
    lazyRouteComponent(() => import('./pages/me/me-page.tsx'), 'MePage'),
  ),
];

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
