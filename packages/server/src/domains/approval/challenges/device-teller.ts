import type { Core } from '../../domain.ts';
import type { DeviceSignals, Signal } from '../ports.ts';

interface Deps extends Pick<Core, 'log'> {
  readonly signals: DeviceSignals;
}

/** Has a person's devices show and close cards. A signal that fails is no failure of the act: devices also ask. */
export class DeviceTeller {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async tellAsked(personId: string, id: string): Promise<void> {
    await this.#tell(personId, { kind: 'two_factor_challenge', id, push: true });
  }

  async tellClosed(personId: string, ids: readonly string[]): Promise<void> {
    for (const id of ids) await this.#tell(personId, { kind: 'two_factor_challenge_closed', id });
  }

  async #tell(personId: string, signal: Signal): Promise<void> {
    try {
      await this.#deps.signals.tell(personId, signal);
    } catch (error) {
      this.#deps.log.warn({ err: error, kind: signal.kind }, "telling a person's devices failed");
    }
  }
}
