import type { Wrapper } from '@symbolon/crypto';
import { fingerprint } from '@symbolon/crypto';
import type { OpenedRecoveryKey, PresenceProof, RecoveryCopy, RecoveryKeyHolder } from '@symbolon/protocol';
import { onDevice } from '../device.ts';
import { secondMember } from '../presence.ts';
import type { Query } from '../queries.ts';
import { proofMembers } from '../sign-in-means.ts';
import { portalCall } from './inner/api.ts';
import { portalKeys } from './keys.ts';
import { unwrapping } from './login-key.ts';
import { knownRecoveryKey } from './recovery-key.ts';
import type { PortalSignedIn } from './session.ts';

const ADDRESS = '/api/account/recovery-key';

/** Who of the company may open its recovery key. */
export const holdersQuery: Query<readonly RecoveryKeyHolder[]> = {
  key: portalKeys.recoveryKeyHolders,
  read: async () => (await portalCall<{ items: RecoveryKeyHolder[] }>('GET', `${ADDRESS}/holders`)).items,
};

/** The secrets that are sealed to the recovery key. For admins. */
export const recoveryCopiesQuery: Query<readonly RecoveryCopy[]> = {
  key: portalKeys.recoveryCopies,
  read: async () =>
    (await portalCall<{ items: RecoveryCopy[] }>('GET', '/api/account/recovery-copies')).items,
};

/** What a login types to open its own key, with a code where the platform has asked for one. */
export interface Typed {
  readonly password: string;
  readonly code: string | undefined;
}

/** The copy that this login has, and what opens it. The platform notes each time that it was given out. */
async function heldCopy(session: PortalSignedIn, { password, code }: Typed) {
  const { loginSecret, wrapping } = await unwrapping(session, password);
  const proof = { login_secret: loginSecret, ...(code !== undefined && secondMember(code)) };
  const held = await portalCall<OpenedRecoveryKey>('POST', `${ADDRESS}/open`, proof);
  return { proof, copy: { ...wrapping, held, confirmed: knownRecoveryKey(session.company.company_user_id) } };
}

/**
 * Opens one secret, with the recovery key, which the key of the login opens.
 * @throws SymbolonError `account.recovery_key_not_shared`, `sdk.recovery_key_changed`, `sdk.recovery_key_damaged`,
 *   `page.recovery_copy_unreadable`
 */
export async function openRecoveryCopy(
  session: PortalSignedIn,
  { sealed }: RecoveryCopy,
  typed: Typed,
): Promise<string> {
  const { copy } = await heldCopy(session, typed);
  return onDevice('openRecoveryCopy', { ...copy, sealed });
}

/** A login that may get a copy: it has a key. */
export type ReadyHolder = RecoveryKeyHolder & { readonly public_key: string };

/** The recovery key, sealed for another login. */
export interface SealedShare {
  readonly loginId: string;
  readonly publicKey: string;
  readonly sealed: Wrapper;
}

/** What the proof is for, with which another login gets its copy. */
export const shareAct = (loginId: string): string => `PUT ${ADDRESS}/holders/${loginId}`;

/**
 * Seals the recovery key for another login, whose words were compared, and sends it.
 * @returns what is still to be sent with a proof of its own: a code is good for one use
 * @throws SymbolonError `account.recovery_key_holder_changed` and those of `openRecoveryCopy`
 */
export async function giveRecoveryKey(
  session: PortalSignedIn,
  { login_id: loginId, public_key: publicKey }: ReadyHolder,
  typed: Typed,
): Promise<SealedShare | undefined> {
  const { proof, copy } = await heldCopy(session, typed);
  const share = { loginId, publicKey, sealed: await onDevice('shareRecoveryKey', { ...copy, publicKey }) };
  if (typed.code !== undefined) return share;
  await sendShare(share, { kind: 'password', ...proof });
  return undefined;
}

export async function sendShare(
  { loginId, publicKey, sealed }: SealedShare,
  proof: PresenceProof,
): Promise<void> {
  const json = {
    ...proofMembers(proof),
    public_key_sha256: await fingerprint(publicKey),
    sealed,
  };
  await portalCall('PUT', `${ADDRESS}/holders/${loginId}`, json);
}

/** The key of this login in words, whatever the platform says of it. @throws SymbolonError `sdk.password_wrong` */
export async function ownWords(session: PortalSignedIn, password: string): Promise<string> {
  return onDevice('ownWords', (await unwrapping(session, password)).wrapping);
}
