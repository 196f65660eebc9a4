import { CodeMailed, PresenceActRequest, PresenceOptions } from '@symbolon/protocol';
import type { FastifyRequest } from 'fastify';
import { loginOf, personOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import { routesOf } from '../../../http/routes.ts';
import type { AccountRow } from './account.ts';
import { passkeyRoutes } from './passkey-routes.ts';
import type { Passkeys } from './passkeys.ts';
import type { Presence } from './presence.ts';
import type { SecondFactor } from './second-factor.ts';
import { secondFactorRoutes } from './second-factor-routes.ts';

const OPTIONS = {
  summary: 'What a proof of presence for an act is made with',
  description: 'A nonce that is good for this act alone, for 5 minutes, once. Asking stores nothing.',
  body: PresenceActRequest,
  ok: PresenceOptions,
} as const;
const MAIL = {
  errors: ['account.mailed_code_unavailable', 'auth.throttled', 'mail.refused', 'mail.unavailable'],
  summary: 'Mail a code for an act',
  description: 'For accounts without a passkey and without an authenticator app.',
  body: PresenceActRequest,
  accepted: CodeMailed,
} as const;

interface Rules<Person extends AccountRow, Login extends AccountRow> {
  readonly presence: Presence;
  readonly personSecondFactor: SecondFactor<Person>;
  readonly loginSecondFactor: SecondFactor<Login>;
  readonly personPasskeys: Passkeys<Person>;
  readonly loginPasskeys: Passkeys<Login>;
}

const personIn = (request: FastifyRequest) => ({ kind: 'person', personId: personOf(request) }) as const;

export function presenceRoutes<Person extends AccountRow, Login extends AccountRow>(
  app: App,
  rules: Rules<Person, Login>,
): void {
  const ofPeople = { tags: ['presence'], access: ['person'] } as const;
  const ofLogins = {
    tags: ['presence'],
    access: ['portal'],
    role: 'viewer',
    withoutSecondFactor: true,
  } as const;
  const { presence } = rules;
  secondFactorRoutes(app, '/api/person/totp', ofPeople, rules.personSecondFactor, personIn);
  secondFactorRoutes(app, '/api/account/2fa', ofLogins, rules.loginSecondFactor, loginOf);
  passkeyRoutes(app, '/api/person/passkeys', ofPeople, rules.personPasskeys, personIn);
  passkeyRoutes(app, '/api/account/passkeys', ofLogins, rules.loginPasskeys, loginOf);
  const person = routesOf(app, ofPeople);
  const portal = routesOf(app, ofLogins);

  person('POST /api/person/presence', OPTIONS, (request) =>
    presence.options(personIn(request), request.body.act),
  );
  person('POST /api/person/presence/mailed-code', MAIL, (request) =>
    presence.mailCode(personIn(request), request.body.act),
  );
  portal('POST /api/account/2fa/presence', OPTIONS, (request) =>
    presence.options(loginOf(request), request.body.act),
  );
  portal('POST /api/account/2fa/presence/mailed-code', MAIL, (request) =>
    presence.mailCode(loginOf(request), request.body.act),
  );
}
