import type { ErrorKey } from '@symbolon/protocol';
import type { FastifyRequest } from 'fastify';
import { isForwarded } from '../../../access/callers.ts';
import { accountOf } from '../../../access/principal.ts';
import type { App } from '../../../http/app.ts';
import type { CodeLookups, SoughtCode } from './code-lookups.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route looks up the code that its address or body names; the error when it is unknown. */
    looksUp?: ErrorKey;
  }
}

/** Limits the routes with `config.looksUp`, whichever region answers. Call it before the routes are added. */
export function limitLookups(app: App, lookups: CodeLookups): void {
  app.addHook('onRoute', (route) => {
    const missing = route.config?.looksUp;
    // The route for HEAD has the handler of the route for GET, which is wrapped already.
    if (missing === undefined || route.method === 'HEAD') return;
    const { handler } = route;
    route.handler = async function (request, reply) {
      const answer = async () => handler.call(this, request, reply);
      const sought = soughtIn(request);
      // The region that forwarded a call has counted it.
      if (sought === undefined || isForwarded(request)) return answer();
      return lookups.look(sought, missing, answer, () => reply.statusCode === 404);
    };
  });
}

interface Codes {
  readonly shareCode?: string;
  readonly companyCode?: string;
  readonly serviceCode?: string;
}

function soughtIn({ principal, params, body }: FastifyRequest): SoughtCode | undefined {
  const seeker = principal === null ? undefined : accountOf(principal);
  const { share_code, company_code, service_code } = (body ?? {}) as Readonly<
    Record<string, string | null | undefined>
  >;
  const { shareCode, companyCode, serviceCode } = params as Codes;
  const code = shareCode ?? companyCode ?? share_code ?? company_code;
  if (seeker === undefined || code === undefined || code === null) return undefined;
  const ofService = serviceCode ?? service_code;
  return {
    seeker,
    code: code.trim().toUpperCase(),
    ...(ofService === undefined || ofService === null ? {} : { serviceCode: ofService.trim().toUpperCase() }),
  };
}
