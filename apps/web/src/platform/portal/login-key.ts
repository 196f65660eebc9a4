import type { LoginParameters } from '@symbolon/protocol';
import { SymbolonError } from '@symbolon/sdk/device';
import { onDevice } from '../device.ts';
import { portalCall } from './inner/api.ts';
import { keptLoginKey } from './inner/kept-key.ts';
import type { PortalSignedIn } from './session.ts';

/** What opens the private key, for as long as one act takes. @throws SymbolonError `page.password_session` */
export async function unwrapping({ login: { id, email } }: PortalSignedIn, password: string) {
  const wrapped = await keptLoginKey(id);
  if (wrapped === undefined)
    throw new SymbolonError({
      errorKey: 'page.password_session',
      message: 'Sign in with the password first.',
    });
  const parameters = await portalCall<LoginParameters>('POST', '/api/portal/login/parameters', { email });
  const { loginSecret, wrapKey } = await onDevice('loginSecret', { parameters, password });
  return { loginSecret, wrapping: { wrapped, wrapKey } };
}
