import {
  AcceptDocumentRequest,
  limits,
  PersonDocument,
  type PresenceProof,
  type Presence as Proven,
  SignDocumentRequest,
} from '@symbolon/protocol';
import type { FastifyRequest } from 'fastify';
import { personOf } from '../../../access/callers.ts';
import { PlatformError } from '../../../core/errors.ts';
import type { App } from '../../../http/app.ts';
import { routesOf } from '../../../http/routes.ts';
import type { Presence } from '../../identity/index.ts';
import type { CustomerDocuments, DocumentActRow } from '../documents/index.ts';
import type { Acts } from './acts.ts';

/** What a proof is called in the act that it was made for. */
const METHODS: Readonly<Record<Proven['method'], DocumentActRow['method']>> = {
  passkey: 'biometric',
  totp: 'twofa',
  mailed_code: 'email',
  recovery_code: null,
  password: null,
};

interface Rules {
  readonly acts: Acts;
  readonly documents: CustomerDocuments;
  readonly presence: Presence;
}

export function actRoutes(app: App, { acts, documents, presence }: Rules): void {
  const person = routesOf(app, {
    tags: ['documents'],
    access: ['person'],
    federated: { by: 'id', missing: 'documents.not_found' },
  });
  const path = '/api/person/documents/:id';

  person(
    `POST ${path}/sign`,
    {
      summary: 'Sign a document',
      description:
        'The proof is for the act `sign document <id> <content_sha256>`; the login secret alone is refused. The signature that completes a file carries it in `pdf`, and the platform seals it. Repeating a signature changes nothing.',
      body: SignDocumentRequest,
      bodyLimit: limits.uploadBodyBytes,
      ok: PersonDocument,
    },
    async (request) => {
      const { id } = request.params;
      const personId = personOf(request);
      const { content_sha256: contentSha256, first_name, last_name, proof, pdf } = request.body;
      const act = { action: 'signed', contentSha256, name: { first_name, last_name }, pdf } as const;
      if ((await acts.look(personId, id, act)) !== 'stands') {
        const method = await methodOf(presence, request, `sign document ${id} ${contentSha256}`, proof);
        await acts.perform(personId, id, { ...act, method });
      }
      return documents.get(personId, id);
    },
  );

  person(
    `POST ${path}/accept`,
    {
      summary: 'Accept a document',
      description:
        'A proof is for the act `accept document <id> <content_sha256, or ->`. The acceptance that completes a file with a digest carries it in `pdf`, and the platform seals it. Repeating it changes nothing.',
      body: AcceptDocumentRequest,
      bodyLimit: limits.uploadBodyBytes,
      ok: PersonDocument,
    },
    async (request) => {
      const { id } = request.params;
      const personId = personOf(request);
      const { content_sha256, proof, pdf } = request.body;
      const act = { action: 'accepted', contentSha256: content_sha256 ?? null, pdf } as const;
      if ((await acts.look(personId, id, act)) !== 'stands') {
        const name = `accept document ${id} ${act.contentSha256 ?? '-'}`;
        const method = proof === undefined ? null : await methodOf(presence, request, name, proof);
        await acts.perform(personId, id, { ...act, method });
      }
      return documents.get(personId, id);
    },
  );
}

/**
 * Checks the proof of an act.
 * @throws {PlatformError} those of `Presence.presenceOf`, auth.two_factor_required for the login secret alone or with a recovery code
 */
async function methodOf(
  presence: Presence,
  request: FastifyRequest,
  act: string,
  proof: PresenceProof,
): Promise<DocumentActRow['method']> {
  // A code on paper is for those who lost their device; it shows nobody's presence. It is not used up.
  if (proof.kind === 'password' && proof.recovery_code !== undefined)
    throw new PlatformError('auth.two_factor_required', {
      text: 'A recovery code signs nothing. Send a code from the authenticator app, or use a passkey.',
    });
  const { method } = await presence.presenceOf(request, act, proof, { strong: true });
  return METHODS[method];
}
