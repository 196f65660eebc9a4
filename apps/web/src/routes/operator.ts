import { lazyRouteComponent } from '@tanstack/react-router';
import { at, searched, showing } from './root.tsx';

/** What operators see. */
export const routesOfOperator = [
  at(
    '/operator',
    lazyRouteComponent(() => import('../pages/operator/overview/overview-page.tsx'), 'OverviewPage'),
  ),
  at(
    '/operator/companies/$companyId',
    lazyRouteComponent(() => import('../pages/operator/companies/company-page.tsx'), 'CompanyPage'),
  ),
  at(
    '/operator/moves',
    lazyRouteComponent(() => import('../pages/operator/moves/moves-page.tsx'), 'MovesPage'),
  ),
  at(
    '/operator/queues',
    lazyRouteComponent(() => import('../pages/operator/queues/queues-page.tsx'), 'QueuesPage'),
  ),
  at(
    '/operator/maintenance',
    lazyRouteComponent(() => import('../pages/operator/maintenance/maintenance-page.tsx'), 'MaintenancePage'),
  ),
  at(
    '/operator/backups',
    lazyRouteComponent(() => import('../pages/operator/backups/backups-page.tsx'), 'BackupsPage'),
  ),
  at(
    '/operator/keys',
    lazyRouteComponent(() => import('../pages/operator/keys/keys-page.tsx'), 'KeysPage'),
  ),
  at(
    '/operator/field-types',
    lazyRouteComponent(() => import('../pages/operator/field-types/field-types-page.tsx'), 'FieldTypesPage'),
  ),
  at(
    '/operator/mail',
    lazyRouteComponent(() => import('../pages/operator/mail/mail-page.tsx'), 'MailPage'),
  ),
  at(
    '/operator/records',
    lazyRouteComponent(() => import('../pages/operator/records/records-page.tsx'), 'RecordsPage'),
  ),
  showing(
    '/operator/companies',
    searched,
    lazyRouteComponent(() => import('../pages/operator/companies/companies-page.tsx'), 'CompaniesPage'),
  ),
  showing(
    '/operator/people',
    searched,
    lazyRouteComponent(() => import('../pages/operator/people/people-page.tsx'), 'PeoplePage'),
  ),
];
