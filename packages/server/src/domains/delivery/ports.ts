import type { PersonSignal } from '../../events/person-signals.ts';

/** Tells the home of a person who is at home in another region. */
export interface SignalsElsewhere {
  /** @throws {PlatformError} region.unavailable */
  tell(region: string, personId: string, signal: PersonSignal): Promise<void>;
}

export const noSignalsElsewhere: SignalsElsewhere = { async tell() {} };
