import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** What a file imports as it runs, at once or later, and the other modules that it names (children of processes, workers). */
const IMPORT = /(?:^|\n)\s*(?:import|export)\s(?!type\s)(?:[^'";]*?\sfrom\s+)?['"]([^'"]+)['"]/g;
const LATER = /\bimport\(\s*['"]([^'"]+)['"]/g;
const NAMED = /(?:new URL\(\s*|import\.meta\.dirname,\s*)['"]([^'"]+\.(?:ts|tsx|py))['"]/g;
const WORKSPACE = /^@symbolon\/([^/]+)(?:\/(.+))?$/;

/** The imports of the repository's files, read when they are first asked for. */
export class ImportGraph {
  readonly #root: string;
  readonly #imports = new Map<string, readonly string[]>();
  readonly #manifests = new Map<string, Manifest>();

  constructor(root: string) {
    this.#root = root;
  }

  /** @returns files of the repository as paths from its root, and other modules by their names, such as `node:net` */
  importsOf(file: string): readonly string[] {
    const known = this.#imports.get(file);
    if (known !== undefined) return known;
    const path = join(this.#root, file);
    const text = existsSync(path) && /\.[cm]?tsx?$/.test(file) ? readFileSync(path, 'utf8') : '';
    const named = [IMPORT, LATER, NAMED].flatMap((pattern) => [...text.matchAll(pattern)]);
    const found = [...new Set(named.flatMap(([, to = '']) => this.#resolve(file, to)))];
    this.#imports.set(file, found);
    return found;
  }

  /** Everything that some files lead to, with them. @param follows whether a file's own imports count */
  reach(files: readonly string[], follows: (file: string) => boolean = () => true): Set<string> {
    const reached = new Set(files);
    for (const file of reached) {
      if (!follows(file)) continue;
      for (const next of this.importsOf(file)) reached.add(next);
    }
    return reached;
  }

  #resolve(file: string, to: string): string[] {
    if (to.startsWith('.')) return [normalize(join(dirname(file), to))];
    const [, own = ''] = /^packages\/([^/]+)\//.exec(file) ?? [];
    // One of several files, by where the package runs.
    if (to.startsWith('#')) return targetsIn(own, this.#manifest(own).imports?.[to]);
    const [, name, path] = WORKSPACE.exec(to) ?? [];
    if (name === undefined) return [to];
    const asked = path === undefined ? '.' : `./${path}`;
    for (const [pattern, target] of Object.entries(this.#manifest(name).exports ?? {})) {
      const [start = '', end] = pattern.split('*');
      if (pattern === asked) return targetsIn(name, target);
      if (end !== undefined && asked.startsWith(start)) {
        return targetsIn(name, target).map((one) => one.replace('*', asked.slice(start.length)));
      }
    }
    return [to];
  }

  #manifest(name: string): Manifest {
    const known = this.#manifests.get(name);
    if (known !== undefined) return known;
    const path = join(this.#root, 'packages', name, 'package.json');
    const manifest: Manifest = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
    this.#manifests.set(name, manifest);
    return manifest;
  }
}

interface Manifest {
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly imports?: Readonly<Record<string, unknown>>;
}

/** The files that an entry of `exports` or `imports` names, under any condition. */
function targetsIn(name: string, entry: unknown): string[] {
  if (typeof entry === 'string') return [normalize(join('packages', name, entry))];
  return Object.values(entry ?? {}).flatMap((one) => targetsIn(name, one));
}
