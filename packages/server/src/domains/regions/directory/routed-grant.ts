import { companyOfClientId } from '../../../access/client-ids.ts';
import { PlatformError } from '../../../core/errors.ts';
import type { GrantAnswer, Grants, TokenRequest } from '../../clients/index.ts';
import type { Core } from '../../domain.ts';
import type { Directory } from './directory.ts';
import type { Peers } from './peers.ts';
import { refusalOf } from './refusal.ts';

interface Deps extends Pick<Core, 'regions'> {
  readonly directory: Directory;
  readonly peers: Peers;
}

/**
 * Grants tokens where there are several regions: the home region of the client's company issues the token, whichever region
 * received the request (wire 5.2).
 */
export class RoutedGrant implements Grants {
  readonly #deps: Deps;
  readonly #own: Grants | undefined;

  /** @param own the grant of this process's region; a front door without a region has none */
  constructor(deps: Deps, own?: Grants) {
    this.#deps = deps;
    this.#own = own;
  }

  /** @throws {PlatformError} what `TokenGrant.grant` does, and region.unavailable */
  async grant(request: TokenRequest): Promise<GrantAnswer> {
    let refusal: PlatformError | undefined;
    if (this.#own !== undefined) {
      try {
        return await this.#own.grant(request);
      } catch (error) {
        if (!(error instanceof PlatformError) || error.key !== 'invalid_client') throw error;
        refusal = error;
      }
    }
    const asked = await this.#regionsFor(request);
    for (const region of asked) {
      const answer = await this.#deps.peers.call(
        { region },
        {
          method: 'POST',
          path: '/internal/token',
          body: {
            form: request.form.toString(),
            ...(request.basic === undefined ? {} : { basic: request.basic }),
          },
        },
      );
      if (answer.status === 200) return JSON.parse(answer.bytes.toString()) as GrantAnswer;
      refusal = refusalOf(answer);
      if (refusal.key !== 'invalid_client') break;
    }
    throw refusal ?? new PlatformError('invalid_client');
  }

  /** The home of the client's company; all regions for a client id that does not contain its company. */
  async #regionsFor({ form, basic }: TokenRequest): Promise<readonly string[]> {
    const company = companyOfClientId(basic?.clientId ?? form.get('client_id') ?? '');
    const home =
      company === undefined ? undefined : await this.#deps.directory.homeOf({ kind: 'company', id: company });
    const regions = home === undefined ? this.#deps.regions.names : [home];
    return this.#own === undefined ? regions : regions.filter((region) => region !== this.#deps.regions.own);
  }
}
