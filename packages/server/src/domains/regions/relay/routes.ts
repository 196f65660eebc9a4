import type { Readable } from 'node:stream';
import { limits } from '@symbolon/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { refuseBase } from '../../../access/routing.ts';
import { sentParameters } from '../../../core/sent-parameters.ts';
import type { App } from '../../../http/app.ts';
import { FORM_BYTES } from '../../../http/forms.ts';
import { readJson } from '../../../http/json-body.ts';
import type { Core } from '../../domain.ts';
import { regionUnavailable } from '../directory/peers.ts';
import type { Destinations } from './destination.ts';
import { type Relay, type RelayedBody, readAll } from './relay.ts';

interface Deps extends Pick<Core, 'regions'> {
  readonly destinations: Destinations;
  readonly relay: Relay;
}

/** What pages and sign-in clients call, who know one base URL. */
const PASSED_ON = /^\/(?:api\/(?:person|portal|consent|oauth)|oauth2)\//;

/**
 * Passes calls of pages on to the right region: everything about people, sign-in and consent, and what a browser with a session
 * calls. Programs get the base URL of the right region instead (wire 5.2): a front door carries no data for them.
 */
export function relayRoutes(app: App, deps: Deps): void {
  app.addHook('preClose', (done) => {
    deps.relay.endStreams();
    done();
  });
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // The region reads it.
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    for (const url of ['/api/*', '/oauth2/*']) {
      scope.route({
        method: ['GET', 'POST', 'PUT', 'DELETE'],
        url,
        bodyLimit: limits.uploadBodyBytes,
        // The region knows which parameters the address takes, and counts the call for its caller.
        config: {
          access: 'open',
          limit: 'own',
          alwaysJson: true,
          ignoresQuery: true,
          // The region has a deadline; a body is passed on as it comes, which may take a while.
          answersWithin: Number.POSITIVE_INFINITY,
        },
        schema: { hide: true },
        handler: (request, reply) => answer(request, reply, deps),
      });
    }
  });
}

async function answer(request: FastifyRequest, reply: FastifyReply, deps: Deps): Promise<FastifyReply> {
  const { destinations, regions, relay } = deps;
  const credential = destinations.credentialOf(request);
  const isByCookie = credential !== undefined && request.headers.authorization === undefined;
  if (!PASSED_ON.test(request.url) && !isByCookie) {
    refuseBase(
      regions,
      credential === undefined ? regions.names[0] : await destinations.ofCaller(credential),
    );
    throw regionUnavailable();
  }
  const payload = request.body as Readable | undefined;
  const isLarge = Number(request.headers['content-length'] ?? 0) > limits.jsonBodyBytes;
  let body: RelayedBody = payload;
  // A body in memory can be sent twice. An unknown caller sends no larger one.
  if (payload && !(isLarge && credential)) body = await readAll(payload, limits.jsonBodyBytes);
  const region = await (credential === undefined
    ? destinations.ofOpenCall(request, membersOf(request, body))
    : destinations.ofCaller(credential));
  return relay.pass(request, reply, { region, body, moved: () => destinations.forget(credential) });
}

/** The members of a body that a region might take; the region says what is wrong with any other. */
function membersOf({ headers }: FastifyRequest, body: RelayedBody): Readonly<Record<string, unknown>> {
  if (!Buffer.isBuffer(body)) return {};
  if (/^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '')) {
    return body.length > FORM_BYTES ? {} : Object.fromEntries(sentParameters(body.toString()));
  }
  try {
    const members = readJson(body);
    return typeof members === 'object' ? (members as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}
