import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Plugin, PluginHttpReply } from './plugin.ts';

/**
 * A listener for `node:http`.
 *
 * @param base the path of the plugin's base URL, without a trailing slash
 * @example
 * createServer(nodePlugin(plugin)).listen(8090);
 */
export function nodePlugin(
  plugin: Pick<Plugin, 'handle' | 'maxBytes'>,
  base = '',
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    const body = await bodyOf(request, plugin.maxBytes);
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    const reply: PluginHttpReply =
      body === undefined
        ? { status: 413, body: { error: 'too_large' } }
        : await plugin.handle({
            method: request.method ?? '',
            path: path.startsWith(base) ? path.slice(base.length) : '',
            authorization: request.headers.authorization,
            body,
          });
    if (response.destroyed) return;
    response.writeHead(reply.status, { 'content-type': 'application/json; charset=utf-8' });
    response.end(JSON.stringify(reply.body));
  };
}

/** Undefined when it is larger than it may be, or the caller hung up. */
async function bodyOf(request: IncomingMessage, mostBytes: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of request) {
      length += (chunk as Buffer).length;
      if (length > mostBytes) return undefined;
      chunks.push(chunk as Buffer);
    }
  } catch {
    return undefined;
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The part of a Fastify instance that is used here. */
export type PluginScope = {
  removeAllContentTypeParsers: () => unknown;
  addContentTypeParser: (
    contentType: string,
    options: { parseAs: 'string'; bodyLimit: number },
    parser: (request: unknown, body: string, done: (error: Error | null, body?: unknown) => void) => void,
  ) => unknown;
  route: (options: {
    method: 'GET' | 'POST';
    url: string;
    handler: (
      request: { headers: { authorization?: string | undefined }; body: unknown },
      reply: { code: (status: number) => { send: (body: unknown) => unknown } },
    ) => Promise<unknown>;
  }) => unknown;
};

/**
 * A Fastify plugin with the two routes of a plugin at its prefix.
 *
 * @example
 * await app.register(fastifyPlugin(plugin), { prefix: '/streets' });
 */
export function fastifyPlugin(plugin: Plugin): (scope: PluginScope) => Promise<void> {
  return async (scope) => {
    scope.removeAllContentTypeParsers();
    const options = { parseAs: 'string', bodyLimit: plugin.maxBytes } as const;
    scope.addContentTypeParser('*', options, (_, body, done) => done(null, body));
    for (const [method, path] of [
      ['GET', '/manifest'],
      ['POST', '/call'],
    ] as const)
      scope.route({
        method,
        url: path,
        handler: async ({ headers: { authorization }, body }, reply) => {
          const text = typeof body === 'string' ? body : '';
          const answer = await plugin.handle({ method, path, authorization, body: text });
          return reply.code(answer.status).send(answer.body);
        },
      });
  };
}
