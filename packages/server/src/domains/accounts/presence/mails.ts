import type { Mail } from '../../../core/mail.ts';

/** @param act what the code approves, in words */
export function presenceCode(to: string, code: string, act: string, minutes: number): Mail {
  return {
    to,
    subject: `${code} is your confirmation code`,
    code,
    text: `${code} is for ${act}.

It approves this alone, in Symbolon.

Enter it within ${minutes} minutes. Keep it to yourself: we never ask for it.

You are not doing this just now? Then somebody knows your password: change it at once.
`,
  };
}
