import { checkedUrl } from '../data/options.ts';
import { type ClientCredentials, TokenSource } from '../data/token-source.ts';
import { Api } from '../http/api.ts';
import { checkedBase, SignedInSession } from '../http/signed-in-session.ts';
import { type Answer, type Call, Transport, type TransportOptions } from '../http/transport.ts';

/**
 * Any call of the API, for what the other clients have no method for: with their tokens, region moves, retries and errors.
 *
 * @example
 * const api = ApiClient.ofClient({ url: 'https://symbolon.example', clientId, clientSecret });
 * const { items } = await api.json<{ items: unknown[] }>({ method: 'GET', path: '/api/services' });
 */
export class ApiClient {
  readonly #api: Api;

  private constructor(api: Api) {
    this.#api = api;
  }

  /** As a registered client: `svc_…` or `acct_…`. @throws ConfigurationError `sdk.configuration` */
  static ofClient(options: TransportOptions & ClientCredentials & { url: string }): ApiClient {
    const transport = new Transport(options);
    return new ApiClient(new Api(transport, new TokenSource(transport, checkedUrl(options.url), options)));
  }

  /** With a token that is there already: of a session, for example. @throws ConfigurationError `sdk.configuration` */
  static ofToken(options: TransportOptions & { baseUrl: string; token: string }): ApiClient {
    const session = new SignedInSession(checkedBase(options.baseUrl), options.token);
    return new ApiClient(new Api(new Transport(options), session));
  }

  /** The JSON of the answer; `undefined` when it has no body. @throws SymbolonError */
  json<T>(call: Call): Promise<T> {
    return this.#api.json<T>(call);
  }

  /** The answer with its headers and bytes, for what is no JSON. @throws SymbolonError */
  send(call: Call): Promise<Answer> {
    return this.#api.send(call);
  }
}
