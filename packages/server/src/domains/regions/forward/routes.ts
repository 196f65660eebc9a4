import type { ErrorKey } from '@symbolon/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isForwarded, SOURCE_HEADER, sourceOf } from '../../../access/callers.ts';
import { PlatformError } from '../../../core/errors.ts';
import type { App } from '../../../http/app.ts';
import type { Federated } from '../../../http/federated.ts';
import { hasUsedProof, tellUsedProof } from '../../../http/proof-used.ts';
import { writtenBody } from '../../../http/written-body.ts';
import { type PeerAnswer, type PeerCall, regionUnavailable } from '../directory/peers.ts';
import { type FederatedCall, type Forwarding, HOME_HEADER, LEAVING_HEADER } from './forwarding.ts';

/** The request headers that an answer depends on. */
const FORWARDED = ['accept', 'if-none-match'] as const;
/** The answer's headers that are meant for the caller, not for the connection between the regions. */
const RELAYED = [
  'content-type',
  'content-disposition',
  'content-security-policy',
  'cache-control',
  'etag',
  'retry-after',
  'www-authenticate',
  'x-content-type-options',
] as const;

/** Of the header with the digest of a file, whose name has the word of the platform in it. */
const DIGEST = '-content-sha256';

/** Lets other regions answer the routes with `config.federated`. Call it before the routes are added. */
export function forwardFederatedRoutes(app: App, forwarding: Forwarding): void {
  app.addHook('onRoute', (route) => {
    const federated = route.config?.federated;
    // The route for HEAD has the handler of the route for GET, which is wrapped already.
    if (federated === undefined || federated.by === 'nothing' || route.method === 'HEAD') return;
    const { handler } = route;
    route.handler = async function (request, reply) {
      return answer(federated, forwarding, request, reply, async () => handler.call(this, request, reply));
    };
  });
}

async function answer(
  federated: Exclude<Federated, { by: 'nothing' }>,
  forwarding: Forwarding,
  request: FastifyRequest,
  reply: FastifyReply,
  own: () => Promise<unknown>,
): Promise<unknown> {
  // A forwarded call is not forwarded again.
  const forwarded = isForwarded(request);
  const byId = (missing: ErrorKey) =>
    own().catch(async (error: unknown) => {
      if (forwarded || !isMissing(error, missing)) throw error;
      const found = await forwarding.findAnswer(missing, await callOf(request));
      // No other region knows the id: its company may have moved here meanwhile.
      return found === undefined ? own() : relay(request, reply, found);
    });
  switch (federated.by) {
    case 'company_code': {
      const code = codeIn(request);
      if (code === '' && federated.missing !== undefined) return byId(federated.missing);
      const forward = async (home: string) => {
        if (forwarded) throw movedTo(home);
        return relay(request, reply, await forwarding.atHome(home, await callOf(request)));
      };
      const home = await forwarding.elsewhereByCode(code, forwarded);
      if (home !== undefined) return forward(home);
      return own().catch(async (error: unknown) => {
        // The company may have moved while the call was being answered. A refused call changed nothing, so it is forwarded.
        const since =
          error instanceof PlatformError ? await forwarding.elsewhereByCode(code, true) : undefined;
        if (since === undefined) throw error;
        return forward(since);
      });
    }
    case 'share_code':
      return own().catch(async (error: unknown) => {
        const { shareCode } = request.params as { shareCode: string };
        if (forwarded || !isMissing(error, federated.missing)) throw error;
        const home = await forwarding.elsewhereByShareCode(shareCode);
        if (home === undefined) throw error;
        return relay(request, reply, await forwarding.atHome(home, await callOf(request)));
      });
    case 'id':
      return byId(federated.missing);
    case 'list':
      request.whole = true;
      if (!forwarded) return forwarding.joined(federated.list, own, await callOf(request));
      return own().then(async (part) => {
        // Looked at afterwards: what has left before the part was read is still known then.
        if (await forwarding.companiesLeave()) reply.header(LEAVING_HEADER, '1');
        return part;
      });
  }
}

const isMissing = (error: unknown, key: string) => error instanceof PlatformError && error.key === key;

/** Tells the region that forwarded the call that the company has moved on. */
function movedTo(home: string): PlatformError {
  return new PlatformError('region.rebase_required', { headers: { [HOME_HEADER]: home } });
}

function codeIn(request: FastifyRequest): string {
  const { companyCode } = request.params as { companyCode?: string };
  const { company_code } = (request.body ?? {}) as { company_code?: string };
  return companyCode ?? company_code ?? '';
}

async function callOf(request: FastifyRequest): Promise<FederatedCall> {
  const { principal } = request;
  if (principal === null) throw new PlatformError('auth.invalid');
  const headers: Record<string, string> = { [SOURCE_HEADER]: sourceOf(request) };
  for (const name of FORWARDED) {
    const value = request.headers[name];
    if (value !== undefined) headers[name] = value;
  }
  const source = await writtenBody(request.body);
  return {
    method: (request.method === 'HEAD' ? 'GET' : request.method) as PeerCall['method'],
    // A request target may name a host (RFC 9112 3.2.2). It must not decide where the call goes.
    path: request.url.replace(/^https?:\/\/[^/]*/i, ''),
    headers,
    principal,
    ...(source !== undefined || request.body === undefined || request.body === null
      ? { source }
      : { body: request.body }),
  };
}

/** Returns another region's answer with its bytes unchanged. */
function relay(request: FastifyRequest, reply: FastifyReply, answered: PeerAnswer): FastifyReply {
  reply.code(answered.status);
  for (const [name, value] of Object.entries(answered.headers)) {
    if (name.endsWith(DIGEST)) reply.header(name, value);
  }
  for (const name of RELAYED) {
    const value = answered.headers[name];
    if (value !== undefined) reply.header(name, value);
  }
  // Another region that refuses for now may not have looked at the call: only this one knows of the proof.
  if (answered.status >= 500 && hasUsedProof(request))
    return reply.send(JSON.stringify(tellUsedProof(errorOf(answered))));
  return reply.send(answered.bytes.length === 0 ? null : answered.bytes);
}

/** What another region says of a failure; what is no JSON comes from a proxy before it. */
function errorOf({ bytes }: PeerAnswer): Record<string, unknown> {
  try {
    return JSON.parse(bytes.toString()) as Record<string, unknown>;
  } catch {
    throw regionUnavailable();
  }
}
