import swagger from '@fastify/swagger';
import { ErrorBody } from '@symbolon/protocol';
import type { App } from '../../http/app.ts';

const tags = [
  { name: 'authentication', description: 'Access tokens for machine clients' },
  { name: 'company data', description: 'What a company’s backend reads with its data client' },
  { name: 'keys', description: 'Public keys of people, companies and services' },
  { name: 'registry', description: 'Field types and the field catalogue' },
  { name: 'portal', description: 'A company signs in' },
  { name: 'account', description: 'The company itself' },
  { name: 'services', description: 'Services of a company' },
  { name: 'webhooks', description: 'Where events of a service are sent' },
  { name: 'person', description: 'What a person’s device calls' },
  { name: 'platform', description: 'The platform itself' },
];

/** Makes the OpenAPI 3.1 document from the schemas of the routes that are added after it. */
export function openApi(app: App, options: { version: string }): void {
  app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Symbolon',
        version: options.version,
        description: 'The platform on which companies and people share data, sealed end to end.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/' }],
      tags,
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    },
    transform: ({ schema, url, route }) => {
      const access = route.config?.access;
      return {
        url,
        schema: {
          ...schema,
          ...(access === 'open' || access === undefined
            ? { security: [] }
            : { security: [{ bearer: [] }], 'x-callers': [...access] }),
          response: { ...(schema?.response as object | undefined), '4xx': ErrorBody, '5xx': ErrorBody },
        },
      };
    },
  });
}
