import type { Callable } from '../platform/calls.ts';
import type { TestPerson } from './actors.ts';

/** A browser in which a person is signed in by cookie: the headers of its calls. */
export interface SignedInBrowser {
  readonly read: Readonly<Record<string, string>>;
  readonly write: Readonly<Record<string, string>>;
}

export async function signInByCookie(
  platform: Callable,
  { email, loginSecret: login_secret }: TestPerson,
): Promise<SignedInBrowser> {
  const { status, headers, body, text } = await platform.call('POST', '/api/person/login', {
    body: { session: 'cookie', email, login_secret },
  });
  if (status !== 200) throw new Error(text);
  const cookie = headers.get('set-cookie')?.split(';', 1)[0] ?? '';
  return { read: { cookie }, write: { cookie, 'x-csrf-token': body.anti_forgery_token } };
}
