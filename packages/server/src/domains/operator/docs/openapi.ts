import { STATUS_CODES } from 'node:http';
import swagger from '@fastify/swagger';
import {
  accountClientBaseline,
  capabilities,
  capabilityPatterns,
  ErrorBody,
  portalOnlyPatterns,
} from '@symbolon/protocol';
import { PERSON_COOKIE, SESSION_COOKIE } from '../../../access/cookies.ts';
import { matchesEndpoint, neededRole } from '../../../access/rules.ts';
import type { App } from '../../../http/app.ts';
import { byStatus, commonErrors, errorsOf } from '../../../http/route-errors.ts';
import { namedSchemas, withReferences } from './components.ts';

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
  { name: 'plugins', description: 'Servers of companies that answer fields, and what they pass on' },
  { name: 'forwarder', description: 'Where a page or an app calls a plugin' },
  { name: 'second factor', description: 'Asking people to approve a login' },
  { name: 'documents', description: 'Documents and contracts, and their files' },
  { name: 'flows', description: 'Flows, their versions and their runs' },
  { name: 'consent', description: 'What the page calls on which a person approves a request' },
  { name: 'presence', description: 'How a person proves to be there: sign-ins, passkeys, codes, devices' },
  { name: 'person', description: 'What a person’s device calls' },
  { name: 'messages', description: 'What services and their customers write to each other' },
  { name: 'connect requests', description: 'Services that ask people to connect' },
  { name: 'operator', description: 'Who runs the platform' },
  { name: 'platform', description: 'The platform itself' },
];

const ALL_NAMED = 'AllNamed';

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
      // Beside `x-errors` of an operation. The types of the document know no extension here.
      ...({ 'x-common-errors': byStatus(commonErrors) } as object),
      tags,
      components: {
        // As members of one schema: the library reads all schemas again for each. They take the form that the schemas of
        // routes take, and references are made of them at the end.
        schemas: { [ALL_NAMED]: { type: 'object', properties: namedSchemas } },
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
                ...(access.includes('account_client') ? { 'x-capabilities': capabilitiesFor(url) } : {}),
                ...(access.includes('portal')
                  ? { 'x-portal-role': neededRole(route.config ?? {}, String(route.method)) }
                  : {}),
              }),
          'x-errors': byStatus(errorsOf(route.config ?? {}, String(route.method))),
        },
      };
    },
    transformObject: (made) => {
      const { paths = {}, ...rest } = ('openapiObject' in made ? made.openapiObject : made) as Document;
      const { schemas, ...components } = rest.components;
      return withReferences(
        {
          ...rest,
          paths: mapped(paths, (path, operations) =>
            mapped(operations, (method, operation) => completed(path, method, operation)),
          ),
          components: { ...components, responses: errorResponses },
        },
        schemas?.[ALL_NAMED]?.properties ?? {},
      ) as never;
    },
  });
}

/** What is read here of what the library made of the routes. */
type Json = Readonly<Record<string, unknown>>;
type Operation = Json & { readonly responses: Readonly<Record<string, Json>> };
type Document = Json & {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Json & {
    readonly schemas?: Readonly<Record<string, { readonly properties?: Readonly<Record<string, Json>> }>>;
  };
};

const mapped = <From, To>(from: Readonly<Record<string, From>>, to: (name: string, value: From) => To) =>
  Object.fromEntries(Object.entries(from).map(([name, value]) => [name, to(name, value)]));

/** What the library does not know of an operation: its name, what its statuses mean, and where its errors stand. */
function completed(path: string, method: string, operation: Operation): object {
  return {
    operationId: operationId(method, path),
    ...operation,
    responses: {
      ...mapped(operation.responses, (status, response) => ({
        ...response,
        description: STATUS_CODES[status] ?? response.description,
      })),
      '4XX': { $ref: '#/components/responses/ClientError' },
      '5XX': { $ref: '#/components/responses/ServerError' },
    },
  };
}

/** The name of an operation for programs that are made of the document: `getServicesIdRequestFields`. */
export function operationId(method: string, path: string): string {
  const words = path.replace(/^\/api\//, '/').match(/[A-Za-z0-9]+/g) ?? [];
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

const errorResponse = (what: string) => ({
  description: `${what} The [catalogue](/errors) has each error_key.`,
  content: { 'application/json': { schema: ErrorBody } },
});
const errorResponses = {
  ClientError: errorResponse('The request is refused.'),
  ServerError: errorResponse('The platform failed, or does not serve at present.'),
};

/** What an account client needs one of in order to call a route: `baseline` stands for what each of them has. */
function capabilitiesFor(url: string): string[] {
  const isIn = (patterns: readonly string[]) => patterns.some((pattern) => matchesEndpoint(pattern, url));
  if (isIn(portalOnlyPatterns)) return [];
  if (isIn(accountClientBaseline)) return ['baseline'];
  return capabilities.filter((capability) => isIn(capabilityPatterns[capability]));
}
