import { createHash } from 'node:crypto';
import { type DocumentCheck, rejectionReasons } from '@symbolon/protocol';
import { type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { type Static, Type } from 'typebox';
import { Check } from 'typebox/value';
import type { Clock } from './clock.ts';
import type { IdentityProviderConfig } from './config-identity.ts';
import { timeLeft } from './deadline.ts';
import { PlatformError } from './errors.ts';

/** What a provider gets of a person: this, and nothing that says whose it is. */
export interface DocumentToCheck {
  readonly check_id: string;
  /** Where the result goes. */
  readonly callback_url: string;
  readonly expires_at: string;
  /** The type of the field. */
  readonly type: string;
  readonly document: object;
}

export type CheckResult = { readonly checkId: string } & (
  | {
      readonly outcome: 'approved';
      readonly verificationId: string;
      readonly name: { readonly first_name: string; readonly last_name: string };
      /** Milliseconds; undefined: the document has no end. */
      readonly expiresAt: number | undefined;
    }
  | { readonly outcome: 'rejected'; readonly reason: NonNullable<DocumentCheck['reason']> }
);

/** Verifies identity documents, and says later what it found. */
export interface IdentityProvider {
  /** What attestations call it. */
  readonly name: string;
  /** Hands a document over. @throws {PlatformError} verification.provider_unavailable */
  begin(check: DocumentToCheck): Promise<void>;
  /**
   * Reads what the provider says.
   * @param callbackUrl where it was sent
   * @throws {PlatformError} verification.result_invalid
   */
  read(result: string, callbackUrl: string): Promise<CheckResult>;
}

const ANSWER_MOST_MS = 10_000;
/** Seconds that a signature is good for: clocks differ, and answers wait in queues. */
const SIGNATURE_MOST_S = 300;
/** Seconds by which clocks may differ. */
const CLOCKS_DIFFER_S = 30;
const RETRY_AFTER = '60';
const DAY_MS = 86_400_000;
const ALGORITHM = 'HS256';

const Name = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' });
const Result = Type.Union([
  Type.Object({
    sub: Type.String({ maxLength: 64 }),
    outcome: Type.Literal('approved'),
    jti: Type.String({ pattern: '^[!-~]{1,100}$' }),
    first_name: Name,
    last_name: Name,
    document_expires: Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })),
  }),
  Type.Object({
    sub: Type.String({ maxLength: 64 }),
    outcome: Type.Literal('rejected'),
    reason: Type.Enum([...rejectionReasons]),
  }),
]);

/**
 * A provider that takes documents by HTTPS and sends results as JWTs, both signed with one secret. Each signature names its
 * audience, so that neither can be used in the other direction or at another platform.
 */
export function httpIdentityProvider(
  { url, secret, name }: IdentityProviderConfig,
  { clock }: { clock: Clock },
): IdentityProvider {
  const key = new TextEncoder().encode(secret);
  return {
    name,

    async begin(check) {
      const body = Buffer.from(JSON.stringify(check));
      const now = Math.floor(clock.now() / 1000);
      const token = await new SignJWT({ body_sha256: createHash('sha256').update(body).digest('hex') })
        .setProtectedHeader({ alg: ALGORITHM })
        .setSubject(check.check_id)
        .setAudience(url)
        .setIssuedAt(now)
        .setExpirationTime(now + SIGNATURE_MOST_S)
        .sign(key);
      let status: number;
      try {
        const answer = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
          body,
          redirect: 'error',
          signal: AbortSignal.timeout(timeLeft(ANSWER_MOST_MS)),
        });
        status = answer.status;
        await answer.body?.cancel();
      } catch (cause) {
        throw unavailable(cause);
      }
      if (status < 200 || status > 299) throw unavailable(new Error(`The provider answered ${status}.`));
    },

    async read(result, callbackUrl) {
      let payload: JWTPayload;
      try {
        ({ payload } = await jwtVerify(result, key, {
          algorithms: [ALGORITHM],
          audience: callbackUrl,
          requiredClaims: ['sub', 'iat', 'exp'],
          maxTokenAge: SIGNATURE_MOST_S,
          clockTolerance: CLOCKS_DIFFER_S,
          currentDate: new Date(clock.now()),
        }));
      } catch (cause) {
        throw new PlatformError('verification.result_invalid', { cause });
      }
      if (!Check(Result, payload)) throw new PlatformError('verification.result_invalid');
      return resultOf(payload);
    },
  };
}

function resultOf(claims: Static<typeof Result>): CheckResult {
  if (claims.outcome === 'rejected')
    return { checkId: claims.sub, outcome: 'rejected', reason: claims.reason };
  const { sub, jti, first_name, last_name, document_expires } = claims;
  // To the end of that day.
  const expiresAt = document_expires === undefined ? undefined : Date.parse(document_expires) + DAY_MS;
  if (Number.isNaN(expiresAt)) throw new PlatformError('verification.result_invalid');
  return {
    checkId: sub,
    outcome: 'approved',
    verificationId: jti,
    name: { first_name, last_name },
    expiresAt,
  };
}

function unavailable(cause: unknown): PlatformError {
  return new PlatformError('verification.provider_unavailable', {
    headers: { 'retry-after': RETRY_AFTER },
    cause,
  });
}
