import type { SignInTokenResponse, TokenResponse } from '@symbolon/protocol';
import { clientIdPrefix, limits } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import type { Core } from '../../domain.ts';
import type { Maintenance } from '../../operations/index.ts';
import type { Clients } from '../data-clients/clients.ts';
import type { SignInApp, SignInApps } from '../oauth-apps/sign-in-apps.ts';
import type { ClientUses } from '../uses/uses.ts';

/** What came in at the token route: form parameters, and credentials from HTTP Basic if they came that way. */
export interface TokenRequest {
  readonly form: URLSearchParams;
  readonly basic: { readonly clientId: string; readonly secret: string } | undefined;
  /** The Host header of the call; missing when another process sent it on. */
  readonly host?: string | undefined;
}

/** What the token route answers: a machine's token, or those of a sign-in. */
export type GrantAnswer = TokenResponse | SignInTokenResponse;

/** Answers token requests. */
export interface Grants {
  grant(request: TokenRequest): Promise<GrantAnswer>;
}

/** What a sign-in app sends with a code. */
export interface CodeExchange {
  readonly code: string;
  readonly redirectUri: string | undefined;
  readonly codeVerifier: string | undefined;
  readonly host: string | undefined;
  /** Whether nothing may be saved at the moment; codes are exchanged all the same. */
  readonly savingPaused: boolean;
}

/** Exchanges the codes of sign-ins, for the domain that mints them. */
export interface CodeGrants {
  /**
   * @param app that has proved itself by its secret, if it has one
   * @throws {PlatformError} invalid_grant, rate_limit.exceeded
   */
  exchange(app: SignInApp, request: CodeExchange): Promise<SignInTokenResponse>;
}

/** Decides where a token request is answered. */
export type GrantRouter = (own: Grants) => Grants;

/** With one region every request is answered here. */
export const localGrants: GrantRouter = (own) => own;

/** Grants that exist, but never for registered clients (wire 5.1). */
const REFUSED_GRANTS: ReadonlySet<string> = new Set(['authorization_code', 'refresh_token']);

interface Deps extends Pick<Core, 'tokens' | 'urlFor'> {
  readonly clients: Clients;
  readonly signInApps: SignInApps;
  readonly codeGrants: CodeGrants;
  readonly uses: ClientUses;
  readonly maintenance: Pick<Maintenance, 'admitGrant' | 'workPaused'>;
}

/** `client_credentials` for data and account clients, `authorization_code` for sign-in apps (wire 5.1, RFC 6749 4.1.3, 4.4). */
export class TokenGrant implements Grants {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * @throws {PlatformError} invalid_request, invalid_client, invalid_grant, unauthorized_client, unsupported_grant_type,
   *   platform.out_of_order, rate_limit.exceeded
   */
  async grant({ form, basic, host }: TokenRequest): Promise<GrantAnswer> {
    this.#deps.maintenance.admitGrant(form.get('grant_type') ?? undefined);
    const sent = parametersOf(form);
    const grantType = sent.grant_type;
    if (!grantType) throw invalid('The parameter grant_type is missing.');
    const clientId = basic?.clientId ?? sent.client_id;
    if (!clientId) throw invalid('The parameter client_id is missing.');
    if (basic !== undefined && sent.client_secret !== undefined) {
      throw invalid('Send the credentials in the Authorization header or in the form, not both.');
    }
    if (basic !== undefined && sent.client_id !== undefined && sent.client_id !== basic.clientId) {
      throw invalid('The Authorization header and the form name different clients.');
    }
    const secret = basic?.secret ?? sent.client_secret;
    if (clientId.startsWith(clientIdPrefix.app))
      return this.#ofApp(grantType, { clientId, secret }, sent, host);
    if (REFUSED_GRANTS.has(grantType)) {
      throw new PlatformError(
        (await this.#deps.clients.exists(clientId)) ? 'unauthorized_client' : 'invalid_client',
      );
    }
    if (grantType !== 'client_credentials') throw new PlatformError('unsupported_grant_type');
    if (!secret) throw invalid('The parameter client_secret is missing.');

    const client = await this.#deps.clients.authenticate(clientId, secret);
    await this.#deps.uses.note(clientId);
    return {
      token_type: 'Bearer',
      expires_in: limits.accessTokenSeconds,
      access_token: this.#deps.tokens.mint('client', client.clientId, client.epoch),
      api_url: this.#deps.urlFor(host),
    };
  }

  /** The secret is looked at before the code: a wrong one uses nothing up. */
  async #ofApp(
    grantType: string,
    { clientId, secret }: { clientId: string; secret: string | undefined },
    sent: Readonly<Parameters>,
    host: string | undefined,
  ): Promise<SignInTokenResponse> {
    if (grantType === 'client_credentials') {
      throw new PlatformError('unauthorized_client', {
        text: 'A sign-in app may not use the client_credentials grant.',
      });
    }
    if (grantType !== 'authorization_code') throw new PlatformError('unsupported_grant_type');
    if (!sent.code) throw invalid('The parameter code is missing.');
    // Some libraries send the member without a value for an app that has no secret.
    const app = await this.#deps.signInApps.authenticate(clientId, secret === '' ? undefined : secret);
    const answer = await this.#deps.codeGrants.exchange(app, {
      code: sent.code,
      redirectUri: sent.redirect_uri,
      codeVerifier: sent.code_verifier,
      host,
      savingPaused: this.#deps.maintenance.workPaused,
    });
    await this.#deps.uses.note(clientId);
    return answer;
  }
}

const PARAMETERS = [
  'grant_type',
  'client_id',
  'client_secret',
  'scope',
  'code',
  'redirect_uri',
  'code_verifier',
] as const;

type Parameters = { [Name in (typeof PARAMETERS)[number]]?: string | undefined };

/**
 * The parameters that count; each may stand once (RFC 6749 3.2).
 * @throws {PlatformError} invalid_request
 */
function parametersOf(form: URLSearchParams): Readonly<Parameters> {
  const sent: Parameters = {};
  for (const [given, value] of form) {
    const name = PARAMETERS.find((known) => known === given);
    if (name === undefined) continue;
    if (name in sent) throw invalid(`The parameter ${name} is repeated.`);
    sent[name] = value;
  }
  return sent;
}

function invalid(text: string): PlatformError {
  return new PlatformError('invalid_request', { text });
}
