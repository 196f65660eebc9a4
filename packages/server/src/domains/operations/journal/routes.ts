import { AuditLogPage, limits, PageQuery } from '@symbolon/protocol';
import { companyOf } from '../../../access/callers.ts';
import type { Database } from '../../../db/database.ts';
import type { App } from '../../../http/app.ts';
import type { Audit } from './audit.ts';

export function auditRoutes(app: App, { audit, database }: { audit: Audit; database: Database }): void {
  app.get(
    '/api/account/audit-log',
    {
      // Addresses of colleagues stand in it.
      config: { access: ['portal'], role: 'admin' },
      schema: {
        tags: ['account'],
        summary: 'Who did what to the account, the latest first',
        querystring: PageQuery,
        response: { 200: AuditLogPage },
      },
    },
    async (request) =>
      audit.page(database.reader, companyOf(request), {
        limit: request.query.limit ?? limits.pageDefault,
        offset: request.query.offset ?? 0,
      }),
  );
}
