import {
  ConfirmVerificationRequest,
  CreatePersonFieldRequest,
  FieldFileRequest,
  FileUpload,
  FileValue,
  LiveSlotList,
  limits,
  PersonField,
  PersonFieldList,
  PersonFieldQuery,
  StartVerificationRequest,
  UpdatePersonFieldRequest,
  UploadFileRequest,
  VerificationStarted,
} from '@symbolon/protocol';
import { personOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import { sendFile } from '../../../http/file-answer.ts';
import { routesOf } from '../../../http/routes.ts';
import type { FieldFiles } from './field-files.ts';
import type { Fields } from './fields.ts';
import type { Verification } from './verification.ts';

interface Rules {
  readonly fields: Fields;
  readonly files: FieldFiles;
  readonly verification: Verification;
  /** The word of the platform in names of headers. */
  readonly headerName: string;
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one route after the other
export function fieldRoutes(app: App, { fields, files, verification, headerName }: Rules): void {
  const route = routesOf(app, { tags: ['person'], access: ['person'] });
  fileRoutes(app, { fields, files, headerName });

  route(
    'GET /api/person/fields',
    {
      summary: 'List fields',
      description:
        'Oldest first. A page may be shorter than asked for when its values are large: ask for the next one with `after` until all of `total` have come.',
      query: PersonFieldQuery,
      ok: PersonFieldList,
    },
    (request) => {
      const { after = '', limit = limits.pageDefault } = request.query;
      return fields.list(personOf(request), { after, most: limit });
    },
  );

  route(
    'POST /api/person/fields',
    {
      errors: [
        'account.storage_full',
        'contact_data.encryption_required',
        'contact_data.files_unsupported',
        'contact_data.limit_reached',
        'contact_data.slug_taken',
        'contact_data.type_unknown',
        'contact_data.usertype_forbidden',
        'contact_data.value_too_large',
        'contact_data.wrapper_invalid',
        'contact_fields.type_unusable',
      ],
      summary: 'Create a field',
      description: 'The value is sealed to the person’s own key.',
      body: CreatePersonFieldRequest,
      created: PersonField,
    },
    (request) => fields.create(personOf(request), request.body),
  );

  route(
    'GET /api/person/fields/:id',
    { errors: ['contact_data.not_found'], summary: 'Read a field', ok: PersonField },
    (request) => fields.get(personOf(request), request.params.id),
  );

  route(
    'PUT /api/person/fields/:id',
    {
      errors: [
        'account.storage_full',
        'contact_data.copies_missing',
        'contact_data.copies_unexpected',
        'contact_data.encryption_required',
        'contact_data.files_unsupported',
        'contact_data.not_found',
        'contact_data.type_immutable',
        'contact_data.value_too_large',
        'contact_data.wrapper_invalid',
      ],
      summary: 'Change a field',
      description:
        'A new value comes with one copy for each slot that follows the field, sealed to that service’s key. 409 contact_data.copies_missing names the slots that lack one; then nothing was stored.',
      invalidKeys: { '/type': 'contact_data.type_immutable' },
      body: UpdatePersonFieldRequest,
      ok: PersonField,
    },
    (request) => fields.update(personOf(request), request.params.id, request.body),
  );

  route(
    'DELETE /api/person/fields/:id',
    { errors: ['contact_data.mandatory', 'contact_data.not_found'], summary: 'Delete a field' },
    (request) => fields.delete(personOf(request), request.params.id),
  );

  route(
    'GET /api/person/fields/:id/slots',
    {
      errors: ['contact_data.not_found'],
      summary: 'The slots that follow a field',
      description: 'Where a copy of the next value must go.',
      ok: LiveSlotList,
    },
    async (request) => ({ slots: await fields.slots(personOf(request), request.params.id) }),
  );

  route(
    'POST /api/person/fields/:id/verification',
    {
      errors: [
        'contact_data.not_found',
        'contact_data.value_invalid',
        'mail.refused',
        'mail.unavailable',
        'verification.unsupported',
      ],
      summary: 'Mail a verification code',
      description: 'For e-mail fields. The value is used to send the code and is not kept.',
      body: StartVerificationRequest,
      accepted: VerificationStarted,
    },
    (request) => verification.start(personOf(request), request.params.id, request.body.value),
  );

  route(
    'POST /api/person/fields/:id/verification/confirm',
    {
      errors: [
        'contact_data.not_found',
        'verification.code_invalid',
        'verification.not_started',
        'verification.value_changed',
      ],
      summary: 'Confirm a verification code',
      body: ConfirmVerificationRequest,
      ok: PersonField,
    },
    (request) => verification.confirm(personOf(request), request.params.id, request.body),
  );

  route(
    'DELETE /api/person/fields/:id/verification',
    {
      errors: ['contact_data.not_found'],
      summary: 'Drop the attestation',
      ok: PersonField,
    },
    (request) => verification.drop(personOf(request), request.params.id),
  );
}

function fileRoutes(app: App, { fields, files, headerName }: Omit<Rules, 'verification'>): void {
  const route = routesOf(app, { tags: ['person'], access: ['person'], limit: 'connections' });

  route(
    'POST /api/person/files',
    {
      errors: ['account.storage_full', 'contact_data.uploads_limit', 'contact_data.wrapper_invalid'],
      summary: 'Upload a sealed file',
      description:
        'For a row of a service: the act that answers the row names the upload within an hour, then it is gone.',
      body: UploadFileRequest,
      bodyLimit: limits.uploadBodyBytes,
      created: FileUpload,
    },
    (request) => files.upload(personOf(request), request.body.value),
  );

  route(
    'PUT /api/person/fields/:id/file',
    {
      errors: [
        'account.storage_full',
        'contact_data.copies_missing',
        'contact_data.copies_unexpected',
        'contact_data.encryption_required',
        'contact_data.file_too_large',
        'contact_data.not_a_file',
        'contact_data.not_found',
        'contact_data.upload_not_found',
        'contact_data.value_invalid',
        'contact_data.wrapper_invalid',
      ],
      summary: 'Give a field its file',
      description:
        'Sealed to the person’s own key, with one upload for each slot that follows the field; or, for a field that is not private, in plaintext. 409 contact_data.copies_missing names the slots that lack a copy; then nothing was stored.',
      body: FieldFileRequest,
      bodyLimit: limits.uploadBodyBytes,
      ok: PersonField,
    },
    (request) => files.put(personOf(request), request.params.id, request.body),
  );

  route(
    'GET /api/person/fields/:id/file',
    {
      errors: ['contact_data.file_not_found', 'contact_data.not_found', 'photos.unavailable'],
      summary: 'Read the file of a field',
      description: 'JSON, or the file itself where it is one file in plaintext without further entries.',
      alwaysJson: true,
      ok: FileValue,
    },
    async (request, reply) => {
      const file = await files.get(personOf(request), request.params.id);
      return sendFile(reply, headerName, file, () => files.open(file)) as never;
    },
  );

  route(
    'DELETE /api/person/fields/:id/file',
    {
      errors: ['contact_data.file_not_found', 'contact_data.mandatory', 'contact_data.not_found'],
      summary: 'Delete the file of a field',
      description: 'The slots that follow the field go with it.',
    },
    (request) => fields.dropFile(personOf(request), request.params.id),
  );
}
