import type { Mail } from '../../../core/mail.ts';

export function accountDeleted(to: string): Mail {
  return {
    to,
    subject: 'Your account is deleted',
    text: `Your Symbolon account is deleted. All devices are signed out. Your connections end now, and the services that you shared
with are told. Your fields, keys and passkeys are deleted. Nobody can bring them back, and we cannot either.

You can register again with this address. That makes a new account, with a new share code.
`,
  };
}
