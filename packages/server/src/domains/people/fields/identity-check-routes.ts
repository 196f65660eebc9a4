import {
  CheckDocumentRequest,
  CurrentDocumentCheck,
  DocumentCheck,
  DocumentCheckResult,
  limits,
} from '@symbolon/protocol';
import { personOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import { routesOf } from '../../../http/routes.ts';
import { type IdentityChecks, RESULTS_PATH } from './identity-checks.ts';

const RESULT_BYTES = 16 * 1024;

export function identityCheckRoutes(app: App, checks: IdentityChecks): void {
  const route = routesOf(app, { tags: ['person'], access: ['person'] });

  route(
    'POST /api/person/fields/:id/verification/document',
    {
      errors: [
        'contact_data.file_not_found',
        'contact_data.file_too_large',
        'contact_data.not_found',
        'contact_data.value_invalid',
        'verification.provider_unavailable',
        'verification.unsupported',
        'verification.value_changed',
      ],
      summary: 'Have an identity document verified',
      description:
        'For types below proof_of_identity. The document goes to the provider that the platform is configured with, and is not kept.',
      limit: 'connections',
      body: CheckDocumentRequest,
      bodyLimit: limits.uploadBodyBytes,
      accepted: DocumentCheck,
    },
    (request) => checks.start(personOf(request), request.params.id, request.body.value),
  );

  route(
    'GET /api/person/fields/:id/verification/document',
    { errors: ['contact_data.not_found'], summary: 'What became of a document', ok: CurrentDocumentCheck },
    async (request) => ({ check: await checks.get(personOf(request), request.params.id) }),
  );

  routesOf(app, { tags: ['platform'], access: 'open' })(
    `POST ${RESULTS_PATH}`,
    {
      errors: ['verification.check_not_found', 'verification.result_invalid'],
      summary: 'The result of a verification',
      description: 'For the provider: a JWT that it signed.',
      body: DocumentCheckResult,
      bodyLimit: RESULT_BYTES,
    },
    (request) => checks.finish(request.body.result),
  );
}
