import type { DeviceActs } from './inner/device.worker.ts';
import { actsOf } from './inner/worker-acts.ts';

export type { DeviceKeys } from './inner/device.worker.ts';

/**
 * Does something with keys beside the page.
 *
 * @throws SymbolonError with the key of the failure, as `sdk.password_weak` or `crypto.passphrase_wrong`
 */
export const onDevice = actsOf<DeviceActs>(
  () => new Worker(new URL('./inner/device.worker.ts', import.meta.url), { type: 'module' }),
);
