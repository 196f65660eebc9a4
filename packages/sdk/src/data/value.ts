import type { TypedValue } from '../values/typed-value.ts';
import type { BinaryHandle } from './binary-handle.ts';

/** A value that was not opened: the client has no key, or `decrypt` is false. */
export class SealedValue {
  /** The wrapper as JSON text (wire 2.3). */
  readonly wrapper: string;

  constructor(wrapper: string) {
    this.wrapper = wrapper;
  }
}

/** One answer, addressed by the service's own slug (wire 2.5). */
export type Value = {
  /** `null` when unanswered, or when `unreadable`. */
  value: TypedValue | BinaryHandle | SealedValue | null;
  /** True follows the person's field, false is a one-time snapshot. */
  live: boolean;
  updatedAt: string | null;
  /**
   * Computed from the opened value. False means not attested or expired; it does not mean that the value is wrong. For a
   * file it is computed when the file is opened.
   */
  verified: boolean;
  verifiedAt: string | null;
  verifiedExpiresAt: string | null;
  /** Such as `email_code`. */
  verifiedMethod: string | null;
  verifiedProvider: string | null;
  verificationId: string | null;
  /** An answer exists, but the configured key does not open it. */
  unreadable: boolean;
};

/** Answers by slug. Has no prototype: `constructor` is a legal slug. Unanswered rows are there with a null value. */
export type Values = Readonly<Record<string, Value>>;

export type Connection = {
  id: string;
  personId: string;
  displayName: string;
  connectedAt: string;
  customerType: 'person' | 'company';
  shareCode: string | null;
  values: Values;
  /** For each answered slug: is the person's source field private? */
  valuesPrivate: Readonly<Record<string, boolean>>;
  /** Slugs published since, still unanswered. */
  pendingConsent: readonly string[];
};

/** An entry of the service's log. */
export type Log = {
  id: string;
  type: string;
  message: string;
  metadata: Readonly<Record<string, unknown>>;
  at: string;
};
