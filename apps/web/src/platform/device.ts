import type { DeviceActs } from './device.worker.ts';
import { actsOf } from './worker-acts.ts';

export type { DeviceKeys } from './device.worker.ts';

/**
 * Does something with keys beside the page.
 *
 * @throws SymbolonError with the key of the failure, as `sdk.password_weak` or `crypto.passphrase_wrong`
 */
export const onDevice = actsOf<DeviceActs>(
  () => new Worker(new URL('./device.worker.ts', import.meta.url), { type: 'module' }),
);
