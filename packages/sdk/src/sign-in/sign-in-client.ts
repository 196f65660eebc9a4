import type { SignInMode, SignInTokenResponse, UserInfo } from '@symbolon/protocol';
import { checkedUrl, loadPrivateKey } from '../data/options.ts';
import {
  AuthenticationError,
  ForbiddenError,
  InvalidRequestError,
  SymbolonError,
  UnavailableError,
} from '../http/errors.ts';
import { jsonOf, Transport, type TransportOptions } from '../http/transport.ts';
import type { PrivateKeySource } from '../values/private-key-source.ts';
import { openClaims, type SignInClaim } from './claims.ts';
import { type IdTokenClaims, isSameIssuer, readIdToken } from './id-token.ts';
import { challengeOf, randomText } from './pkce.ts';

export type SignInClientOptions = TransportOptions & {
  /** The front door, for example `https://symbolon.example`. */
  url: string;
  /** `app_…` */
  clientId: string;
  /** Of a confidential app. */
  clientSecret?: string | undefined;
  /** One of the app's redirect URIs, to the letter. */
  redirectUri: string;
  /** The app's private key. Without one, claims stay sealed. */
  privateKey?: PrivateKeySource | undefined;
};

/** A claim to ask for. */
export type ClaimRequest = {
  name: string;
  type: string;
  label?: string;
  suggest?: string;
  required?: true;
  /** In `oidc` alone. */
  verified?: true;
  verified_max_age_days?: number;
  /** Of the type `plugin`. */
  plugin?: { plugin_id: string; field_type: string };
};

export type SignInRequest = {
  /** Default `oidc`, a standard request of OpenID Connect. */
  mode?: SignInMode | '2fa_enroll';
  claims?: readonly ClaimRequest[];
  /** Of `oidc`. Default `openid`. */
  scope?: string;
};

/** A sign-in that was begun. Keep it with the session of the browser until the person comes back; it holds secrets. */
export type PendingSignIn = {
  url: string;
  mode: SignInMode | '2fa_enroll';
  state: string;
  verifier: string;
  nonce: string | undefined;
};

/** Who signed in, and what they approved. */
export type SignedIn = {
  /** The share code: the person's name for this platform. */
  subject: string;
  mode: SignInMode;
  twoFactor: boolean;
  /** By the claim's name: opened and, where they are verified, checked. */
  claims: Readonly<Record<string, SignInClaim>>;
  /** Of `oidc`. */
  idToken: IdTokenClaims | undefined;
  accessToken: string;
};

/** What the waiting screen of a detached sign-in learns. */
export type DetachedOutcome = { code: string } | { enrolled: true };

const WAIT_MOST_MS = 600_000;
const POLL_EVERY_MS = 2_000;

/**
 * Signs people in to a site or a program (wire 10.4).
 *
 * @example
 * const pending = client.begin({ scope: 'openid email' });   // keep it, and send the browser to pending.url
 * const person = await client.complete(request.url, pending);
 */
export class SignInClient {
  readonly #options: SignInClientOptions;
  readonly #base: string;
  readonly #transport: Transport;

  /** @throws ConfigurationError `sdk.configuration` */
  constructor(options: SignInClientOptions) {
    this.#options = options;
    this.#base = checkedUrl(options.url);
    this.#transport = new Transport(options);
  }

  /** Makes the address to send a person's browser to. Each sign-in gets its own state, PKCE verifier and nonce. */
  begin(request: SignInRequest = {}): PendingSignIn {
    return this.#begin(request, {});
  }

  /** Makes the address to show as a link or a QR code, for a sign-in on this screen that is approved on another one. */
  beginDetached(request: SignInRequest = {}): PendingSignIn {
    return this.#begin(request, { response_mode: 'detached' });
  }

  /**
   * Completes a sign-in with the address at which the browser came back.
   *
   * @throws ForbiddenError `oauth.access_denied` when the person refused; AuthenticationError `sdk.sign_in_foreign` for an answer to
   * another sign-in or from another platform; InvalidRequestError `sdk.sign_in_refused` for another refusal; and those of `exchange`
   */
  async complete(callback: string | URL | URLSearchParams, pending: PendingSignIn): Promise<SignedIn> {
    const { code } = this.#readCallback(callback, pending);
    if (code === undefined) throw foreign('The answer has no code.');
    return this.exchange(code, pending);
  }

  /** Checks that a person came back from an enrolment. @throws as `complete` */
  completeEnrolment(callback: string | URL | URLSearchParams, pending: PendingSignIn): void {
    const { enrolled } = this.#readCallback(callback, pending);
    if (enrolled !== 'true') throw foreign('The answer is about no enrolment.');
  }

  /**
   * Asks once what became of a detached sign-in; `undefined` while the person has not decided.
   *
   * @param options.onDigits of a public app: gets the two digits that the screen must show, because the person is asked for them
   *
   * @throws ForbiddenError `oauth.access_denied`; GoneError `oauth.result_expired`; AuthenticationError `invalid_client`
   */
  async poll(
    pending: PendingSignIn,
    options: { signal?: AbortSignal; onDigits?: (digits: string) => void } = {},
  ): Promise<DetachedOutcome | undefined> {
    const { clientId, clientSecret } = this.#options;
    const secret = clientSecret === undefined ? {} : { client_secret: clientSecret };
    const answer = await this.#transport
      .send(this.#base, {
        method: 'POST',
        path: '/oauth2/result',
        form: { client_id: clientId, state: pending.state, ...secret },
        signal: options.signal,
      })
      .catch((error: unknown) => {
        if (error instanceof SymbolonError && error.errorKey === 'oauth.access_denied')
          throw denied(error.message);
        throw error;
      });
    if (answer.status === 202) {
      const { digits } = jsonOf(answer) as { digits?: string };
      if (digits !== undefined) options.onDigits?.(digits);
      return undefined;
    }
    const { state, ...outcome } = jsonOf(answer) as DetachedOutcome & { state?: unknown };
    if (state !== pending.state) throw foreign('The result is of another sign-in.');
    return outcome as DetachedOutcome;
  }

  /**
   * Waits for a detached sign-in: asks at once and every two seconds. A code is exchanged at once, for it lives 60 seconds.
   *
   * @param options.onDigits as of `poll`; it is called at every poll until the decision
   *
   * @returns who signed in, or that the person is enrolled
   * @throws those of `poll` and `exchange`; SymbolonError `sdk.wait_over` when the budget is spent; the signal's reason
   */
  async waitForResult(
    pending: PendingSignIn,
    options: {
      signal?: AbortSignal;
      budgetMs?: number;
      everyMs?: number;
      onDigits?: (digits: string) => void;
    } = {},
  ): Promise<SignedIn | { enrolled: true }> {
    const { runtime } = this.#transport;
    const until = runtime.now() + (options.budgetMs ?? WAIT_MOST_MS);
    for (;;) {
      const outcome = await this.poll(pending, options).catch((error: unknown) => {
        // Nothing is used up by it.
        if (error instanceof UnavailableError) return undefined;
        throw error;
      });
      if (outcome !== undefined) return 'code' in outcome ? this.exchange(outcome.code, pending) : outcome;
      const everyMs = options.everyMs ?? POLL_EVERY_MS;
      if (runtime.now() + everyMs > until) {
        const message = 'The sign-in was not approved in time.';
        throw new SymbolonError({ errorKey: 'sdk.wait_over', message });
      }
      await runtime.sleep(everyMs, options.signal);
    }
  }

  /**
   * Exchanges a code and reads what the person approved.
   *
   * @throws InvalidRequestError `invalid_grant`; AuthenticationError `invalid_client`, `sdk.sign_in_foreign`; DecryptionError
   */
  async exchange(code: string, pending: PendingSignIn): Promise<SignedIn> {
    const { clientId, clientSecret, redirectUri, privateKey } = this.#options;
    const secret = clientSecret === undefined ? {} : { client_secret: clientSecret };
    const tokens = jsonOf(
      await this.#transport.send(this.#base, {
        method: 'POST',
        path: '/oauth2/token',
        form: {
          grant_type: 'authorization_code',
          client_id: clientId,
          code,
          redirect_uri: redirectUri,
          code_verifier: pending.verifier,
          ...secret,
        },
      }),
    ) as SignInTokenResponse;
    const info = jsonOf(
      await this.#transport.send(
        this.#base,
        { method: 'GET', path: '/api/oauth/userinfo' },
        tokens.access_token,
      ),
    ) as UserInfo;
    const expected = {
      issuer: this.#base,
      clientId,
      nonce: pending.nonce,
      now: this.#transport.runtime.now(),
    };
    const idToken = tokens.id_token === undefined ? undefined : readIdToken(tokens.id_token, expected);
    if (idToken !== undefined && idToken.sub !== info.sub) throw foreign('The id_token has another subject.');
    const key = privateKey === undefined ? undefined : loadPrivateKey(privateKey);
    return {
      subject: info.sub,
      mode: tokens.mode,
      twoFactor: info.two_factor,
      claims: openClaims(info, key, this.#transport.runtime.now()),
      idToken,
      accessToken: tokens.access_token,
    };
  }

  #begin(request: SignInRequest, more: Readonly<Record<string, string>>): PendingSignIn {
    const { clientId, redirectUri } = this.#options;
    const mode = request.mode ?? 'oidc';
    const pending = {
      state: randomText(),
      verifier: randomText(),
      nonce: mode === 'oidc' ? randomText() : undefined,
    };
    const parameters = new URLSearchParams({ client_id: clientId, redirect_uri: redirectUri });
    if (mode === 'oidc') {
      parameters.set('response_type', 'code');
      parameters.set('scope', request.scope ?? 'openid');
      parameters.set('nonce', pending.nonce ?? '');
    } else {
      parameters.set('mode', mode);
      parameters.set('response_mode', 'redirect');
    }
    for (const [name, value] of Object.entries(more)) parameters.set(name, value);
    parameters.set('state', pending.state);
    if (mode !== '2fa_enroll') {
      parameters.set('code_challenge', challengeOf(pending.verifier));
      parameters.set('code_challenge_method', 'S256');
    }
    if (request.claims !== undefined && request.claims.length > 0) {
      parameters.set('claims', JSON.stringify(request.claims));
    }
    return { url: `${this.#base}/auth?${parameters}`, mode, ...pending };
  }

  /** What the person came back with. Only an answer to this sign-in by this platform counts (RFC 6749 10.12, RFC 9207). */
  #readCallback(callback: string | URL | URLSearchParams, pending: PendingSignIn) {
    const sent =
      callback instanceof URLSearchParams
        ? callback
        : new URL(String(callback), this.#options.redirectUri).searchParams;
    for (const name of ['code', 'state', 'iss', 'error', 'enrolled'])
      if (sent.getAll(name).length > 1) throw foreign(`The answer has ${name} twice.`);
    if (sent.get('state') !== pending.state) throw foreign('The answer is to another sign-in.');
    if (!isSameIssuer(sent.get('iss'), this.#base)) throw foreign('The answer is of another platform.');
    const error = sent.get('error');
    const description = sent.get('error_description') ?? '';
    if (error === 'access_denied') throw denied(description);
    if (error !== null) {
      const message = `The platform refused the sign-in: ${error}. ${description}`;
      throw new InvalidRequestError({ errorKey: 'sdk.sign_in_refused', message, details: { error } });
    }
    return { code: sent.get('code') ?? undefined, enrolled: sent.get('enrolled') ?? undefined };
  }
}

const denied = (text: string) =>
  new ForbiddenError({ errorKey: 'oauth.access_denied', message: text || 'The person refused.' });
const foreign = (message: string) => new AuthenticationError({ errorKey: 'sdk.sign_in_foreign', message });
