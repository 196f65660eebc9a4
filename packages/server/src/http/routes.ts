import { Id, type LargeMember } from '@symbolon/protocol';
import type { FastifyContextConfig, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { type Static, type TSchema, type TUnknown, Type } from 'typebox';
import type { LargeText } from '../core/large-text.ts';
import type { App } from './app.ts';

/** The names of the parameters in an address: `'id'` of `'GET /api/services/:id'`. */
type ParameterNames<Address extends string> = Address extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParameterNames<Rest>
  : Address extends `${string}:${infer Name}`
    ? Name
    : never;

/** A body as its handler gets it: large members are no strings (see `LargeText`). */
type Received<Body extends TSchema> = Body extends { properties: infer Members }
  ? {
      [Name in keyof Static<Body>]: Name extends keyof Members
        ? Members[Name] extends LargeMember
          ? LargeText | Extract<Static<Body>[Name], undefined>
          : Static<Body>[Name]
        : Static<Body>[Name];
    }
  : Static<Body>;

/** A request of a declared route. */
type Call<Address extends string, Body extends TSchema, Query extends TSchema> = FastifyRequest & {
  readonly params: Readonly<Record<ParameterNames<Address>, string>>;
  readonly body: Received<Body>;
  readonly query: Static<Query>;
};

/** What comes in: the schemas of a route's requests. */
interface Requests<Body extends TSchema, Query extends TSchema> {
  /** Schemas of those parameters in the address that are no ids. */
  readonly params?: Readonly<Record<string, TSchema>>;
  readonly query?: Query;
  readonly body?: Body;
  /** Bytes. */
  readonly bodyLimit?: number;
}

type Answers<Schema extends TSchema | undefined> = Schema extends TSchema ? Static<Schema> : never;

interface Declaration<
  Body extends TSchema,
  Query extends TSchema,
  Answer extends TSchema | undefined,
  Other extends TSchema | undefined,
> extends Requests<Body, Query>,
    FastifyContextConfig {
  readonly tags?: readonly string[];
  readonly summary: string;
  readonly description?: string;
  /** The schema of the answer, under the name of its status: 200, 201 or 202. Without any of them it is 204. */
  readonly ok?: Answer;
  readonly created?: Answer;
  readonly accepted?: Answer;
  /** Of a route that sometimes answers 201 instead; its handler says so by `reply.code`. */
  readonly orCreated?: Other;
}

/**
 * Declares routes of the everyday shape.
 * @param shared what the routes have in common; each may say otherwise
 *
 * @example
 * const route = routesOf(app, { tags: ['services'], access: ['portal'] });
 * route('GET /api/services/:id', { summary: 'Read a service', ok: Service }, (request) => services.get(refOf(request)));
 * route('DELETE /api/services/:id', { summary: 'Delete a service' }, (request) => services.delete(refOf(request)));
 */
export function routesOf(app: App, shared: FastifyContextConfig & { readonly tags?: readonly string[] }) {
  return <
    const Address extends string,
    Body extends TSchema = TUnknown,
    Query extends TSchema = TUnknown,
    Answer extends TSchema | undefined = undefined,
    Other extends TSchema | undefined = undefined,
  >(
    address: Address,
    declaration: Declaration<Body, Query, Answer, Other>,
    handler: (
      request: Call<Address, Body, Query>,
      reply: FastifyReply,
    ) => Answer extends TSchema ? Answers<Answer | Other> | Promise<Answers<Answer | Other>> : unknown,
  ): void => {
    const { tags, summary, description, params, query, body, bodyLimit, ...rest } = {
      ...shared,
      ...declaration,
    };
    const { ok, created, accepted, orCreated, ...config } = rest;
    const status = ok ? 200 : created ? 201 : accepted ? 202 : 204;
    const response = {
      [status]: ok ?? created ?? accepted ?? Type.Null(),
      ...(orCreated === undefined ? {} : { 201: orCreated }),
    };
    add(app, address, {
      config,
      schema: { tags, summary, description, ...requestSchema(address, { params, query, body }), response },
      bodyLimit,
      async handler(request, reply) {
        // Set first: when a handler ends after its request was refused, the status of the refusal must stay.
        reply.code(status);
        const answer = await handler(request as Call<Address, Body, Query>, reply);
        return status === 204 ? null : answer;
      },
    });
  };
}

/** Declares routes that only other regions call; the OpenAPI document does not show them. */
export function internalRoutesOf(app: App) {
  return <const Address extends string, Body extends TSchema = TUnknown>(
    address: Address,
    {
      bodyLimit,
      answersWhileStopping = false,
      ...requests
    }: Requests<Body, TUnknown> & Pick<FastifyContextConfig, 'answersWhileStopping'>,
    handler: (request: Call<Address, Body, TUnknown>, reply: FastifyReply) => unknown,
  ): void =>
    add(app, address, {
      // The region that calls says how long it waits.
      config: {
        access: ['peer'],
        alwaysJson: true,
        answersWhileStopping,
        answersWithin: Number.POSITIVE_INFINITY,
      },
      schema: { hide: true, ...requestSchema(address, requests) },
      bodyLimit,
      handler: async (request, reply) => handler(request as Call<Address, Body, TUnknown>, reply),
    });
}

function add(
  app: App,
  address: string,
  route: {
    config: FastifyContextConfig;
    schema: object;
    bodyLimit: number | undefined;
    handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
  },
): void {
  const [method, url = ''] = address.split(' ');
  const { config, schema, bodyLimit, handler } = route;
  app.route({
    method: method as HTTPMethods,
    url,
    config,
    exposeHeadRoute: config.drains !== true && config.streams !== true,
    // The OpenAPI document is made of the members there are.
    schema: Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined)),
    ...(bodyLimit === undefined ? {} : { bodyLimit }),
    handler: handler as never,
  });
}

function requestSchema(
  address: string,
  {
    params = {},
    query,
    body,
  }: { [Part in 'params' | 'query' | 'body']?: Requests<TSchema, TSchema>[Part] | undefined },
): object {
  const names = [...address.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  return {
    params:
      names.length === 0
        ? undefined
        : Type.Object(Object.fromEntries(names.map((name) => [name, params[name] ?? Id]))),
    querystring: query,
    body,
  };
}
