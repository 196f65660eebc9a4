import { hash, timingSafeEqual } from 'node:crypto';
import { limits, type SignInTokenResponse } from '@symbolon/protocol';
import { signInSubject } from '../../../access/access-token.ts';
import { PlatformError } from '../../../core/errors.ts';
import type { CodeExchange, CodeGrants, SignInApp } from '../../clients/index.ts';
import type { Core } from '../../domain.ts';
import { type CodeParts, openPlaintext, readCode } from './codes.ts';
import type { IdTokens } from './id-token.ts';
import { type ExchangeRow, isOfEarlierEpoch, signInForExchange } from './store.ts';
import type { UsedCodes } from './used-codes.ts';

interface Deps extends Pick<Core, 'clock' | 'database' | 'log' | 'rateLimits' | 'secrets' | 'tokens'> {
  readonly usedCodes: UsedCodes;
  readonly idTokens: IdTokens;
}

/** What a code is compared with that names no row: the hash of nothing anyone knows. */
const NO_CODE = '0'.repeat(64);

/** Exchanges codes for tokens (RFC 6749 4.1.3, RFC 7636 4.6). A refusal uses nothing up. */
export class CodeExchanges implements CodeGrants {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async exchange(app: SignInApp, request: CodeExchange): Promise<SignInTokenResponse> {
    const { clock, rateLimits, tokens, usedCodes } = this.#deps;
    // Only the app itself can use up what it may exchange: with its secret, or with codes of its own.
    const count = () => rateLimits.consume('exchanges', app.client_id);
    if (app.app_type === 'confidential') await count();
    const found = await this.#find(app, request);
    if (app.app_type === 'public') await count();
    const { row, code } = found;
    if (row.used_at !== null) throw await this.#shownAgain(row, request);
    if (row.revoked_at !== null) throw refused('The person ended this sign-in.');
    if (isOfEarlierEpoch(row)) throw refused('The person set new credentials since: ask for a new sign-in.');
    if (row.code_expires_at <= clock.now()) {
      throw refused(`The code has expired: it lives ${limits.signInCodeSeconds} seconds.`);
    }
    // Signed first: when that fails, the code stays good.
    const idToken = isOpenId(row)
      ? await this.#deps.idTokens.sign(app, row, row.sealed === null ? {} : openPlaintext(row.sealed, code))
      : undefined;
    const isFirst = await usedCodes.use(row, {
      hasPlaintext: row.sealed !== null,
      savingPaused: request.savingPaused,
    });
    if (!isFirst) throw await this.#shownAgain(row, request);
    return {
      token_type: 'Bearer',
      expires_in: limits.accessTokenSeconds,
      access_token: tokens.mint('sign_in', signInSubject(row.company_id, row.id), EPOCH),
      ...(row.scope === null ? {} : { scope: row.scope }),
      ...(idToken === undefined ? {} : { id_token: idToken }),
      mode: row.mode,
    };
  }

  /** @throws {PlatformError} invalid_grant, with a text that says what is wrong */
  async #find(app: SignInApp, request: CodeExchange): Promise<{ row: ExchangeRow; code: CodeParts }> {
    const { database, secrets } = this.#deps;
    const code = readCode(request.code);
    const [row] = code === undefined ? [] : await signInForExchange(database.vital, app.company_id, code.id);
    const matches = secrets.matches(request.code, row?.code_hash ?? NO_CODE);
    if (code === undefined || row === undefined || !matches || row.client_id !== app.client_id) {
      throw refused('The code is unknown, or was given to another app.');
    }
    if (row.redirect_uri !== null && request.redirectUri !== row.redirect_uri) {
      throw refused(
        request.redirectUri === undefined
          ? 'The parameter redirect_uri is missing: send the one of the request for this code.'
          : 'The redirect_uri is not the one of the request for this code.',
      );
    }
    checkVerifier(row.code_challenge, request.codeVerifier);
    return { row, code };
  }

  /** A code was shown that was used before: what it gave ends (RFC 6749 4.1.2). */
  async #shownAgain(row: ExchangeRow, request: CodeExchange): Promise<PlatformError> {
    await this.#deps.usedCodes.revoke(row, request);
    this.#deps.log.warn(
      { security: 'code_reused', client: row.client_id, company: row.company_id, signIn: row.id },
      'the code of a sign-in was sent a second time; the token that it gave is revoked',
    );
    return refused('The code was used before. The token that it gave is revoked.');
  }
}

/** Tokens of sign-ins are revoked by their rows. */
export const EPOCH = 1;

/** Whether an id_token belongs to the answer (OpenID Connect Core 3.1.3.3). */
function isOpenId({ mode, scope }: ExchangeRow): boolean {
  return mode === 'oidc' && scope !== null && scope.split(' ').includes('openid');
}

/** @throws {PlatformError} invalid_grant */
function checkVerifier(challenge: string | null, verifier: string | undefined): void {
  if (challenge === null) {
    if (verifier === undefined) return;
    throw refused('A code_verifier was sent, and the request for this code had no code_challenge.');
  }
  if (verifier === undefined) {
    throw refused('The parameter code_verifier is missing: the request for this code had a code_challenge.');
  }
  const actual = hash('sha256', verifier, 'buffer');
  const expected = Buffer.from(challenge, 'base64url');
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) {
    throw refused('The code_verifier does not match the code_challenge of the request.');
  }
}

function refused(text: string): PlatformError {
  return new PlatformError('invalid_grant', { text });
}
