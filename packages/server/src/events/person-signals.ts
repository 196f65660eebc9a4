import type { PersonSignalKind } from '@symbolon/protocol';

/** The signals to a person's devices. */
export interface PersonSignal {
  readonly kind: PersonSignalKind;
  /** Of what it is about, which the device then reads. */
  readonly id: string;
  /** Whether devices that are asleep are woken: their notification says only that someone asks. */
  readonly push?: boolean;
}

/** Tells the devices of people that something is to be read. A signal may be lost: pages also look by themselves. */
export interface PersonSignals {
  /**
   * Returns at once and never fails. Call it after the commit of what it is about, never inside a transaction.
   * @param home the region in which the person is at home, null for this one; it is looked up when it is not said
   */
  tell(personId: string, signal: PersonSignal, home?: string | null): void;
  /** The same for many people, with fewer messages between processes. */
  tellAll(signals: readonly { personId: string; signal: PersonSignal; home: string | null }[]): void;
}
