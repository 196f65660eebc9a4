import type { MailedTicket, PortalAccount, PortalCookieSession } from '@symbolon/protocol';
import { onDevice } from '../device.ts';
import { isOneStep } from '../session.ts';
import { portalCall } from './inner/api.ts';
import { rememberRecoveryKey } from './recovery-key.ts';
import { enterPortal } from './session.ts';

type MadeCompany = Awaited<ReturnType<typeof makeCompany>>;
/** A company that is being registered: with its keys, unless the page was loaded again since the code was mailed. */
export type CompanyRegistration = {
  ticket: string;
  email: string;
  name: string;
  made?: MadeCompany | undefined;
};
export type RegisteredCompany = { recoveryCode: string; finish: () => Promise<void> };

const BY_COOKIE = { session: 'cookie' } as const;

const makeCompany = (password: string, about: readonly string[]) =>
  onDevice('newCompany', { password, about });

/** The first step: a code is mailed. Where the operator takes both steps in one, the company is there already. */
export async function startCompany(input: {
  email: string;
  name: string;
  password: string;
}): Promise<CompanyRegistration | RegisteredCompany> {
  const { email, name, password } = input;
  // A weak password is refused before a code is mailed.
  const made = await makeCompany(password, [email, name]);
  const path = '/api/portal/register';
  if (isOneStep()) {
    const account = accountOf(made, name);
    return registered(await portalCall('POST', path, { ...BY_COOKIE, email, account }), made);
  }
  const { ticket } = await portalCall<MailedTicket>('POST', path, { email });
  return { ticket, email, name, made };
}

/** The second step. @param password for the keys, where they have to be made again */
export async function confirmCompany(
  begun: CompanyRegistration,
  code: string,
  password: string,
): Promise<RegisteredCompany> {
  const { ticket, email, name, made = await makeCompany(password, [email, name]) } = begun;
  const body = { ...BY_COOKIE, ticket, code: code.replace(/\s/g, ''), account: accountOf(made, name) };
  return registered(await portalCall('POST', '/api/portal/register/confirm', body), made);
}

const accountOf = ({ publicKey, credentials, recoveryKey }: MadeCompany, name: string): PortalAccount => ({
  name,
  key: { public_key: publicKey },
  ...credentials,
  recovery_key: recoveryKey,
});

/** The recovery code is shown before the login is let in by `finish`. */
function registered(opened: PortalCookieSession, { recoveryCode, sha256 }: MadeCompany): RegisteredCompany {
  rememberRecoveryKey(opened.company.company_user_id, sha256);
  return { recoveryCode, finish: () => enterPortal(opened) };
}
