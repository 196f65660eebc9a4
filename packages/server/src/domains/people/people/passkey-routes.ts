import { PasskeySignInOptions, PasskeySignInRequest, PersonPasskeySession } from '@symbolon/protocol';
import type { Cookies } from '../../../access/cookies.ts';
import type { App } from '../../../http/app.ts';
import { routesOf } from '../../../http/routes.ts';
import type { AccountPresence } from '../../accounts/index.ts';
import { enteredAnswer, entranceOf } from './entrance.ts';
import type { People } from './people.ts';
import type { PersonRow } from './tables.ts';

interface Rules {
  readonly people: People;
  readonly personPresence: AccountPresence<PersonRow>;
  readonly cookies: Cookies;
}

/** People who sign in with a passkey. */
export function personPasskeyRoutes(app: App, { people, personPresence, cookies }: Rules): void {
  const route = routesOf(app, { tags: ['person'], access: 'open' });

  route(
    'POST /api/person/login/passkey/options',
    { summary: 'What a passkey signs in with', ok: PasskeySignInOptions },
    () => personPresence.signInOptions(),
  );

  route(
    'POST /api/person/login/passkey',
    {
      errors: ['auth.passkey_invalid', 'auth.throttled'],
      summary: 'Sign in with a passkey',
      description:
        'No address and no second factor: the passkey knows its account and verifies its user. encrypted_private_key is wrapped for this passkey, or null.',
      body: PasskeySignInRequest,
      ok: PersonPasskeySession,
    },
    async (request, reply) =>
      enteredAnswer(reply, cookies, await people.loginWithPasskey(request.body, entranceOf(request))),
  );
}
