import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { madeInCache, npm } from './tools.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const PROGRAMS = join(import.meta.dirname, '..', 'programs');

/** A folder outside of the repository, for tarballs and projects. */
export class Workshop implements Disposable {
  readonly folder: string = mkdtempSync(join(tmpdir(), 'symbolon-installed-'));
  readonly #tarballs: string;

  /** @param names of the packages that are packed; all when none is named */
  constructor(...names: readonly string[]) {
    this.#tarballs = join(this.folder, 'tarballs');
    const pack = [join(ROOT, 'scripts', 'pack.ts'), this.#tarballs, ...names];
    execFileSync(process.execPath, pack, { stdio: 'pipe' });
  }

  /** The tarballs of these packages. */
  tarballs(...names: string[]): string[] {
    const all = readdirSync(this.#tarballs);
    return names.map((name) =>
      join(this.#tarballs, all.find((file) => file.startsWith(`symbolon-${name}-`)) ?? name),
    );
  }

  /** What the packages need of others, packed from what `npm ci` brought: so no registry is asked. */
  packNeeds(names: readonly string[], also: readonly string[]): string[] {
    const needed = new Set(also);
    const waiting = [...names.map((name) => join(ROOT, 'packages', name)), ...also.map(installed)];
    for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
      const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      for (const name of Object.keys(dependencies)) {
        if (name.startsWith('@symbolon/') || needed.has(name)) continue;
        needed.add(name);
        waiting.push(installed(name));
      }
    }
    return tarballsOf([...needed].sort().map(installed));
  }

  /** A new project with the programs and these packages, as `npm install` leaves it. */
  project(name: string, packages: readonly string[], flags: readonly string[] = ['--offline']): string {
    const folder = join(this.folder, name);
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version: '1.0.0', private: true }));
    npm(['install', ...flags, ...packages], folder);
    cpSync(PROGRAMS, folder, { recursive: true });
    return folder;
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const installed = (name: string): string => join(ROOT, 'node_modules', name);

/** Tarballs of packages that lie in these folders. They are kept: a version is packed once. */
function tarballsOf(folders: readonly string[]): string[] {
  const manifests = folders.map((folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
  const versions = manifests.map(({ name, version }) => `${name}@${version}`);
  const kept = madeInCache('installed-needs', versions.join(' '), (fresh) => {
    // They are built already, and what builds them is not here.
    npm(['pack', ...folders, '--ignore-scripts', '--silent', '--pack-destination', fresh], fresh);
  });
  return readdirSync(kept).map((file) => join(kept, file));
}
