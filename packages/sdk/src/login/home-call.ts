import { sendHome } from '../http/home.ts';
import { jsonOf, type Transport } from '../http/transport.ts';

/** The public routes of logins have the same names for people and for the portal. */
export type LoginArea = '/api/person' | '/api/portal';

/** A response, and the base URL of the account's home region, which gave it. */
export type FromHome<T> = { body: T; base: string };

/** Posts without a session, and follows once to the home region. */
export async function postHome<T>(
  transport: Transport,
  base: string,
  path: string,
  json: unknown,
): Promise<FromHome<T>> {
  const sent = await sendHome(transport, base, { method: 'POST', path, json });
  return { body: jsonOf(sent.answer) as T, base: sent.base };
}
