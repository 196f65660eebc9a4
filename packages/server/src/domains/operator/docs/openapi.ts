import swagger from '@fastify/swagger';
import { ErrorBody } from '@symbolon/protocol';
import { PERSON_COOKIE, SESSION_COOKIE } from '../../../access/cookies.ts';
import { neededRole } from '../../../access/rules.ts';
import type { App } from '../../../http/app.ts';

const tags = [
  { name: 'authentication', description: 'Access tokens for machine clients' },
  { name: 'company data', description: 'What a company’s backend reads with its data client' },
  { name: 'keys', description: 'Public keys of people, companies and services' },
  { name: 'registry', description: 'Field types and the field catalogue' },
  { name: 'portal', description: 'A company signs in' },
  { name: 'portal security', description: 'How those who sign in protect their sign-in' },
  { name: 'delegates', description: 'The people of a company' },
  { name: 'account', description: 'The company itself' },
  { name: 'profile', description: 'How the company shows itself' },
  { name: 'sign-in apps', description: 'Apps that send people to sign in' },
  { name: 'services', description: 'Services of a company' },
  { name: 'customer', description: 'The company as the customer of other companies’ services' },
  { name: 'webhooks', description: 'Where events of a service are sent' },
  { name: 'person', description: 'What a person’s device calls' },
  { name: 'messages', description: 'What services and their customers write to each other' },
  { name: 'connect requests', description: 'Services that ask people to connect' },
  { name: 'operator', description: 'Who runs the platform' },
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
      externalDocs: { description: 'Every error_key, with its status and text', url: '/errors' },
      servers: [{ url: '/' }],
      tags,
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer' },
          cookie: {
            type: 'apiKey',
            in: 'cookie',
            name: SESSION_COOKIE,
            description:
              'A session of the portal. All but reads carry its anti-forgery token as X-CSRF-Token.',
          },
          personCookie: {
            type: 'apiKey',
            in: 'cookie',
            name: PERSON_COOKIE,
            description: "A person's session. All but reads carry its anti-forgery token as X-CSRF-Token.",
          },
        },
      },
    },
    transform: ({ schema, url, route }) => {
      const access = route.config?.access;
      return {
        url,
        schema: {
          ...schema,
          // For clients that send more than other routes accept.
          ...(route.bodyLimit === undefined ? {} : { 'x-body-limit': route.bodyLimit }),
          ...(access === 'open' || access === undefined
            ? { security: [] }
            : {
                security: [
                  { bearer: [] },
                  ...(access.includes('portal') ? [{ cookie: [] }] : []),
                  ...(access.includes('person') ? [{ personCookie: [] }] : []),
                ],
                'x-callers': [...access],
                ...(access.includes('portal')
                  ? { 'x-portal-role': neededRole(route.config ?? {}, String(route.method)) }
                  : {}),
              }),
          response: { ...(schema?.response as object | undefined), '4xx': ErrorBody, '5xx': ErrorBody },
        },
      };
    },
  });
}
