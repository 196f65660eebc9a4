import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { createPlugin, nodePlugin, type PluginDefinition, pluginKey } from '@symbolon/sdk/plugin';
import { readManifest } from '@symbolon/server/plugin-manifest';
import type { DevMessage, DevPlugin } from './messages.ts';

/** One version of a plugin, until its file changes: a worker ends with all that the module has loaded. */
const { file, keyFile, port, token } = workerData as DevPlugin;
const tell = (message: DevMessage) => parentPort?.postMessage(message);

try {
  const { plugin: defined } = (await import(pathToFileURL(file).href)) as { plugin?: PluginDefinition };
  if (typeof defined?.name !== 'string' || !Array.isArray(defined.fields))
    throw new Error('The module must export plugin = { name, fields }.');
  const plugin = createPlugin({
    ...defined,
    key: await pluginKey(keyFile),
    token,
    onCall: (request, reply, durationMs) => tell({ type: 'call', request, reply, durationMs }),
    onError: (error) => tell({ type: 'failed', message: textOf(error) }),
  });
  // The platform reads it by the same rules when the plugin is added.
  const authorization = token === undefined ? undefined : `Bearer ${token}`;
  const { body } = await plugin.handle({ method: 'GET', path: '/manifest', authorization, body: '' });
  const read = await readManifest(Buffer.from(JSON.stringify(body)));
  if ('problem' in read) throw new Error(read.problem);
  const handle: typeof plugin.handle = async (request) => {
    const reply = await plugin.handle(request);
    const { method, path } = request;
    if (reply.status !== 200) tell({ type: 'refused', method, path, status: reply.status });
    else if (path === '/manifest') tell({ type: 'described' });
    return reply;
  };
  const server = createServer(nodePlugin({ maxBytes: plugin.maxBytes, handle }));
  server.once('error', (error) => tell({ type: 'unusable', message: textOf(error) }));
  server.listen(port, '127.0.0.1', () => {
    const { port: taken } = server.address() as AddressInfo;
    tell({ type: 'ready', name: defined.name, fields: defined.fields.map(({ key }) => key), port: taken });
  });
} catch (error) {
  tell({ type: 'unusable', message: textOf(error) });
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { name, message, stack = '' } = error;
  // The stack of a syntax error begins with the place.
  return stack.startsWith(name) ? stack : `${name}: ${message}\n${stack}`;
}
