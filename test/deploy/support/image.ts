import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  globSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';

const ROOT = join(import.meta.dirname, '../../..');
const NODE = '/nodejs/bin/node';

/** What a container engine is told about the image. */
export interface ImageConfig {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly StopSignal: string;
  readonly Healthcheck: { readonly Test: readonly string[] };
}

export type RunningImage = ChildProcessByStdio<null, Readable, Readable>;

/**
 * The image of `deploy/Dockerfile`, built by buildah. Its last stage is built as it stands; in place of the first, which installs and builds, are
 * the files of a build, and below it, in place of an image of a registry, are Node and the libraries that it and its packages load.
 */
export class Image implements Disposable {
  readonly config: ImageConfig;
  /** The file tree. */
  readonly root: string;
  readonly #folder: string;

  /** @param folder an empty one, for everything that is made */
  constructor(folder: string) {
    this.#folder = folder;
    const context = join(folder, 'context');
    const built = join(context, 'built');
    execFileSync(process.execPath, [join(ROOT, 'scripts/build.ts'), built], { stdio: 'pipe' });
    mkdirSync(join(context, 'empty'));
    this.#buildah(
      'build',
      '-t',
      'runtime',
      '-f',
      write(folder, 'base', 'FROM scratch\nCOPY . /\n'),
      runtimeOf(folder, built),
    );
    const file = readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8');
    const [, head = '', last = ''] =
      /^([\s\S]*?)FROM \$\{BUILDER\} AS build[\s\S]*?(FROM \$\{RUNTIME\}[\s\S]*)$/.exec(file) ?? [];
    const first =
      'FROM scratch AS build\nCOPY built /opt/symbolon\nCOPY empty /data\nCOPY empty /var/cache/symbolon\n';
    const dockerfile = write(folder, 'Dockerfile', `${head}${first}${last}`);
    const runtime = ['--build-arg', 'RUNTIME=localhost/runtime'];
    this.#buildah('build', '--format', 'docker', ...runtime, '-t', 'symbolon', '-f', dockerfile, context);
    this.config = JSON.parse(this.#buildah('inspect', '--type', 'image', 'symbolon')).Docker.config;
    this.root = this.#buildah('mount', this.#buildah('from', 'symbolon').trim()).trim();
  }

  /** Runs a command of the image as a container does: as its user, on a root that is read-only, with `/data` and `/tmp`. */
  run(command: readonly string[], env: Readonly<Record<string, string>> = {}): RunningImage {
    const [data, place] = ['data', 'root'].map((name) => join(this.#folder, name));
    const [uid = 0, gid = 0] = this.config.User.split(':').map(Number);
    mkdirSync(data ?? '', { recursive: true });
    mkdirSync(place ?? '', { recursive: true });
    chownSync(data ?? '', uid, gid);
    const script = `set -e
      mount --bind "$1" "$2" && mount -o remount,bind,ro "$2"
      mount --rbind /proc "$2/proc" && mount -t tmpfs tmpfs "$2/tmp" && mount --bind "$3" "$2/data"
      place=$2; shift 3
      exec setpriv --no-new-privs chroot --userspec=${uid}:${gid} --groups= "$place" "$@"`;
    return spawn(
      'unshare',
      ['--mount', 'sh', '-c', script, 'sh', this.root, place ?? '', data ?? '', ...command],
      {
        env: { ...Object.fromEntries(this.config.Env.map((text) => text.split(/=(.*)/s))), ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
  }

  [Symbol.dispose](): void {
    this.#buildah('rm', '--all');
    this.#buildah('rmi', '--all', '--force');
  }

  #buildah(command: string, ...args: readonly string[]): string {
    const [store, state] = ['store', 'state'].map((name) => join(this.#folder, name));
    const where = ['--root', store ?? '', '--runroot', state ?? '', '--storage-driver', 'overlay'];
    const flags = command === 'build' ? ['--isolation', 'chroot', '--quiet'] : [];
    return execFileSync('buildah', [...where, command, ...flags, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }
}

function write(folder: string, name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

/** The file that a path names, also by a link. */
function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
}

/** What a distroless image has, as far as it is used. */
function runtimeOf(folder: string, built: string): string {
  const base = join(folder, 'runtime');
  mkdirSync(join(base, 'tmp'), { recursive: true });
  chmodSync(join(base, 'tmp'), 0o1777);
  mkdirSync(join(base, 'proc'));
  copy(process.execPath, join(base, NODE));
  const native = [
    process.execPath,
    ...globSync('node_modules/**/*.node', { cwd: built }).map((file) => join(built, file)),
  ];
  const libraries = native.flatMap((file) =>
    [...execFileSync('ldd', [file], { encoding: 'utf8' }).matchAll(/(?:=> |^\s*)(\/(?:usr\/)?lib\S+)/gm)].map(
      ([, path = '']) => path,
    ),
  );
  for (const path of new Set(libraries)) copy(path, join(base, path));
  return base;
}
