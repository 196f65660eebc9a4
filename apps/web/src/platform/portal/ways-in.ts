import type {
  AcceptInvitationRequest,
  Invitation,
  PortalCookieSession,
  RecoverRequest,
} from '@symbolon/protocol';
import { onDevice } from '../device.ts';
import type { Query } from '../queries.ts';
import { byRecoveryCode } from '../recovered.ts';
import type { SecondStep } from '../session.ts';
import { portalCall } from './inner/api.ts';
import { portalKeys } from './keys.ts';
import { enterPortal, signInToPortal } from './session.ts';

/** A login that has a recovery code to keep before it goes on. */
export interface MadeLogin {
  readonly recoveryCode: string;
  /** @returns the second step, where the login has a second factor */
  readonly finish: () => Promise<SecondStep | undefined>;
}

/** Whom an invitation is for. @param token of the mailed link */
export const invitationQuery = (token: string): Query<Invitation> => ({
  key: portalKeys.invitation(token),
  read: () => portalCall('POST', '/api/portal/invitation', { token }),
});

/** Makes the login of an invited person. */
export async function acceptInvitation(
  token: string,
  { email, company_name: company }: Invitation,
  { name, password }: { name: string; password: string },
): Promise<MadeLogin> {
  const made = await onDevice('newLogin', { password, about: [email, name, company] });
  const json: AcceptInvitationRequest = {
    ...{ session: 'cookie', token, name },
    key: { public_key: made.publicKey },
    ...made.credentials,
  };
  const opened = await portalCall<PortalCookieSession>('POST', '/api/portal/invitation/accept', json);
  return {
    recoveryCode: made.recoveryCode,
    finish: async () => {
      await enterPortal(opened);
      return undefined;
    },
  };
}

/** Sets a new password of a login by its recovery code, which is void then. All sessions of the login end. */
export async function recoverLogin(input: {
  email: string;
  recoveryCode: string;
  password: string;
}): Promise<MadeLogin> {
  const { email, password, recoveryCode: code } = input;
  const opened = await byRecoveryCode(portalCall, '/api/portal/recover/key', { email, code });
  const { wrapped, wrapKey, proof } = opened;
  const made = await onDevice('newCredentials', { wrapped, wrapKey, password, about: [email] });
  const json: RecoverRequest = { ...proof, ...made.credentials };
  await portalCall('POST', '/api/portal/recover', json);
  return { recoveryCode: made.recoveryCode, finish: () => signInToPortal(email, password) };
}
