import type { Presence, PresenceOptions } from '@symbolon/protocol';
import type { GivenProof, PresenceElsewhere } from '../../../access/presence.ts';
import type { Peers } from '../directory/peers.ts';
import { refusalOf } from '../directory/refusal.ts';

interface Deps {
  readonly peers: Pick<Peers, 'call'>;
}

/** Has proofs of presence checked by the home of the person. */
export class RemotePresence implements PresenceElsewhere {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  check(region: string, personId: string, given: GivenProof): Promise<Presence> {
    return this.#ask(region, `/internal/people/${personId}/presence/check`, given);
  }

  options(region: string, personId: string, act: string): Promise<PresenceOptions> {
    return this.#ask(region, `/internal/people/${personId}/presence/options`, { act });
  }

  async #ask<T>(region: string, path: string, body: object): Promise<T> {
    const answer = await this.#deps.peers.call({ region }, { method: 'POST', path, body });
    if (answer.status !== 200) throw refusalOf(answer);
    return JSON.parse(answer.bytes.toString()) as T;
  }
}
