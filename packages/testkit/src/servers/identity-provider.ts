import { createHash } from 'node:crypto';
import { type JWTPayload, jwtVerify, SignJWT } from 'jose';
import type { Clock } from '../../../server/src/core/clock.ts';
import type { DocumentToCheck } from '../../../server/src/core/identity-provider.ts';
import type { TestEnvironment } from '../platform/platform.ts';
import { startReceiver } from './receiver.ts';

const SECRET = 'a-secret-of-the-provider-and-the-platform';
const PROVIDER_SECRET = new TextEncoder().encode(SECRET);

/** A provider of this machine that takes what is signed well, and answers what a test says. */
export interface TestIdentityProvider {
  readonly environment: TestEnvironment;
  /** What it was handed, oldest first; `check` is the body as it came. */
  readonly received: { check: DocumentToCheck; text: string }[];
  /** Answers every call so. */
  status: number;
  /** A result as it would send it. */
  result(claims: JWTPayload, at: Clock, key?: Uint8Array): Promise<string>;
  stop(): void;
}

export async function startIdentityProvider(clock: () => Clock): Promise<TestIdentityProvider> {
  const { base, stop } = await startReceiver((request, body, response) => {
    const answer = async () => {
      const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
      const { payload } = await jwtVerify(token, PROVIDER_SECRET, {
        audience: url,
        algorithms: ['HS256'],
        currentDate: new Date(clock().now()),
      });
      if (payload.body_sha256 !== createHash('sha256').update(body).digest('hex')) throw new Error('body');
      const check = JSON.parse(body.toString()) as DocumentToCheck;
      if (payload.sub !== check.check_id) throw new Error('subject');
      if (provider.status < 300) provider.received.push({ check, text: body.toString() });
      response.writeHead(provider.status).end();
    };
    answer().catch(() => response.writeHead(401).end());
  });
  const url = `${base}/checks`;
  const provider: TestIdentityProvider = {
    environment: {
      SYMBOLON_IDENTITY_URL: url,
      SYMBOLON_IDENTITY_SECRET: SECRET,
      SYMBOLON_IDENTITY_NAME: 'test',
    },
    received: [],
    status: 202,
    result(claims, at, key = PROVIDER_SECRET) {
      const now = Math.floor(at.now() / 1000);
      return new SignJWT({ iat: now, exp: now + 60, ...claims })
        .setProtectedHeader({ alg: 'HS256' })
        .sign(key);
    },
    stop: () => void stop(),
  };
  return provider;
}
