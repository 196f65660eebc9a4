import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { isForwarded, SOURCE_HEADER, sourceOf } from '../../../access/callers.ts';
import { PlatformError } from '../../../core/errors.ts';
import type { App } from '../../../http/app.ts';
import type { Federated } from '../../../http/federated.ts';
import type { PeerAnswer, PeerCall } from '../directory/index.ts';
import { type FederatedCall, type Forwarding, HOME_HEADER } from './forwarding.ts';

/** What of a call's headers the other region needs for the same answer. */
const SENT_ON = ['accept', 'if-none-match'] as const;
/** What of its answer's headers is not about the connection between the regions. */
const GIVEN_ON = [
  'content-type',
  'content-disposition',
  'content-security-policy',
  'cache-control',
  'etag',
  'retry-after',
  'www-authenticate',
  'x-content-type-options',
] as const;

/**
 * Lets routes that say so (`config.federated`) be answered by other regions; before the routes are added. With one region it is
 * not called, and routes are what they are.
 */
export function forwardFederatedRoutes(app: App, { forwarding }: { forwarding: Forwarding }): void {
  app.addHook('onRoute', (route) => {
    const federated = route.config?.federated;
    if (federated === undefined || federated.by === 'nothing') return;
    const { handler } = route;
    const answered: RouteHandlerMethod = async function (request, reply) {
      return answer(federated, forwarding, request, reply, async () => handler.call(this, request, reply));
    };
    route.handler = answered;
  });
}

async function answer(
  federated: Exclude<Federated, { by: 'nothing' }>,
  forwarding: Forwarding,
  request: FastifyRequest,
  reply: FastifyReply,
  own: () => Promise<unknown>,
): Promise<unknown> {
  // What was sent on once is answered here or nowhere.
  const forwarded = isForwarded(request);
  switch (federated.by) {
    case 'company_code': {
      const code = codeIn(request);
      const sentOn = async (home: string) => {
        if (forwarded) throw movedTo(home);
        return relay(reply, await forwarding.atHome(home, callOf(request)));
      };
      const home = await forwarding.elsewhereByCode(code, forwarded);
      if (home !== undefined) return sentOn(home);
      return own().catch(async (error: unknown) => {
        // Whoever was here a moment ago may have left meanwhile: what was refused was not done, and is done there.
        const since =
          error instanceof PlatformError ? await forwarding.elsewhereByCode(code, true) : undefined;
        if (since === undefined) throw error;
        return sentOn(since);
      });
    }
    case 'share_code':
      return own().catch(async (error: unknown) => {
        const { shareCode } = request.params as { shareCode: string };
        if (forwarded || !isMissing(error, federated.missing)) throw error;
        const home = await forwarding.elsewhereByShareCode(shareCode);
        if (home === undefined) throw error;
        return relay(reply, await forwarding.atHome(home, callOf(request)));
      });
    case 'id':
      return own().catch(async (error: unknown) => {
        if (forwarded || !isMissing(error, federated.missing)) throw error;
        const found = await forwarding.ofWhoeverKnows(federated.missing, callOf(request));
        // Nobody else knows it: its company may have come here while they were asked.
        return found === undefined ? own() : relay(reply, found);
      });
    case 'list':
      return forwarded ? own() : forwarding.joined(federated.list, own, callOf(request));
  }
}

const isMissing = (error: unknown, key: string) => error instanceof PlatformError && error.key === key;

/** To the region that sent the call here: this is not where the company is. */
function movedTo(home: string): PlatformError {
  return new PlatformError('region.rebase_required', { headers: { [HOME_HEADER]: home } });
}

function codeIn(request: FastifyRequest): string {
  const { companyCode } = request.params as { companyCode?: string };
  const { company_code } = (request.body ?? {}) as { company_code?: string };
  return companyCode ?? company_code ?? '';
}

function callOf(request: FastifyRequest): FederatedCall {
  const { principal } = request;
  if (principal === null) throw new PlatformError('auth.invalid');
  const headers: Record<string, string> = { [SOURCE_HEADER]: sourceOf(request) };
  for (const name of SENT_ON) {
    const value = request.headers[name];
    if (value !== undefined) headers[name] = value;
  }
  return {
    method: request.method as PeerCall['method'],
    // A request target may name a host (RFC 9112 3.2.2): where the call goes is not for the caller to say.
    path: request.url.replace(/^https?:\/\/[^/]*/i, ''),
    headers,
    principal,
    ...(request.body === undefined || request.body === null ? {} : { body: request.body }),
  };
}

/** Gives another region's answer, its bytes as they are. */
function relay(reply: FastifyReply, given: PeerAnswer): FastifyReply {
  reply.code(given.status);
  for (const name of GIVEN_ON) {
    const value = given.headers[name];
    if (value !== undefined) reply.header(name, value);
  }
  return reply.send(given.bytes.length === 0 ? null : given.bytes);
}
