import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  useRouterState,
} from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { BrokenPage } from './pages/broken.tsx';
import { type TabName, tabOf } from './pages/connections/tabs.ts';
import { NotFoundPage } from './pages/not-found.tsx';
import { shownOf } from './pages/portal/webhooks/shown.ts';
import { routesOfDevelopment } from './pages/ui/routes.ts';
import { LoadingPage } from './parts/loading-page.tsx';

const ApprovalsOver = lazy(() =>
  import('./pages/approvals/approvals-over.tsx').then(({ ApprovalsOver: component }) => ({
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
const texts =
  <const Name extends string>(...names: readonly Name[]) =>
  (search: Record<string, unknown>) =>
    Object.fromEntries(
      names.map((name) => [name, typeof search[name] === 'string' ? search[name] : undefined]),
    ) as { [Each in Name]?: string | undefined };
const searched = texts('q');

const root = createRootRoute({
  component: Root,
  notFoundComponent: NotFoundPage,
  validateSearch: texts('next'),
});
const at = <const Path extends string>(path: Path, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({ getParentRoute: () => root, path, component });
/** A page of which a part stands behind the question mark. */
const showing = <const Path extends string, Search extends object>(
  path: Path,
  validateSearch: (search: Record<string, unknown>) => Search,
  component: ReturnType<typeof lazyRouteComponent>,
) => createRoute({ getParentRoute: () => root, path, component, validateSearch });

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
  showing(
    '/me/documents',
    searched,
    lazyRouteComponent(() => import('./pages/documents/documents-page.tsx'), 'DocumentsPage'),
  ),
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
  showing(
    '/me/connections/$connectionId',
    (search): { tab?: TabName | undefined } => ({ tab: tabOf(search.tab) }),
    lazyRouteComponent(() => import('./pages/connections/connection-page.tsx'), 'ConnectionPage'),
  ),
  showing(
    '/me/connect',
    texts('code'),
    lazyRouteComponent(() => import('./pages/connect/connect-page.tsx'), 'ConnectPage'),
  ),
  at(
    '/connect/$company/$service',
    lazyRouteComponent(() => import('./pages/connect/invited-page.tsx'), 'InvitedPage'),
  ),
  at(
    '/me/account',
    lazyRouteComponent(() => import('./pages/account/account-page.tsx'), 'AccountPage'),
  ),
  at(
    '/me/activity',
    lazyRouteComponent(() => import('./pages/activity/activity-page.tsx'), 'ActivityPage'),
  ),
  at(
    '/me/export',
    lazyRouteComponent(() => import('./pages/export/export-page.tsx'), 'ExportPage'),
  ),
  createRoute({
    getParentRoute: () => root,
    path: '/me/fields',
    component: lazyRouteComponent(() => import('./pages/fields/fields-page.tsx'), 'FieldsPage'),
    // What is open over the list: one field, or a new one of a type.
    validateSearch: ({
      field,
      act,
      add,
    }: Record<string, unknown>): { field?: string; act?: 'change'; add?: string } => ({
      ...(typeof field === 'string' && { field }),
      ...(act === 'change' && { act }),
      ...(typeof add === 'string' && { add }),
    }),
  }),
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
    lazyRouteComponent(() => import('./pages/portal/overview/overview-page.tsx'), 'OverviewPage'),
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
    lazyRouteComponent(() => import('./pages/portal/service/about-page.tsx'), 'ServicePage'),
  ),
  at(
    '/portal/register',
    lazyRouteComponent(() => import('./pages/portal/register-page.tsx'), 'PortalRegisterPage'),
  ),
  at(
    '/portal/recover',
    lazyRouteComponent(() => import('./pages/portal/ways-in/recover-page.tsx'), 'PortalRecoverPage'),
  ),
  at(
    '/portal/invitation',
    lazyRouteComponent(() => import('./pages/portal/ways-in/invitation-page.tsx'), 'InvitationPage'),
  ),
  at(
    '/portal/services',
    lazyRouteComponent(() => import('./pages/portal/services/services-page.tsx'), 'ServicesPage'),
  ),
  at(
    '/portal/services/new',
    lazyRouteComponent(() => import('./pages/portal/services/new-service-page.tsx'), 'NewServicePage'),
  ),
  at(
    '/portal/access',
    lazyRouteComponent(() => import('./pages/portal/access/access-page.tsx'), 'AccessPage'),
  ),
  at(
    '/portal/webhooks',
    lazyRouteComponent(() => import('./pages/portal/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
  ),
  at(
    '/portal/clients',
    lazyRouteComponent(() => import('./pages/portal/clients/clients-page.tsx'), 'ClientsPage'),
  ),
  at(
    '/portal/apps',
    lazyRouteComponent(() => import('./pages/portal/apps/apps-page.tsx'), 'AppsPage'),
  ),
  at(
    '/portal/profile',
    lazyRouteComponent(() => import('./pages/portal/profile/profile-page.tsx'), 'ProfilePage'),
  ),
  at(
    '/portal/security',
    lazyRouteComponent(() => import('./pages/portal/keys/company-keys-page.tsx'), 'CompanyKeysPage'),
  ),
  at(
    '/portal/sign-in-means',
    lazyRouteComponent(() => import('./pages/portal/keys/sign-in-means-page.tsx'), 'SignInMeansPage'),
  ),
  at(
    '/portal/team',
    lazyRouteComponent(() => import('./pages/portal/team/team-page.tsx'), 'TeamPage'),
  ),
  showing(
    '/portal/customers',
    texts('service', 'q', 'way'),
    lazyRouteComponent(() => import('./pages/portal/customers/customers-page.tsx'), 'CustomersPage'),
  ),
  showing(
    '/portal/messages',
    texts('service', 'view', 'with', 'way'),
    lazyRouteComponent(() => import('./pages/portal/messages/inbox-page.tsx'), 'InboxPage'),
  ),
  showing(
    '/portal/messages/everyone',
    texts('service', 'way'),
    lazyRouteComponent(() => import('./pages/portal/messages/everyone-page.tsx'), 'EveryonePage'),
  ),
  showing(
    '/portal/documents',
    texts('service', 'status'),
    lazyRouteComponent(() => import('./pages/portal/documents/issued-page.tsx'), 'IssuedPage'),
  ),
  at(
    '/portal/services/$serviceId/documents/new',
    lazyRouteComponent(() => import('./pages/portal/documents/send-page.tsx'), 'SendPage'),
  ),
  at(
    '/portal/services/$serviceId/documents/$documentId',
    lazyRouteComponent(() => import('./pages/portal/documents/document-page.tsx'), 'IssuedDocumentPage'),
  ),
  at(
    '/portal/services/$serviceId/customers/$connectionId',
    lazyRouteComponent(() => import('./pages/portal/customers/customer-page.tsx'), 'CustomerPage'),
  ),
  showing(
    '/portal/services/$serviceId/webhooks/$webhookId',
    shownOf,
    lazyRouteComponent(() => import('./pages/portal/webhooks/webhook-page.tsx'), 'WebhookPage'),
  ),
  at(
    '/portal/audit',
    lazyRouteComponent(() => import('./pages/portal/audit/audit-page.tsx'), 'AuditPage'),
  ),
  at(
    '/portal/services/$serviceId/asks',
    lazyRouteComponent(() => import('./pages/portal/service/asks-page.tsx'), 'AsksPage'),
  ),
  at(
    '/portal/services/$serviceId/code',
    lazyRouteComponent(() => import('./pages/portal/service/code-page.tsx'), 'CodePage'),
  ),
  showing(
    '/portal/services/$serviceId/logs',
    // A text in the address, a number from a page.
    (search): { page?: number; live?: string | undefined } => {
      const page = Number(search.page);
      return { ...texts('live')(search), ...(Number.isSafeInteger(page) && page > 0 && { page }) };
    },
    lazyRouteComponent(() => import('./pages/portal/service/logs-page.tsx'), 'LogsPage'),
  ),
  at(
    '/portal/services/$serviceId/flows',
    lazyRouteComponent(() => import('./pages/portal/service/flows-page.tsx'), 'FlowsPage'),
  ),
  at(
    '/portal/services/$serviceId/settings',
    lazyRouteComponent(() => import('./pages/portal/service/settings-page.tsx'), 'SettingsPage'),
  ),
  showing(
    '/portal/services/$serviceId/flows/$flowId',
    texts('steps'),
    lazyRouteComponent(() => import('./pages/portal/flow/flow-page.tsx'), 'FlowPage'),
  ),
  showing(
    '/portal/services/$serviceId/flows/$flowId/versions',
    texts('from', 'to'),
    lazyRouteComponent(() => import('./pages/portal/flow/versions-page.tsx'), 'VersionsPage'),
  ),
  showing(
    '/portal/services/$serviceId/flows/$flowId/runs',
    texts('status', 'view'),
    lazyRouteComponent(() => import('./pages/portal/runs/runs-page.tsx'), 'RunsPage'),
  ),
  at(
    '/portal/services/$serviceId/flows/$flowId/runs/$runId',
    lazyRouteComponent(() => import('./pages/portal/runs/run-page.tsx'), 'RunPage'),
  ),
  at(
    '/portal/services/$serviceId/flows/$flowId/runs/$runId/documents/$outputKey',
    lazyRouteComponent(() => import('./pages/portal/runs/copy-page.tsx'), 'CopyPage'),
  ),
  at(
    '/operator',
    lazyRouteComponent(() => import('./pages/operator/overview/overview-page.tsx'), 'OverviewPage'),
  ),
  at(
    '/operator/companies/$companyId',
    lazyRouteComponent(() => import('./pages/operator/companies/company-page.tsx'), 'CompanyPage'),
  ),
  at(
    '/operator/moves',
    lazyRouteComponent(() => import('./pages/operator/moves/moves-page.tsx'), 'MovesPage'),
  ),
  at(
    '/operator/queues',
    lazyRouteComponent(() => import('./pages/operator/queues/queues-page.tsx'), 'QueuesPage'),
  ),
  at(
    '/operator/maintenance',
    lazyRouteComponent(() => import('./pages/operator/maintenance/maintenance-page.tsx'), 'MaintenancePage'),
  ),
  at(
    '/operator/backups',
    lazyRouteComponent(() => import('./pages/operator/backups/backups-page.tsx'), 'BackupsPage'),
  ),
  at(
    '/operator/keys',
    lazyRouteComponent(() => import('./pages/operator/keys/keys-page.tsx'), 'KeysPage'),
  ),
  at(
    '/operator/field-types',
    lazyRouteComponent(() => import('./pages/operator/field-types/field-types-page.tsx'), 'FieldTypesPage'),
  ),
  at(
    '/operator/mail',
    lazyRouteComponent(() => import('./pages/operator/mail/mail-page.tsx'), 'MailPage'),
  ),
  at(
    '/operator/records',
    lazyRouteComponent(() => import('./pages/operator/records/records-page.tsx'), 'RecordsPage'),
  ),
  showing(
    '/operator/companies',
    searched,
    lazyRouteComponent(() => import('./pages/operator/companies/companies-page.tsx'), 'CompaniesPage'),
  ),
  showing(
    '/operator/people',
    searched,
    lazyRouteComponent(() => import('./pages/operator/people/people-page.tsx'), 'PeoplePage'),
  ),
  ...routesOfDevelopment(at<'/ui'>),
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
