import type { MailedTicket } from '@symbolon/protocol';
import { AuthenticationError } from '../http/errors.ts';
import type { Transport } from '../http/transport.ts';
import { type FromHome, postHome } from './home-call.ts';

/**
 * Asks the person for the code that was mailed. It is asked again, up to five times, while the code is wrong; `attempt`
 * counts from 1.
 */
export type AskCode = (attempt: number) => Promise<string>;

/**
 * Registers in two calls: the first takes the address alone, the second has the ticket, the mailed code and the account,
 * which is made meanwhile. Without `code` it is one call, which only closed installations take.
 *
 * @throws ForbiddenError `account.confirmation_required` without `code` where the platform mails one; AuthenticationError
 * `account.code_invalid`
 */
export async function registerAccount<Session>(
  transport: Transport,
  base: string,
  path: string,
  { email, account, code }: { email: string; account: Promise<object>; code?: AskCode | undefined },
): Promise<FromHome<Session>> {
  // A failure while the code is asked for is reported when the account is awaited.
  account.catch(() => undefined);
  if (code === undefined) return postHome(transport, base, path, { email, account: await account });
  const first = await postHome<MailedTicket>(transport, base, path, { email });
  const { ticket } = first.body;
  return withCode(code, async (text) =>
    postHome<Session>(transport, first.base, `${path}/confirm`, {
      ticket,
      code: text,
      account: await account,
    }),
  );
}

/** Asks for the code and tries it. A wrong one is asked for again, because a new mail takes ten minutes. */
export async function withCode<T>(ask: AskCode, send: (code: string) => Promise<T>): Promise<T> {
  let last: string | undefined;
  for (let attempt = 1; ; attempt++) {
    const code = (await ask(attempt)).replace(/\s/g, '');
    try {
      return await send(code);
    } catch (error) {
      const isWrong = error instanceof AuthenticationError && error.errorKey === 'account.code_invalid';
      if (!isWrong || attempt === ATTEMPTS || code === last) throw error;
      last = code;
    }
  }
}

/** As many as the platform allows for one ticket. */
const ATTEMPTS = 5;
