import { AuditLogPage, NewestPageQuery } from '@symbolon/protocol';
import { companyOf } from '../../../access/callers.ts';
import type { Database } from '../../../db/database.ts';
import type { App } from '../../../http/app.ts';
import { newestPageOf } from '../../../http/page.ts';
import { routesOf } from '../../../http/routes.ts';
import type { Audit } from './audit.ts';

export function auditRoutes(app: App, { audit, database }: { audit: Audit; database: Database }): void {
  // It holds addresses of colleagues.
  const route = routesOf(app, { tags: ['account'], access: ['portal'], role: 'admin' });

  route(
    'GET /api/account/audit-log',
    { summary: 'Who did what to the account, the latest first', query: NewestPageQuery, ok: AuditLogPage },
    (request) => audit.page(database, companyOf(request), newestPageOf(request.query)),
  );
}
