import {
  ContactData,
  ContactDataList,
  ContactField,
  ContactFieldList,
  ContactFieldQuery,
  CreateContactDataRequest,
  CreateContactFieldRequest,
  UpdateContactDataRequest,
  UpdateContactFieldRequest,
} from '@symbolon/protocol';
import type { FastifyRequest } from 'fastify';
import { actorOf, companyOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import { routesOf } from '../../../http/routes.ts';
import type { CompanyFields } from './company-fields.ts';
import type { CustomFields } from './custom-fields.ts';

const readers = ['data_client', 'account_client', 'portal', 'person'] as const;

/** Long because it declares its routes one after the other. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one route after the other
export function companyFieldRoutes(
  app: App,
  { companyFields, customFields }: { companyFields: CompanyFields; customFields: CustomFields },
): void {
  const route = routesOf(app, { tags: ['profile'], access: ['portal', 'account_client'] });

  route(
    'GET /api/contact-fields',
    {
      summary: 'The field catalogue',
      description:
        'The platform’s fields, then the custom fields of the caller’s company. `usertype` gives the rows that this ' +
        'kind of profile may fill.',
      tags: ['registry'],
      access: readers,
      federated: { by: 'nothing' },
      query: ContactFieldQuery,
      ok: ContactFieldList,
    },
    async (request) => ({
      contact_fields: await customFields.list(catalogueOwner(request), request.query.usertype),
    }),
  );

  route(
    'GET /api/contact-fields/:id',
    {
      errors: ['contact_fields.not_found'],
      summary: 'A field of the catalogue',
      tags: ['registry'],
      access: readers,
      federated: { by: 'nothing' },
      ok: ContactField,
    },
    (request) => customFields.get(catalogueOwner(request), request.params.id),
  );

  route(
    'POST /api/contact-fields',
    {
      errors: [
        'contact_data.usertype_forbidden',
        'contact_fields.limit_reached',
        'contact_fields.slug_taken',
        'contact_fields.type_unusable',
      ],
      summary: 'Create a custom field',
      description: 'Without usertype, whoever may fill fields of its type may fill it.',
      body: CreateContactFieldRequest,
      created: ContactField,
    },
    (request) => customFields.create(companyOf(request), actorOf(request), request.body),
  );

  route(
    'PUT /api/contact-fields/:id',
    {
      errors: [
        'contact_data.usertype_forbidden',
        'contact_fields.in_use',
        'contact_fields.not_found',
        'contact_fields.slug_taken',
        'contact_fields.system',
        'contact_fields.type_immutable',
      ],
      summary: 'Change a custom field',
      invalidKeys: { '/type': 'contact_fields.type_immutable' },
      body: UpdateContactFieldRequest,
      ok: ContactField,
    },
    (request) => customFields.update(companyOf(request), actorOf(request), request.params.id, request.body),
  );

  route(
    'DELETE /api/contact-fields/:id',
    {
      errors: ['contact_fields.in_use', 'contact_fields.not_found', 'contact_fields.system'],
      summary: 'Delete a custom field',
      description: 'Refused while the profile has values of it.',
    },
    (request) => customFields.delete(companyOf(request), actorOf(request), request.params.id),
  );

  route(
    'GET /api/contact-data',
    { summary: 'List the profile values', ok: ContactDataList },
    async (request) => ({ contact_data: await companyFields.list(companyOf(request)) }),
  );

  route(
    'POST /api/contact-data',
    {
      errors: [
        'account.storage_full',
        'contact_data.files_unsupported',
        'contact_data.limit_reached',
        'contact_data.slug_taken',
        'contact_data.usertype_forbidden',
        'contact_data.value_invalid',
        'contact_fields.not_found',
      ],
      summary: 'Create a profile value',
      description: 'Plaintext by design: it is the company’s business card.',
      body: CreateContactDataRequest,
      created: ContactData,
    },
    (request) => companyFields.create(companyOf(request), actorOf(request), request.body),
  );

  route(
    'GET /api/contact-data/:id',
    { errors: ['contact_data.not_found'], summary: 'Read a profile value', ok: ContactData },
    (request) => companyFields.get(companyOf(request), request.params.id),
  );

  route(
    'PUT /api/contact-data/:id',
    {
      errors: [
        'account.storage_full',
        'contact_data.not_found',
        'contact_data.slug_taken',
        'contact_data.type_immutable',
        'contact_data.value_invalid',
      ],
      summary: 'Change a profile value',
      invalidKeys: { '/type': 'contact_data.type_immutable' },
      body: UpdateContactDataRequest,
      ok: ContactData,
    },
    (request) => companyFields.update(companyOf(request), actorOf(request), request.params.id, request.body),
  );

  route(
    'DELETE /api/contact-data/:id',
    { errors: ['contact_data.not_found'], summary: 'Delete a profile value' },
    (request) => companyFields.delete(companyOf(request), actorOf(request), request.params.id),
  );
}

/** Whose custom fields a caller sees: a company's machines and people of its portal see its own. */
function catalogueOwner({ principal }: FastifyRequest): string | undefined {
  return principal !== null && 'companyId' in principal ? principal.companyId : undefined;
}
