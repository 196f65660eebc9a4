import { Type } from 'typebox';
import { sentParameters } from '../../../core/sent-parameters.ts';
import type { App } from '../../../http/app.ts';
import { internalRoutesOf } from '../../../http/routes.ts';
import type { PublishedSeals } from '../../agreements/index.ts';
import type { Grants, PublicKeys } from '../../clients/index.ts';
import type { Sessions } from '../../companies/index.ts';
import { Name, Owner } from './directory-routes.ts';
import type { GlobalNames } from './global-names.ts';
import type { RelayedAnswers } from './relayed-answers.ts';

interface Deps {
  readonly grant: Grants;
  readonly signingKeys: PublicKeys;
  readonly publishedSeals: PublishedSeals;
  readonly names: GlobalNames;
  readonly sessions: Pick<Sessions, 'find'>;
  readonly relayedAnswers: RelayedAnswers;
}

/** What the front door and other regions ask a region. */
export function regionRoutes(
  app: App,
  { grant, signingKeys, publishedSeals, names, sessions, relayedAnswers }: Deps,
): void {
  const route = internalRoutesOf(app);

  route(
    'POST /internal/token',
    {
      body: Type.Object({
        form: Type.String({ maxLength: 16 * 1024 }),
        basic: Type.Optional(
          Type.Object({
            clientId: Type.String({ maxLength: 2048 }),
            secret: Type.String({ maxLength: 2048 }),
          }),
        ),
      }),
    },
    (request) => grant.grant({ form: sentParameters(request.body.form), basic: request.body.basic }),
  );
  route(
    'POST /internal/relayed-answers',
    {
      answersWhileStopping: true,
      body: Type.Object({ name: Type.String({ maxLength: 64 }), arrived: Type.Boolean() }),
    },
    ({ body }) => relayedAnswers.heard(body.name, body.arrived),
  );
  route('GET /internal/signing-keys', {}, async () => ({ keys: await signingKeys.published() }));
  route('GET /internal/seal-certificates', {}, () => publishedSeals.published());
  route(
    'POST /internal/sessions/known',
    { body: Type.Object({ token: Type.String({ maxLength: 8192 }) }) },
    async ({ body: { token } }) => {
      const session = (await sessions.find(token, 'token')) ?? (await sessions.find(token, 'cookie'));
      return { home: session !== undefined };
    },
  );
  route(
    'POST /internal/names/held',
    { body: Type.Object({ owner: Owner, names: Type.Array(Name, { maxItems: 200 }) }) },
    async (request) => ({ held: await names.held(request.body.owner, request.body.names) }),
  );
}
