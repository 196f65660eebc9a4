import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { type TabName, tabOf } from '../pages/connections/tabs.ts';
import { at, root, searched, showing, texts } from './root.tsx';

/** The connection with the company whose page led here. */
const from = texts('of');

/** What everybody sees, and the pages of a person. */
export const routesOfPerson = [
  at(
    '/',
    lazyRouteComponent(() => import('../pages/home.tsx'), 'HomePage'),
  ),
  at(
    '/auth',
    lazyRouteComponent(() => import('../pages/consent/consent-page.tsx'), 'ConsentPage'),
  ),
  at(
    '/sign-in',
    lazyRouteComponent(() => import('../pages/sign-in.tsx'), 'SignInPage'),
  ),
  at(
    '/register',
    lazyRouteComponent(() => import('../pages/register.tsx'), 'RegisterPage'),
  ),
  at(
    '/recover',
    lazyRouteComponent(() => import('../pages/recover.tsx'), 'RecoverPage'),
  ),
  at(
    '/verify',
    lazyRouteComponent(() => import('../pages/verify/verify-page.tsx'), 'VerifyPage'),
  ),
  at(
    '/me/approvals',
    lazyRouteComponent(() => import('../pages/approvals/approvals-page.tsx'), 'ApprovalsPage'),
  ),
  showing(
    '/me/documents',
    searched,
    lazyRouteComponent(() => import('../pages/documents/documents-page.tsx'), 'DocumentsPage'),
  ),
  showing(
    '/me/documents/$documentId',
    from,
    lazyRouteComponent(() => import('../pages/documents/document-page.tsx'), 'DocumentPage'),
  ),
  at(
    '/me/messages',
    lazyRouteComponent(() => import('../pages/messages/messages-page.tsx'), 'MessagesPage'),
  ),
  showing(
    '/me/messages/$connectionId',
    from,
    lazyRouteComponent(() => import('../pages/messages/thread-page.tsx'), 'ThreadPage'),
  ),
  at(
    '/me/requests',
    lazyRouteComponent(() => import('../pages/requests/requests-page.tsx'), 'RequestsPage'),
  ),
  at(
    '/me/requests/$requestId',
    lazyRouteComponent(() => import('../pages/requests/request-page.tsx'), 'RequestPage'),
  ),
  at(
    '/me/flows',
    lazyRouteComponent(() => import('../pages/flows/flows-page.tsx'), 'FlowsPage'),
  ),
  showing(
    '/me/flows/$runId',
    from,
    lazyRouteComponent(() => import('../pages/flows/flow-page.tsx'), 'FlowPage'),
  ),
  at(
    '/me/connections',
    lazyRouteComponent(() => import('../pages/connections/connections-page.tsx'), 'ConnectionsPage'),
  ),
  showing(
    '/me/connections/$connectionId',
    (search): { tab?: TabName | undefined } => ({ tab: tabOf(search.tab) }),
    lazyRouteComponent(() => import('../pages/connections/connection-page.tsx'), 'ConnectionPage'),
  ),
  showing(
    '/me/connect',
    texts('code', 'k'),
    lazyRouteComponent(() => import('../pages/connect/connect-page.tsx'), 'ConnectPage'),
  ),
  at(
    '/connect/$company/$service',
    lazyRouteComponent(() => import('../pages/connect/invited-page.tsx'), 'InvitedPage'),
  ),
  at(
    '/me/account',
    lazyRouteComponent(() => import('../pages/account/account-page.tsx'), 'AccountPage'),
  ),
  at(
    '/me/activity',
    lazyRouteComponent(() => import('../pages/activity/activity-page.tsx'), 'ActivityPage'),
  ),
  at(
    '/me/export',
    lazyRouteComponent(() => import('../pages/export/export-page.tsx'), 'ExportPage'),
  ),
  createRoute({
    getParentRoute: () => root,
    path: '/me/fields',
    component: lazyRouteComponent(() => import('../pages/fields/fields-page.tsx'), 'FieldsPage'),
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
    lazyRouteComponent(() => import('../pages/enrolments/enrolments-page.tsx'), 'EnrolmentsPage'),
  ),
  at(
    '/me/security',
    lazyRouteComponent(() => import('../pages/security/security-page.tsx'), 'SecurityPage'),
  ),
  at(
    '/me',
    lazyRouteComponent(() => import('../pages/me/me-page.tsx'), 'MePage'),
  ),
];
