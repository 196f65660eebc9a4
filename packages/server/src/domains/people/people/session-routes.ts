import { CurrentPersonSession, SessionList } from '@symbolon/protocol';
import type { FastifyRequest } from 'fastify';
import { personOf } from '../../../access/callers.ts';
import { type Cookies, PERSON_COOKIE } from '../../../access/cookies.ts';
import { isoTime } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import type { App } from '../../../http/app.ts';
import { routesOf } from '../../../http/routes.ts';
import type { PersonSessions } from '../../accounts/index.ts';
import type { People } from './people.ts';

interface Rules {
  readonly people: People;
  readonly personSessions: PersonSessions;
  readonly cookies: Cookies;
}

/** The browsers in which a person is signed in. */
export function personSessionRoutes(app: App, { people, personSessions, cookies }: Rules): void {
  const route = routesOf(app, { tags: ['person'], access: ['person'] });

  route(
    'GET /api/person/session',
    { summary: 'Who is signed in', ok: CurrentPersonSession },
    async (request) => {
      const personId = personOf(request);
      const person = await people.me(personId);
      const id = sessionIdOf(request);
      if (id === undefined) return { anti_forgery_token: null, expires_at: null, person };
      const session = await personSessions.current(personId, id);
      if (session === undefined) throw new PlatformError('auth.invalid');
      return {
        anti_forgery_token: session.antiForgeryToken,
        expires_at: isoTime(session.expiresAt),
        person,
      };
    },
  );

  route(
    'POST /api/person/sign-out',
    {
      errors: ['account.session_not_found'],
      summary: 'End the session',
      description: 'Of a browser. A bearer token ends by itself.',
    },
    async (request, reply) => {
      const id = sessionIdOf(request);
      if (id === undefined) throw new PlatformError('account.session_not_found');
      await personSessions.end(personOf(request), id);
      reply.header('set-cookie', cookies.clear(PERSON_COOKIE));
    },
  );

  route(
    'GET /api/person/sessions',
    { summary: 'List the browsers in which you are signed in', ok: SessionList },
    async (request) => ({ items: await personSessions.list(personOf(request), sessionIdOf(request)) }),
  );

  route('DELETE /api/person/sessions', { summary: 'End all sessions but this one' }, (request) =>
    personSessions.endOthers(personOf(request), sessionIdOf(request)),
  );

  route(
    'DELETE /api/person/sessions/:id',
    { errors: ['account.session_not_found'], summary: 'End a session' },
    (request) => personSessions.end(personOf(request), request.params.id),
  );
}

function sessionIdOf({ principal }: FastifyRequest): string | undefined {
  return principal?.kind === 'person' ? principal.sessionId : undefined;
}
