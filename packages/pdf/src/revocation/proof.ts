/** What an authority says of one certificate. */
export interface Proof {
  readonly kind: 'crl' | 'ocsp';
  readonly der: Uint8Array;
  /** Milliseconds: as long as it may be used. */
  readonly until: number;
  readonly revoked: boolean;
}
