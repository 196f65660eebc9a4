/** How delivering webhooks is timed, in milliseconds. A test that must wait in real time shortens it. */
export interface WebhookPace {
  /** Between a failure and the next probe (wire 3.3, 8). */
  readonly probePauseMs: number;
  /** Between two scans for due queues: those of due probes and of dead processes get no signal. */
  readonly scanMs: number;
  /** One POST, from connecting to the last byte of the answer. */
  readonly postTimeoutMs: number;
  /** A test, with the look-up of its host: its call is answered in time, also when the endpoint hangs. */
  readonly testMostMs: number;
  /** A holder that is not heard of for this long has lost its leases. */
  readonly leaseMs: number;
  readonly leaseRenewMs: number;
  /** A holder stops sending this long before its lease could pass to another process. */
  readonly leaseMarginMs: number;
}

export const webhookPace: WebhookPace = {
  probePauseMs: 10 * 60_000,
  scanMs: 2000,
  postTimeoutMs: 10_000,
  testMostMs: 7000,
  leaseMs: 6000,
  leaseRenewMs: 1500,
  leaseMarginMs: 2000,
};
