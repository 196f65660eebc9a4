import { fingerprint } from '@symbolon/crypto';
import type { RecoveryKeyView } from '@symbolon/protocol';
import { settings } from '../../text/settings.ts';
import { onDevice } from '../device.ts';
import type { Query } from '../queries.ts';
import { portalCall } from './inner/api.ts';
import { portalKeys } from './keys.ts';

/** By company: the fingerprint of the recovery key that this browser made or a person confirmed. */
const STORED = 'symbolon-recovery-keys';

/** The key that secrets of the company are sealed to beside their files, with its own fingerprint, whatever the platform says of it. */
export const recoveryKeyQuery: Query<RecoveryKeyView> = {
  key: portalKeys.recoveryKey,
  read: async () => {
    const key = await portalCall<RecoveryKeyView>('GET', '/api/account/recovery-key');
    return { ...key, public_key_sha256: await fingerprint(key.public_key) };
  },
};

/** A key in words that people can compare. */
export const wordsQuery = (sha256: string): Query<string> => ({
  key: portalKeys.keyWords(sha256),
  read: () => onDevice('words', { sha256 }),
});

/** The fingerprint that this browser trusts, where it trusts one. */
export function knownRecoveryKey(companyId: string): string | undefined {
  return remembered()[companyId];
}

export function rememberRecoveryKey(companyId: string, sha256: string): void {
  settings.keep(STORED, JSON.stringify({ ...remembered(), [companyId]: sha256 }));
}

function remembered(): Readonly<Record<string, string>> {
  try {
    return JSON.parse(settings.read(STORED) ?? '{}');
  } catch {
    return {};
  }
}
