import type { Core } from '../../domain.ts';
import type { Directory, Home, Name, Owner } from './directory.ts';
import type { Peers } from './peers.ts';

interface Deps extends Pick<Core, 'log'> {
  readonly peers: Peers;
}

/** The directory, called over the network. */
export class RemoteDirectory implements Directory {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async claim(owner: Owner, names: readonly Name[]): Promise<readonly Name[]> {
    const { taken } = await this.#ask<{ taken: Name[] }>('claim', { owner, names });
    return taken;
  }

  async confirm(owner: Owner, names: readonly Name[]): Promise<void> {
    await this.#tell('confirm', { owner, names });
  }

  async release(owner: Owner, names?: readonly Name[]): Promise<void> {
    await this.#tell('release', { owner, ...(names === undefined ? {} : { names }) });
  }

  async find(name: Name): Promise<Home | undefined> {
    const { home } = await this.#ask<{ home: Home | null }>('find', { name });
    return home ?? undefined;
  }

  async homeOf(owner: Owner): Promise<string | undefined> {
    const { region } = await this.#ask<{ region: string | null }>('home', { owner });
    return region ?? undefined;
  }

  async move(companyId: string, change: { from: string; to: string }): Promise<string | undefined> {
    const { region } = await this.#ask<{ region: string | null }>('move', {
      company_id: companyId,
      ...change,
    });
    return region ?? undefined;
  }

  async #tell(
    act: 'confirm' | 'release',
    body: { readonly owner: Owner; readonly names?: readonly Name[] },
  ): Promise<void> {
    await this.#ask(act, body).catch((error: unknown) =>
      this.#deps.log.warn(
        { err: error, act, owner: body.owner },
        'directory unreachable: names were not sent to it',
      ),
    );
  }

  #ask<T>(act: string, body: unknown): Promise<T> {
    return this.#deps.peers.ask<T>('front-door', {
      method: 'POST',
      path: `/internal/directory/${act}`,
      body,
    });
  }
}
