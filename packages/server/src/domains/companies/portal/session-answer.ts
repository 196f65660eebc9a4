import type { PortalCookieSession, PortalSession, WrappedPrivateKey } from '@symbolon/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Cookies, DEVICE_COOKIE, SESSION_COOKIE } from '../../../access/cookies.ts';
import { shortUserAgent } from '../../../access/user-agent.ts';
import { isoTime } from '../../../core/clock.ts';
import type { OpenedSession, Origin } from './portal.ts';
import { SESSION_MS } from './sessions.ts';
import { TRUST_MS } from './trusted-devices.ts';

/** Where a request comes from, as a sign-in is remembered by. */
export function originOf(request: FastifyRequest, cookies: Cookies): Origin {
  return {
    source: request.ip,
    userAgent: shortUserAgent(request.headers['user-agent']),
    deviceToken: cookies.read(request.headers.cookie, DEVICE_COOKIE),
  };
}

type WithKey<Session, Wrapped> = Omit<Session, 'encrypted_private_key'> & {
  encrypted_private_key: Wrapped;
};

/** Hands a session out: its token in the body, for programs, or in a cookie that no script reads, for browsers. */
export function sessionAnswer<Wrapped = WrappedPrivateKey>(
  reply: FastifyReply,
  cookies: Cookies,
  opened: OpenedSession<Wrapped>,
): WithKey<PortalSession, Wrapped> | WithKey<PortalCookieSession, Wrapped> {
  const { company, login, key, device } = opened;
  const expires_at = isoTime(opened.expiresAt);
  if (opened.transport === 'cookie') {
    reply.header('set-cookie', cookies.set(SESSION_COOKIE, opened.token, SESSION_MS));
    if (device !== undefined) reply.header('set-cookie', cookies.set(DEVICE_COOKIE, device.token, TRUST_MS));
    return { anti_forgery_token: opened.antiForgeryToken, expires_at, company, login, ...key };
  }
  const trusted_device =
    device === undefined
      ? {}
      : { trusted_device: { token: device.token, expires_at: isoTime(device.expiresAt) } };
  return { token: opened.token, expires_at, company, login, ...key, ...trusted_device };
}
