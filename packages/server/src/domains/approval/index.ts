import { type Core, combine } from '../domain.ts';
import { createSignInTokens } from './tokens/index.ts';

/** What people approve: logins of services that they enrolled with, and sign-ins at apps. */
export function createApproval(core: Core, _needs: object) {
  const tokens = createSignInTokens(core);
  return { ...tokens, domain: combine(tokens.domain) };
}
