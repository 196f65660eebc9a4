import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from './ports.ts';

/** nginx in front of servers, each on a port of its own, set up as its manual recommends for HTTP/1.1 upstreams. */
export class Nginx implements AsyncDisposable {
  /** Base URLs in the order of the upstreams. */
  readonly urls: readonly string[];
  readonly #process: ChildProcess;
  readonly #folder: string;

  private constructor(process: ChildProcess, folder: string, urls: readonly string[]) {
    this.#process = process;
    this.#folder = folder;
    this.urls = urls;
  }

  /** Undefined where there is no nginx. @param upstreams base URLs */
  static async start(upstreams: readonly string[]): Promise<Nginx | undefined> {
    const folder = await mkdtemp(join(tmpdir(), 'symbolon-nginx-'));
    const ports = await freePorts(upstreams.length);
    const config = join(folder, 'nginx.conf');
    await writeFile(config, configuration(folder, upstreams, ports));
    const child = spawn('nginx', ['-c', config, '-e', join(folder, 'error.log')], { stdio: 'ignore' });
    try {
      await once(child, 'spawn');
    } catch {
      await rm(folder, { recursive: true });
      return undefined;
    }
    const nginx = new Nginx(
      child,
      folder,
      ports.map((port) => `http://127.0.0.1:${port}`),
    );
    for (const port of ports) await accepting(port);
    return nginx;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const exited = once(this.#process, 'exit');
    this.#process.kill('SIGTERM');
    await exited;
    await rm(this.#folder, { recursive: true, force: true });
  }
}

function configuration(folder: string, upstreams: readonly string[], ports: readonly number[]): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join(' ');
  const servers = upstreams.map(
    (url, index) => `
  upstream side${index} { server ${new URL(url).host}; keepalive 64; keepalive_requests 1000000; }
  server {
    listen 127.0.0.1:${ports[index]};
    location / {
      proxy_pass http://side${index};
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $host;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_set_header X-Forwarded-Proto $scheme;
    }
  }`,
  );
  return `daemon off; worker_processes 1; pid ${folder}/pid;
events { worker_connections 512; }
http { access_log off; keepalive_requests 1000000; ${temporary}${servers.join('')}
}
`;
}

/** Resolves once something listens on a port. */
async function accepting(port: number): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const socket = connect({ host: '127.0.0.1', port });
    try {
      await once(socket, 'connect');
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    } finally {
      socket.destroy();
    }
  }
  throw new Error('nginx does not listen.');
}
