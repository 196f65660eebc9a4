import { CodeMailed, PresenceActRequest, PresenceOptions } from '@symbolon/protocol';
import { loginOf, personOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import { routesOf } from '../../../http/routes.ts';
import type { Presence } from './presence.ts';

const OPTIONS = {
  summary: 'What a proof of presence for an act is made with',
  description: 'A nonce that is good for this act alone, for 5 minutes, once. Asking stores nothing.',
  body: PresenceActRequest,
  ok: PresenceOptions,
} as const;
const MAIL = {
  summary: 'Mail a code for an act',
  description: 'For accounts without a passkey and without an authenticator app.',
  body: PresenceActRequest,
  accepted: CodeMailed,
} as const;

export function presenceRoutes(app: App, { presence }: { presence: Presence }): void {
  const person = routesOf(app, { tags: ['presence'], access: ['person'] });
  const portal = routesOf(app, { tags: ['presence'], access: ['portal'], role: 'viewer' });

  person('POST /api/person/presence', OPTIONS, (request) =>
    presence.options({ kind: 'person', personId: personOf(request) }, request.body.act),
  );
  person('POST /api/person/presence/mailed-code', MAIL, (request) =>
    presence.mailCode({ kind: 'person', personId: personOf(request) }, request.body.act),
  );
  portal('POST /api/account/2fa/presence', OPTIONS, (request) =>
    presence.options(loginOf(request), request.body.act),
  );
  portal('POST /api/account/2fa/presence/mailed-code', MAIL, (request) =>
    presence.mailCode(loginOf(request), request.body.act),
  );
}
