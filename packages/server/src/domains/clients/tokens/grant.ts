import type { TokenResponse } from '@symbolon/protocol';
import { clientIdPrefix, limits } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import type { Core } from '../../domain.ts';
import type { Maintenance } from '../../operations/index.ts';
import type { Clients } from '../data-clients/index.ts';

/** What came in at the token route: form parameters, and credentials from HTTP Basic if they came that way. */
export interface TokenRequest {
  readonly form: URLSearchParams;
  readonly basic: { readonly clientId: string; readonly secret: string } | undefined;
  /** The Host header of the call; missing when another process sent it on. */
  readonly host?: string | undefined;
}

/** Answers token requests. */
export interface Grants {
  grant(request: TokenRequest): Promise<TokenResponse>;
}

/** Decides where a token request is answered. */
export type GrantRouter = (own: Grants) => Grants;

/** With one region every request is answered here. */
export const localGrants: GrantRouter = (own) => own;

/** Grants that exist, but never for registered clients (wire 5.1). */
const REFUSED_GRANTS: ReadonlySet<string> = new Set(['authorization_code', 'refresh_token']);

interface Deps extends Pick<Core, 'tokens' | 'urlFor'> {
  readonly clients: Clients;
  readonly maintenance: Pick<Maintenance, 'admitGrant'>;
}

/** The `client_credentials` grant (wire 5.1, RFC 6749 4.4). */
export class TokenGrant implements Grants {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * @throws {PlatformError} invalid_request, invalid_client, unauthorized_client, unsupported_grant_type,
   *   platform.out_of_order
   */
  async grant({ form, basic, host }: TokenRequest): Promise<TokenResponse> {
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
    if (clientId.startsWith(clientIdPrefix.app)) throw refusalOfApp(grantType);
    if (REFUSED_GRANTS.has(grantType)) {
      throw new PlatformError(
        (await this.#deps.clients.exists(clientId)) ? 'unauthorized_client' : 'invalid_client',
      );
    }
    if (grantType !== 'client_credentials') throw new PlatformError('unsupported_grant_type');
    const secret = basic?.secret ?? sent.client_secret;
    if (!secret) throw invalid('The parameter client_secret is missing.');

    const client = await this.#deps.clients.authenticate(clientId, secret);
    return {
      token_type: 'Bearer',
      expires_in: limits.accessTokenSeconds,
      access_token: this.#deps.tokens.mint('client', client.clientId, client.epoch),
      api_url: this.#deps.urlFor(host),
    };
  }
}

/** Sign-in apps cannot use the client_credentials grant, and the platform does not issue codes for them yet. */
function refusalOfApp(grantType: string): PlatformError {
  return grantType === 'client_credentials'
    ? new PlatformError('unauthorized_client', {
        text: 'A sign-in app may not use the client_credentials grant.',
      })
    : new PlatformError('unsupported_grant_type', {
        text: 'This platform does not exchange the codes of sign-in apps.',
      });
}

interface Parameters {
  grant_type: string | undefined;
  client_id: string | undefined;
  client_secret: string | undefined;
  scope: string | undefined;
}

/**
 * The parameters that count; each may stand once (RFC 6749 3.2).
 * @throws {PlatformError} invalid_request
 */
function parametersOf(form: URLSearchParams): Parameters {
  const sent: Parameters = {
    grant_type: undefined,
    client_id: undefined,
    client_secret: undefined,
    scope: undefined,
  };
  for (const [name, value] of form) {
    if (name !== 'grant_type' && name !== 'client_id' && name !== 'client_secret' && name !== 'scope')
      continue;
    if (sent[name] !== undefined) throw invalid(`The parameter ${name} is repeated.`);
    sent[name] = value;
  }
  return sent;
}

function invalid(text: string): PlatformError {
  return new PlatformError('invalid_request', { text });
}
