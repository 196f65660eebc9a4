import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { npm } from './tools.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const PROGRAMS = join(import.meta.dirname, '..', 'programs');

/** A folder outside of the repository, for tarballs and projects. */
export class Workshop implements Disposable {
  readonly folder: string = mkdtempSync(join(tmpdir(), 'symbolon-installed-'));
  readonly #tarballs: string;

  constructor() {
    this.#tarballs = join(this.folder, 'tarballs');
    execFileSync(process.execPath, [join(ROOT, 'scripts', 'pack.ts'), this.#tarballs], { stdio: 'pipe' });
  }

  /** The tarballs of these packages. */
  tarballs(...names: string[]): string[] {
    const all = readdirSync(this.#tarballs);
    return names.map((name) =>
      join(this.#tarballs, all.find((file) => file.startsWith(`symbolon-${name}-`)) ?? name),
    );
  }

  /** What the packages need of others, packed from what `npm ci` brought: so no registry is asked. */
  packInstalled(names: readonly string[]): string[] {
    const folders = names.map((name) => join(ROOT, 'node_modules', name));
    // They are built already, and what builds them is not here.
    const flags = ['--ignore-scripts', '--silent', '--pack-destination', this.#tarballs];
    const packed = npm(['pack', ...folders, ...flags], this.folder);
    return packed
      .trim()
      .split('\n')
      .map((file) => join(this.#tarballs, file));
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
