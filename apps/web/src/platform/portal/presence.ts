import type { LoginParameters } from '@symbolon/protocol';
import { onDevice } from '../device.ts';
import { secondMembers } from '../presence.ts';
import type { Prover } from '../prover.ts';
import { portalCall } from './inner/api.ts';
import type { PortalSignedIn } from './session.ts';

const PATH = '/api/account/2fa/presence';

/** Proves the presence of a login of the portal. */
export const proverOf = ({ login: { email } }: PortalSignedIn): Prover => ({
  email: () => email,
  options: (act) => portalCall('POST', PATH, { act }),
  mailCode: (act) => portalCall('POST', `${PATH}/mailed-code`, { act }),
  async byPassword(password, second) {
    const parameters = await portalCall<LoginParameters>('POST', '/api/portal/login/parameters', { email });
    const { loginSecret } = await onDevice('loginSecret', { parameters, password });
    return { kind: 'password', login_secret: loginSecret, ...(second && secondMembers(second)) };
  },
});
