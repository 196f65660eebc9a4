import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isForwarded } from '../../../access/callers.ts';
import { PlatformError } from '../../../core/errors.ts';
import type { Regions } from '../../../core/regions.ts';
import type { App } from '../../../http/app.ts';
import { errorBody } from '../../../http/error-body.ts';
import type { CompanyLocator } from './company-locator.ts';

interface Deps {
  readonly companyLocator: CompanyLocator;
  readonly issuer: () => string;
  readonly regions: Regions;
}

/**
 * Replaces the answers to clients and sessions whose company moved away while the call was being answered: what was read may
 * be incomplete, and the move may be the cause of a refusal. The answer to a write that succeeded stays. Call it before the
 * routes are added.
 */
export function rejectMovedCompanies(app: App, { companyLocator, issuer, regions }: Deps): void {
  const rejected = async (companyId: string, reply: FastifyReply, payload: unknown) => {
    const home = await companyLocator.movedTo(companyId);
    const base = home === undefined ? undefined : regions.apiUrl(home);
    if (base === undefined) return payload;
    (payload as Partial<Readable> | null)?.destroy?.();
    const error = new PlatformError('region.rebase_required', { details: { api_url: base } });
    reply.code(error.status).type('application/json; charset=utf-8');
    for (const header of ['content-length', 'retry-after']) reply.removeHeader(header);
    return JSON.stringify(errorBody(error, issuer()));
  };
  app.addHook('onSend', (request, reply, payload, next) => {
    const companyId = companyAtHome(request);
    const { statusCode } = reply;
    const stays =
      companyId === undefined || statusCode === 421 || (request.method !== 'GET' && statusCode < 400);
    if (stays) next(null, payload);
    else rejected(companyId, reply, payload).then((answer) => next(null, answer), next);
  });
}

/** The company that calls; undefined for people, and for calls that another region forwarded. */
function companyAtHome(request: FastifyRequest): string | undefined {
  const { principal } = request;
  if (principal === null || !('companyId' in principal) || isForwarded(request)) return undefined;
  return principal.companyId;
}
