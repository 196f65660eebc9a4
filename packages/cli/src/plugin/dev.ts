import { existsSync, watch } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { SHARED, writeNew } from '../files/whole-file.ts';
import { writeLine } from '../terminal/output.ts';
import { jsonLine } from '../terminal/text.ts';
import { untilSignal } from '../terminal/until-signal.ts';
import type { DevMessage, DevPlugin } from './messages.ts';
import { SAMPLE } from './sample.ts';
import { linesOf } from './shown.ts';

const KEY_FILE = 'plugin-key.pem';
/** Editors write a file in several steps. */
const SETTLED_MS = 50;
const SOURCES = /\.([cm]?[jt]s|json)$/;

/** Runs a plugin until Ctrl-C, its newest version at any time. */
export async function devPlugin(
  named: string,
  options: { port: number; token?: string; json?: boolean },
): Promise<void> {
  const file = resolve(named);
  const folder = dirname(file);
  const isNew = !existsSync(file);
  if (isNew) await writeNew(file, SAMPLE, SHARED);
  const running = new RunningPlugin(
    { file, keyFile: join(folder, KEY_FILE), port: options.port, token: options.token },
    (message) => show(message, options.json === true),
  );
  if (isNew && !options.json) await writeLine(`Wrote ${basename(file)}, a plugin to begin with.`);
  const { signalled, forget } = untilSignal();
  let settling: NodeJS.Timeout | undefined;
  const watcher = watch(folder, (_, changed) => {
    if (changed === null || !SOURCES.test(changed)) return;
    clearTimeout(settling);
    settling = setTimeout(() => running.load(), SETTLED_MS);
  });
  try {
    running.load();
    await Promise.race([signalled, running.closed]);
  } finally {
    forget();
    watcher.close();
    clearTimeout(settling);
    await running.stop();
  }
}

async function show(message: DevMessage, json: boolean): Promise<void> {
  await writeLine(json ? jsonLine(message) : linesOf(message));
}

/** One worker at a time: the newest version of the module. */
class RunningPlugin {
  #plugin: DevPlugin;
  readonly #show: (message: DevMessage) => Promise<void>;
  #worker: Worker | undefined;
  /** Versions are loaded one after another, since they share a port. */
  #loading = Promise.resolve();
  readonly #closed = Promise.withResolvers<never>();

  constructor(plugin: DevPlugin, shown: (message: DevMessage) => Promise<void>) {
    this.#plugin = plugin;
    this.#show = shown;
  }

  /** Rejects when the output is closed. */
  get closed(): Promise<never> {
    return this.#closed.promise;
  }

  load(): void {
    this.#loading = this.#loading.then(() => this.#reload());
  }

  async stop(): Promise<void> {
    await this.#loading;
    await this.#worker?.terminate();
  }

  async #reload(): Promise<void> {
    await this.#worker?.terminate();
    const worker = new Worker(new URL('./dev-worker.ts', import.meta.url), { workerData: this.#plugin });
    this.#worker = worker;
    await new Promise<void>((loaded) => {
      worker.on('message', (message: DevMessage) => {
        // The platform knows the plugin by its address: a free port that was taken stays.
        if (message.type === 'ready') this.#plugin = { ...this.#plugin, port: message.port };
        this.#show(message).catch(this.#closed.reject);
        if (message.type === 'ready' || message.type === 'unusable') loaded();
      });
      worker.once('error', (error) => {
        this.#show({ type: 'unusable', message: String(error) }).catch(this.#closed.reject);
      });
      worker.once('exit', () => loaded());
    });
  }
}
