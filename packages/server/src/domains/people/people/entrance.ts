import { PersonCookieSession, PersonSession } from '@symbolon/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { type Cookies, PERSON_COOKIE } from '../../../access/cookies.ts';
import { shortUserAgent } from '../../../access/user-agent.ts';
import type { Entered, Entrance } from './people.ts';

/** What a sign-in is answered: a token for a program, or a cookie beside the answer for a browser. */
export const entered = Type.Union([PersonSession, PersonCookieSession]);

/** Where a request comes from, and how it wants to come in. A browser that is in by cookie stays in by cookie. */
export function entranceOf(request: FastifyRequest): Entrance {
  const { session } = (request.body ?? {}) as { session?: Entrance['transport'] };
  const { principal } = request;
  const byCookie = principal?.kind === 'person' && principal.sessionId !== undefined;
  return {
    source: request.ip,
    userAgent: shortUserAgent(request.headers['user-agent']),
    transport: session ?? (byCookie ? 'cookie' : undefined),
  };
}

/** Hands a session out: its token in the body, for programs, or in a cookie that no script reads, for browsers. */
export function enteredAnswer<Answer>(
  reply: FastifyReply,
  cookies: Cookies,
  { answer, cookie }: Entered<Answer>,
): Answer {
  if (cookie !== undefined)
    reply.header('set-cookie', cookies.set(PERSON_COOKIE, cookie.token, cookie.lifeMs));
  return answer;
}
