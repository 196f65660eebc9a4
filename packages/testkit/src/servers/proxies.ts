import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { baseAt, freePort, HOST } from '../platform/address.ts';
import { eventually } from '../platform/eventually.ts';
import { findTool } from '../tools.ts';
import { listening, listens } from './listening.ts';

const DEPLOYED = join(import.meta.dirname, '../../../../deploy/nginx.conf');

/** A proxy in front of a platform. */
export interface TestProxy {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * nginx as it is when nothing is configured: it reads an answer to its end, however slow its client is.
 * @param more directives, for instance those that have it ignore what the platform asks for
 */
export function startNginx(target: string, more = ''): Promise<TestProxy> {
  return startServing(
    (port) => `server { listen ${HOST}:${port}; ${more} location / { proxy_pass ${target}; } }`,
  );
}

/** nginx as its manual recommends it for servers that speak HTTP/1.1: with connections to them that stay open. */
export function startKeepingNginx(target: string): Promise<TestProxy> {
  return startServing(
    (port) => `keepalive_requests 1000000;
      upstream behind { server ${new URL(target).host}; keepalive 64; keepalive_requests 1000000; }
      server {
        listen ${HOST}:${port};
        location / {
          proxy_pass http://behind;
          proxy_http_version 1.1;
          proxy_set_header Connection "";
          proxy_set_header Host $host;
          proxy_set_header X-Forwarded-For $remote_addr;
          proxy_set_header X-Forwarded-Proto $scheme;
        }
      }`,
  );
}

/** nginx by the file of `deploy/`, in front of two processes; without TLS, so that callers need no certificate of its own. */
export function startDeployedNginx(targets: readonly [string, string]): Promise<TestProxy> {
  const [first, second] = targets.map((target) => new URL(target).host);
  return startServing((port) =>
    readFileSync(DEPLOYED, 'utf8')
      .replace('127.0.0.1:8080', first ?? '')
      .replace('127.0.0.1:8081', second ?? '')
      .replace('listen 443 ssl http2;', `listen ${HOST}:${port};`)
      .replaceAll(/^ *(listen \[::\]:443|ssl_).*$/gm, ''),
  );
}

/** @param configuration what its `http` has */
async function startServing(configuration: (port: number) => string): Promise<TestProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'symbolon-nginx-'));
  const port = await freePort();
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join(' ');
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off; master_process off; pid ${folder}/pid; error_log stderr crit; events {}
    http { access_log off; ${temporary} ${configuration(port)} }`,
  );
  const child = spawn(
    findTool('nginx') ?? 'nginx',
    ['-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf')],
    {
      stdio: 'inherit',
    },
  );
  const exited = once(child, 'exit');
  await eventually('nginx listens', async () => {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}.`);
    return (await listens(port)) ? true : undefined;
  });
  return {
    url: baseAt(port),
    async stop() {
      child.kill('SIGTERM');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A proxy that sends what all its clients ask for over one connection, and reads each answer to its end. */
export async function startPoolingProxy(target: string): Promise<TestProxy & { reset(): void }> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const sockets = new Set<{ resetAndDestroy(): unknown }>();
  const server = createServer((incoming, response) => {
    const { method, headers } = incoming;
    const upstream = request(`${target}${incoming.url}`, { agent, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on('data', (chunk) => response.write(chunk));
      answer.on('end', () => response.end());
    });
    upstream.on('socket', (socket) => sockets.add(socket));
    upstream.on('error', () => response.destroy());
    response.on('error', () => {});
    upstream.end();
  });
  const { port } = await listening(server);
  return {
    url: `http://127.0.0.1:${port}`,
    /** Breaks the connection to the target. */
    reset() {
      for (const socket of sockets) socket.resetAndDestroy();
    },
    async stop() {
      agent.destroy();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
