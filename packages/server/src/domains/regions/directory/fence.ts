import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { isForwarded } from '../../../access/callers.ts';
import { PlatformError } from '../../../core/errors.ts';
import type { Regions } from '../../../core/regions.ts';
import type { App } from '../../../http/app.ts';
import { errorBody } from '../../../http/error-body.ts';
import type { Homes } from './homes.ts';

/**
 * Takes back answers of machines and sessions whose company left while they were made: what was read may lack anything, and
 * a refusal may be for nothing but that. A write that was done before stays answered as it was. Before the routes are added;
 * with one region it is not called.
 */
export function fenceDepartures(app: App, { homes, regions }: { homes: Homes; regions: Regions }): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const companyId = companyAtHome(request);
    if (companyId === undefined || reply.statusCode === 421) return payload;
    if (request.method !== 'GET' && reply.statusCode < 400) return payload;
    const home = await homes.departedTo(companyId);
    const base = home === undefined ? undefined : regions.apiUrl(home);
    if (base === undefined) return payload;
    (payload as Partial<Readable> | null)?.destroy?.();
    const error = new PlatformError('region.rebase_required', { details: { api_url: base } });
    reply.code(error.status).type('application/json; charset=utf-8');
    for (const header of ['content-length', 'retry-after']) reply.removeHeader(header);
    return JSON.stringify(errorBody(error));
  });
}

/** The company that calls; undefined for people, and for who was let in by another region. */
function companyAtHome(request: FastifyRequest): string | undefined {
  const { principal } = request;
  if (principal === null || !('companyId' in principal) || isForwarded(request)) return undefined;
  return principal.companyId;
}
