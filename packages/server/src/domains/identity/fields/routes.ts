import {
  ConfirmVerificationRequest,
  CreatePersonFieldRequest,
  Id,
  LiveSlotList,
  PersonField,
  PersonFieldList,
  StartVerificationRequest,
  UpdatePersonFieldRequest,
  VerificationStarted,
} from '@symbolon/protocol';
import { Type } from 'typebox';
import { personOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import type { Fields } from './fields.ts';
import type { Verification } from './verification.ts';

const params = Type.Object({ id: Id });
const access = ['person'] as const;
const config = { access } as const;
const tags = ['person'];

export function fieldRoutes(
  app: App,
  { fields, verification }: { fields: Fields; verification: Verification },
): void {
  app.get(
    '/api/person/fields',
    { config, schema: { tags, summary: 'List fields', response: { 200: PersonFieldList } } },
    async (request) => ({ fields: await fields.list(personOf(request)) }),
  );

  app.post(
    '/api/person/fields',
    {
      config,
      schema: {
        tags,
        summary: 'Create a field',
        description: 'The value is sealed to the person’s own key.',
        body: CreatePersonFieldRequest,
        response: { 201: PersonField },
      },
    },
    async (request, reply) => reply.code(201).send(await fields.create(personOf(request), request.body)),
  );

  app.get(
    '/api/person/fields/:id',
    { config, schema: { tags, summary: 'Read a field', params, response: { 200: PersonField } } },
    async (request) => fields.get(personOf(request), request.params.id),
  );

  app.put(
    '/api/person/fields/:id',
    {
      config: { access, invalidKeys: { '/type': 'contact_data.type_immutable' } },
      schema: {
        tags,
        summary: 'Change a field',
        description:
          'A new value comes with one copy for each slot that follows the field, sealed to that service’s key. 409 contact_data.copies_missing names the slots that lack one; then nothing was stored.',
        params,
        body: UpdatePersonFieldRequest,
        response: { 200: PersonField },
      },
    },
    async (request) => fields.update(personOf(request), request.params.id, request.body),
  );

  app.delete(
    '/api/person/fields/:id',
    { config, schema: { tags, summary: 'Delete a field', params, response: { 204: Type.Null() } } },
    async (request, reply) => {
      await fields.delete(personOf(request), request.params.id);
      return reply.code(204).send(null);
    },
  );

  app.get(
    '/api/person/fields/:id/slots',
    {
      config,
      schema: {
        tags,
        summary: 'The slots that follow a field',
        description: 'Where a copy of the next value must go.',
        params,
        response: { 200: LiveSlotList },
      },
    },
    async (request) => ({ slots: await fields.slots(personOf(request), request.params.id) }),
  );

  app.post(
    '/api/person/fields/:id/verification',
    {
      config,
      schema: {
        tags,
        summary: 'Mail a verification code',
        description: 'For e-mail fields. The value is used to send the code and is not kept.',
        params,
        body: StartVerificationRequest,
        response: { 202: VerificationStarted },
      },
    },
    async (request, reply) =>
      reply
        .code(202)
        .send(await verification.start(personOf(request), request.params.id, request.body.value)),
  );

  app.post(
    '/api/person/fields/:id/verification/confirm',
    {
      config,
      schema: {
        tags,
        summary: 'Confirm a verification code',
        params,
        body: ConfirmVerificationRequest,
        response: { 200: PersonField },
      },
    },
    async (request) => verification.confirm(personOf(request), request.params.id, request.body),
  );

  app.delete(
    '/api/person/fields/:id/verification',
    { config, schema: { tags, summary: 'Drop the attestation', params, response: { 200: PersonField } } },
    async (request) => verification.drop(personOf(request), request.params.id),
  );
}
