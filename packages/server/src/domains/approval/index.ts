import { type Core, combine } from '../domain.ts';

/** What people approve: logins of services that they enrolled with, and sign-ins at apps. */
export function createApproval(_core: Core, _needs: object) {
  return { domain: combine() };
}
