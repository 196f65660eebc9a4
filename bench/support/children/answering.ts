import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { Session } from 'node:inspector/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Usage } from '../child.ts';

interface Answering {
  /** What it answers to questions of its own kind. */
  readonly answer?: (question: never) => Promise<unknown>;
  /** Closes what keeps the process alive. */
  readonly stop?: () => Promise<void>;
}

/** A script that runs within another process, until it is ready. */
interface Guest {
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly ready: (ready: { readonly ready: unknown } & Answering) => void;
}

let guest: Guest | undefined;
let guests = 0;
let turn: Promise<unknown> = Promise.resolve();

/** Runs a script in this process. Scripts begin one after the other, each with state of its own. */
export function host(url: URL, args: readonly string[], env: NodeJS.ProcessEnv) {
  const run = async () => {
    const { promise, resolve: ready } = Promise.withResolvers<{ readonly ready: unknown } & Answering>();
    guest = { args, env, ready };
    try {
      // Each address is a module of its own.
      await import(`${url.href}?guest=${guests++}`);
      return await promise;
    } finally {
      guest = undefined;
    }
  };
  const begun = turn.then(run);
  turn = begun.catch(() => {});
  return begun;
}

/** The arguments of the script. */
export function childArguments(): readonly string[] {
  return guest?.args ?? process.argv.slice(2);
}

export function childEnvironment(): NodeJS.ProcessEnv {
  return guest?.env ?? process.env;
}

/** The child's half of `Child`: says that it is ready, answers questions, and ends itself by letting go of everything. */
export function answering(ready: unknown, options: Answering = {}): void {
  if (guest !== undefined) {
    guest.ready({ ready, ...options });
    return;
  }
  process.on('message', async (question: { usage?: true; stop?: true }) => {
    if (question.stop) {
      await profile.end();
      await options.stop?.();
      process.disconnect();
    } else if (question.usage) {
      await profile.begin();
      process.send?.(usage());
    } else {
      process.send?.(await options.answer?.(question as never));
    }
  });
  // Whoever asks may die: then no caller is left.
  process.once('disconnect', () => process.exit());
  process.send?.({ ready });
}

/** The processor profile of this process, written to the folder PROFILE_TO. */
const profile = {
  folder: process.env.PROFILE_TO ?? '',
  session: undefined as Session | undefined,
  /** Without what the start took. */
  async begin() {
    if (this.folder === '' || this.session !== undefined) return;
    this.session = new Session();
    this.session.connect();
    await this.session.post('Profiler.enable');
    await this.session.post('Profiler.start');
  },
  async end() {
    if (this.session === undefined) return;
    const { profile } = await this.session.post('Profiler.stop');
    await mkdir(this.folder, { recursive: true });
    const role = (process.env.SYMBOLON_ROLES ?? 'platform').replaceAll(',', '-');
    await writeFile(join(this.folder, `${role}-${process.pid}.cpuprofile`), JSON.stringify(profile));
  },
};

/** Like `answering`, for a server: listens on a free port of this machine, and is ready with its base URL. */
export async function serving(server: Server, answer?: (question: never) => Promise<unknown>): Promise<void> {
  // Longer than a client lets a connection rest.
  server.keepAliveTimeout = 72_000;
  await once(server.listen(0, '127.0.0.1', 2048), 'listening');
  answering(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
    ...(answer && { answer }),
    async stop() {
      server.close();
      server.closeAllConnections();
    },
  });
}

export function usage(): Usage {
  const { user, system } = process.cpuUsage();
  return {
    cpuMicros: user + system,
    rss: process.memoryUsage.rss(),
    // Kilobytes on every platform (Node's own convention).
    peakRss: process.resourceUsage().maxRSS * 1024,
  };
}
