import {
  ContactData,
  ContactDataList,
  ContactField,
  ContactFieldList,
  ContactFieldQuery,
  CreateContactDataRequest,
  CreateContactFieldRequest,
  Id,
  UpdateContactDataRequest,
  UpdateContactFieldRequest,
} from '@symbolon/protocol';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { actorOf, companyOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import type { CompanyFields } from './company-fields.ts';
import type { CustomFields } from './custom-fields.ts';

const params = Type.Object({ id: Id });
const access = ['portal', 'account_client'] as const;
const config = { access } as const;
const readers = ['data_client', 'account_client', 'portal', 'person'] as const;

export function companyFieldRoutes(
  app: App,
  { companyFields, customFields }: { companyFields: CompanyFields; customFields: CustomFields },
): void {
  app.get(
    '/api/contact-fields',
    {
      config: { access: readers, federated: { by: 'nothing' } },
      schema: {
        tags: ['registry'],
        summary: 'The field catalogue',
        description:
          'The platform’s fields, then the custom fields of the caller’s company. `usertype` gives the rows that this ' +
          'kind of profile may fill.',
        querystring: ContactFieldQuery,
        response: { 200: ContactFieldList },
      },
    },
    async (request) => ({
      contact_fields: await customFields.list(catalogueOwner(request), request.query.usertype),
    }),
  );

  app.get(
    '/api/contact-fields/:id',
    {
      config: { access: readers, federated: { by: 'nothing' } },
      schema: {
        tags: ['registry'],
        summary: 'A field of the catalogue',
        params,
        response: { 200: ContactField },
      },
    },
    async (request) => customFields.get(catalogueOwner(request), request.params.id),
  );

  app.post(
    '/api/contact-fields',
    {
      config,
      schema: {
        tags: ['profile'],
        summary: 'Create a custom field',
        description: 'Without usertype, whoever may fill fields of its type may fill it.',
        body: CreateContactFieldRequest,
        response: { 201: ContactField },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await customFields.create(companyOf(request), actorOf(request), request.body)),
  );

  app.put(
    '/api/contact-fields/:id',
    {
      config: { access, invalidKeys: { '/type': 'contact_fields.type_immutable' } },
      schema: {
        tags: ['profile'],
        summary: 'Change a custom field',
        params,
        body: UpdateContactFieldRequest,
        response: { 200: ContactField },
      },
    },
    async (request) =>
      customFields.update(companyOf(request), actorOf(request), request.params.id, request.body),
  );

  app.delete(
    '/api/contact-fields/:id',
    {
      config,
      schema: {
        tags: ['profile'],
        summary: 'Delete a custom field',
        description: 'Refused while the profile has values of it.',
        params,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await customFields.delete(companyOf(request), actorOf(request), request.params.id);
      return reply.code(204).send(null);
    },
  );

  app.get(
    '/api/contact-data',
    {
      config,
      schema: { tags: ['profile'], summary: 'List the profile values', response: { 200: ContactDataList } },
    },
    async (request) => ({ contact_data: await companyFields.list(companyOf(request)) }),
  );

  app.post(
    '/api/contact-data',
    {
      config,
      schema: {
        tags: ['profile'],
        summary: 'Create a profile value',
        description: 'Plaintext by design: it is the company’s business card.',
        body: CreateContactDataRequest,
        response: { 201: ContactData },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await companyFields.create(companyOf(request), actorOf(request), request.body)),
  );

  app.get(
    '/api/contact-data/:id',
    {
      config,
      schema: { tags: ['profile'], summary: 'Read a profile value', params, response: { 200: ContactData } },
    },
    async (request) => companyFields.get(companyOf(request), request.params.id),
  );

  app.put(
    '/api/contact-data/:id',
    {
      config: { access, invalidKeys: { '/type': 'contact_data.type_immutable' } },
      schema: {
        tags: ['profile'],
        summary: 'Change a profile value',
        params,
        body: UpdateContactDataRequest,
        response: { 200: ContactData },
      },
    },
    async (request) =>
      companyFields.update(companyOf(request), actorOf(request), request.params.id, request.body),
  );

  app.delete(
    '/api/contact-data/:id',
    {
      config,
      schema: {
        tags: ['profile'],
        summary: 'Delete a profile value',
        params,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await companyFields.delete(companyOf(request), actorOf(request), request.params.id);
      return reply.code(204).send(null);
    },
  );
}

/** Whose custom fields a caller sees: a company's machines and people of its portal see its own. */
function catalogueOwner({ principal }: FastifyRequest): string | undefined {
  return principal !== null && 'companyId' in principal ? principal.companyId : undefined;
}
