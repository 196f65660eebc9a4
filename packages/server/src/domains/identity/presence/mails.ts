import type { Mail } from '../../../core/mail.ts';

export function presenceCode(to: string, code: string, minutes: number): Mail {
  return {
    to,
    subject: `${code} is your confirmation code`,
    text: `${code} confirms what you are just doing in Symbolon.

Enter it within ${minutes} minutes. Keep it to yourself: we never ask for it.

You are not doing anything just now? Then somebody knows your password: change it at once.
`,
  };
}
