import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** What a judge may take for one file, in milliseconds. */
const PATIENCE = 60_000;

/** Whether qpdf finds neither faults nor anything to warn of. */
export function isClean(path: string): boolean {
  return spawnSync('qpdf', ['--check', path], { timeout: PATIENCE }).status === 0;
}

/** What pdfsig has against the last signature: that it is not valid, or not over the whole file. */
export function signatureProblem(path: string): string[] {
  const { stdout } = spawnSync('pdfsig', ['-nocert', path], { encoding: 'utf8', timeout: PATIENCE });
  const last = stdout.split(/^Signature #/m).at(-1) ?? '';
  if (!last.includes('Signature is Valid')) return ['pdfsig does not find the signature valid'];
  return last.includes('Not total document signed') ? ['pdfsig finds more than was signed'] : [];
}

type Draw = (path: string, page: number, desk: string) => void;

const DRAWN: Readonly<Record<string, Draw>> = {
  pdftoppm: (path, page, desk) =>
    draw('pdftoppm', ['-r', '40', '-gray', '-f', `${page}`, '-l', `${page}`, path, join(desk, 'drawn')]),
  mutool: (path, page, desk) =>
    draw('mutool', ['draw', '-q', '-r', '40', '-c', 'gray', '-o', join(desk, 'drawn.pgm'), path, `${page}`]),
};

/** Compares the first and the last page of the document before and after sealing, dot by dot. */
export function pixelsDiffer(before: string, after: string, pages: number, desk: string): string[] {
  return Object.entries(DRAWN).flatMap(([program, render]) =>
    [...new Set([1, pages])].flatMap((page) => {
      const [old, now] = [before, after].map((path) => picture(render, path, page, desk));
      if (old === undefined) return []; // It cannot draw the page at all.
      return now !== undefined && old.equals(now) ? [] : [`${program} draws page ${page} otherwise`];
    }),
  );
}

function picture(render: Draw, path: string, page: number, desk: string): Buffer | undefined {
  const drawn = () => readdirSync(desk).filter((name) => name.startsWith('drawn'));
  for (const name of drawn()) rmSync(join(desk, name));
  render(path, page, desk);
  const [name] = drawn();
  return name === undefined ? undefined : readFileSync(join(desk, name));
}

function draw(program: string, args: readonly string[]): void {
  spawnSync(program, args, { stdio: 'ignore', timeout: PATIENCE });
}
