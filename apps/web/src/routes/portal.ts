import { lazyRouteComponent } from '@tanstack/react-router';
import { shownOf } from '../pages/portal/webhooks/shown.ts';
import { at, showing, texts } from './root.tsx';

/** What the staff of a company sees. */
export const routesOfPortal = [
  at(
    '/portal',
    lazyRouteComponent(() => import('../pages/portal/overview/overview-page.tsx'), 'OverviewPage'),
  ),
  at(
    '/portal/plugins',
    lazyRouteComponent(() => import('../pages/portal/plugins/plugins-page.tsx'), 'PluginsPage'),
  ),
  at(
    '/portal/sign-in',
    lazyRouteComponent(() => import('../pages/portal/sign-in-page.tsx'), 'PortalSignInPage'),
  ),
  at(
    '/portal/services/$serviceId',
    lazyRouteComponent(() => import('../pages/portal/service/about-page.tsx'), 'ServicePage'),
  ),
  at(
    '/portal/register',
    lazyRouteComponent(() => import('../pages/portal/register-page.tsx'), 'PortalRegisterPage'),
  ),
  at(
    '/portal/recover',
    lazyRouteComponent(() => import('../pages/portal/ways-in/recover-page.tsx'), 'PortalRecoverPage'),
  ),
  at(
    '/portal/invitation',
    lazyRouteComponent(() => import('../pages/portal/ways-in/invitation-page.tsx'), 'InvitationPage'),
  ),
  at(
    '/portal/services',
    lazyRouteComponent(() => import('../pages/portal/services/services-page.tsx'), 'ServicesPage'),
  ),
  at(
    '/portal/services/new',
    lazyRouteComponent(() => import('../pages/portal/services/new-service-page.tsx'), 'NewServicePage'),
  ),
  at(
    '/portal/access',
    lazyRouteComponent(() => import('../pages/portal/access/access-page.tsx'), 'AccessPage'),
  ),
  at(
    '/portal/webhooks',
    lazyRouteComponent(() => import('../pages/portal/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
  ),
  at(
    '/portal/clients',
    lazyRouteComponent(() => import('../pages/portal/clients/clients-page.tsx'), 'ClientsPage'),
  ),
  at(
    '/portal/apps',
    lazyRouteComponent(() => import('../pages/portal/apps/apps-page.tsx'), 'AppsPage'),
  ),
  at(
    '/portal/profile',
    lazyRouteComponent(() => import('../pages/portal/profile/profile-page.tsx'), 'ProfilePage'),
  ),
  at(
    '/portal/security',
    lazyRouteComponent(() => import('../pages/portal/keys/company-keys-page.tsx'), 'CompanyKeysPage'),
  ),
  at(
    '/portal/sign-in-means',
    lazyRouteComponent(() => import('../pages/portal/keys/sign-in-means-page.tsx'), 'SignInMeansPage'),
  ),
  at(
    '/portal/team',
    lazyRouteComponent(() => import('../pages/portal/team/team-page.tsx'), 'TeamPage'),
  ),
  showing(
    '/portal/customers',
    texts('service', 'q', 'kind', 'missing'),
    lazyRouteComponent(() => import('../pages/portal/customers/customers-page.tsx'), 'CustomersPage'),
  ),
  showing(
    '/portal/customers/asking',
    texts('service'),
    lazyRouteComponent(() => import('../pages/portal/customers/asking-page.tsx'), 'AskingPage'),
  ),
  showing(
    '/portal/messages',
    texts('service', 'all', 'view', 'with', 'way'),
    lazyRouteComponent(() => import('../pages/portal/messages/inbox-page.tsx'), 'InboxPage'),
  ),
  showing(
    '/portal/messages/everyone',
    texts('service', 'way'),
    lazyRouteComponent(() => import('../pages/portal/messages/everyone-page.tsx'), 'EveryonePage'),
  ),
  showing(
    '/portal/documents',
    texts('service', 'status'),
    lazyRouteComponent(() => import('../pages/portal/documents/issued-page.tsx'), 'IssuedPage'),
  ),
  showing(
    '/portal/services/$serviceId/runs/new',
    texts('flow', 'customer'),
    lazyRouteComponent(() => import('../pages/portal/runs/start-page.tsx'), 'StartPage'),
  ),
  at(
    '/portal/services/$serviceId/documents/new',
    lazyRouteComponent(() => import('../pages/portal/documents/send-page.tsx'), 'SendPage'),
  ),
  at(
    '/portal/services/$serviceId/documents/remind',
    lazyRouteComponent(() => import('../pages/portal/documents/remind-page.tsx'), 'RemindPage'),
  ),
  at(
    '/portal/services/$serviceId/documents/$documentId',
    lazyRouteComponent(() => import('../pages/portal/documents/document-page.tsx'), 'IssuedDocumentPage'),
  ),
  at(
    '/portal/services/$serviceId/customers/$connectionId',
    lazyRouteComponent(() => import('../pages/portal/customers/customer-page.tsx'), 'CustomerPage'),
  ),
  showing(
    '/portal/services/$serviceId/webhooks/$webhookId',
    shownOf,
    lazyRouteComponent(() => import('../pages/portal/webhooks/webhook-page.tsx'), 'WebhookPage'),
  ),
  showing(
    '/portal/audit',
    texts('thing', 'until'),
    lazyRouteComponent(() => import('../pages/portal/audit/audit-page.tsx'), 'AuditPage'),
  ),
  at(
    '/portal/services/$serviceId/asks',
    lazyRouteComponent(() => import('../pages/portal/service/asks-page.tsx'), 'AsksPage'),
  ),
  at(
    '/portal/services/$serviceId/code',
    lazyRouteComponent(() => import('../pages/portal/service/code-page.tsx'), 'CodePage'),
  ),
  showing(
    '/portal/services/$serviceId/events',
    texts('event', 'code'),
    lazyRouteComponent(() => import('../pages/portal/service/events-page.tsx'), 'EventsPage'),
  ),
  showing(
    '/portal/services/$serviceId/logs',
    texts('live', 'type'),
    lazyRouteComponent(() => import('../pages/portal/service/logs-page.tsx'), 'LogsPage'),
  ),
  at(
    '/portal/services/$serviceId/flows',
    lazyRouteComponent(() => import('../pages/portal/service/flows-page.tsx'), 'FlowsPage'),
  ),
  at(
    '/portal/services/$serviceId/settings',
    lazyRouteComponent(() => import('../pages/portal/service/settings-page.tsx'), 'SettingsPage'),
  ),
  showing(
    '/portal/services/$serviceId/flows/$flowId',
    texts('steps'),
    lazyRouteComponent(() => import('../pages/portal/flow/flow-page.tsx'), 'FlowPage'),
  ),
  showing(
    '/portal/services/$serviceId/flows/$flowId/versions',
    texts('from', 'to'),
    lazyRouteComponent(() => import('../pages/portal/flow/versions-page.tsx'), 'VersionsPage'),
  ),
  showing(
    '/portal/services/$serviceId/flows/$flowId/runs',
    texts('status', 'view'),
    lazyRouteComponent(() => import('../pages/portal/runs/runs-page.tsx'), 'RunsPage'),
  ),
  at(
    '/portal/services/$serviceId/flows/$flowId/runs/$runId',
    lazyRouteComponent(() => import('../pages/portal/runs/run-page.tsx'), 'RunPage'),
  ),
  at(
    '/portal/services/$serviceId/flows/$flowId/runs/$runId/documents/$outputKey',
    lazyRouteComponent(() => import('../pages/portal/runs/copy-page.tsx'), 'CopyPage'),
  ),
];
