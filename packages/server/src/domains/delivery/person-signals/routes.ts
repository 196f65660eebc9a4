import { EventStreamQuery, EventTicket } from '@symbolon/protocol';
import type { AccessTokens } from '../../../access/access-token.ts';
import { bearerToken } from '../../../access/authenticator.ts';
import { personOf } from '../../../access/callers.ts';
import { PlatformError } from '../../../core/errors.ts';
import type { App } from '../../../http/app.ts';
import { routesOf } from '../../../http/routes.ts';
import type { EventStreams } from './event-streams.ts';
import type { EventTickets } from './tickets.ts';

interface Deps {
  readonly eventStreams: EventStreams;
  readonly eventTickets: EventTickets;
  readonly tokens: Pick<AccessTokens, 'verify'>;
}

export function eventRoutes(app: App, { eventStreams, eventTickets, tokens }: Deps): void {
  const tags = ['person'];

  routesOf(app, { tags, access: ['person'] })(
    'POST /api/person/events/ticket',
    {
      summary: 'A ticket for the event stream',
      description:
        'For browsers that cannot send a header with it. Good once, for a minute. Made with an access token: a page that has the session cookie needs none.',
      created: EventTicket,
    },
    (request) => {
      const token = bearerToken(request.headers.authorization);
      const claims = token === undefined ? undefined : tokens.verify(token);
      if (claims === undefined) throw new PlatformError('auth.forbidden');
      return eventTickets.issue(claims);
    },
  );

  app.get(
    '/api/person/events',
    {
      config: { access: ['person'], streams: true, alwaysJson: true },
      exposeHeadRoute: false,
      schema: {
        tags,
        summary: 'What happens, as it happens',
        description:
          'Server-sent events. Each has a kind and the id of what it is about, which is then read. A signal may be lost: read the lists after connecting, and every 20 seconds while there is no stream. Ends with stream_closed.',
        querystring: EventStreamQuery,
        produces: ['text/event-stream'],
      },
    },
    (request, reply) => {
      const { identify } = request;
      if (identify === null) throw new PlatformError('auth.forbidden');
      const body = eventStreams.open(personOf(request), identify);
      reply.raw.once('close', () => body.destroy());
      return (
        reply
          .type('text/event-stream; charset=utf-8')
          // Proxies would collect the answer before they pass it on; this is what nginx and those like it go by.
          .header('x-accel-buffering', 'no')
          .send(body as never)
      );
    },
  );
}
