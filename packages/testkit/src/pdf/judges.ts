import assert from 'node:assert/strict';
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

/** Programs of others that judge what this package writes. */
type Program =
  | 'pdfsig'
  | 'qpdf'
  | 'mutool'
  | 'pdftotext'
  | 'pdftoppm'
  | 'pdffonts'
  | 'pdfdetach'
  | 'certutil'
  | 'openssl';

/** A folder for the programs, made when it is needed and removed after the file's tests. */
export class Desk {
  #path: string | undefined;

  constructor() {
    after(() => this.#path && rmSync(this.#path, { recursive: true }));
  }

  get path(): string {
    this.#path ??= mkdtempSync(join(tmpdir(), 'pdf-'));
    return this.#path;
  }

  file(name: string, content: Uint8Array | string): string {
    const path = join(this.path, name);
    writeFileSync(path, content);
    return path;
  }

  read(name: string): Buffer {
    return readFileSync(join(this.path, name));
  }

  run(program: Program, ...args: string[]): SpawnSyncReturns<string> {
    return spawnSync(program, args, {
      cwd: this.path,
      encoding: 'utf8',
      maxBuffer: 64 << 20,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  must(program: Program, ...args: string[]): string {
    const { status, stdout, stderr } = this.run(program, ...args);
    assert.equal(status, 0, `${program} ${args.join(' ')}\n${stdout}\n${stderr}`);
    return stdout;
  }

  /** What pdfsig says of each signature, with these roots. */
  pdfsig(pdf: Uint8Array, ...roots: string[]): { valid: boolean; trusted: boolean; whole: boolean }[] {
    const store = mkdtempSync(join(this.path, 'roots-'));
    this.must('certutil', '-N', '-d', store, '--empty-password');
    for (const [index, root] of roots.entries()) {
      const pem = this.file(`root-${index}.pem`, root);
      this.must('certutil', '-A', '-d', store, '-n', `root-${index}`, '-t', 'C,C,C', '-i', pem);
    }
    const { stdout } = this.run('pdfsig', '-nssdir', store, this.file('signed.pdf', pdf));
    return stdout
      .split(/^Signature #/m)
      .slice(1)
      .map((part) => ({
        valid: part.includes('Signature is Valid'),
        trusted: part.includes('Certificate is Trusted'),
        whole: part.includes('Total document signed') && !part.includes('Not total document signed'),
      }));
  }

  /** What qpdf finds wrong. */
  qpdf(pdf: Uint8Array): string[] {
    const { stdout, stderr } = this.run('qpdf', '--check', this.file('checked.pdf', pdf));
    return `${stdout}${stderr}`
      .split('\n')
      .filter(
        (line) =>
          /warning|error(?!s found)|not |damaged/i.test(line) &&
          !line.includes('No syntax') &&
          !line.includes('cannot detect') &&
          !/^File is not/.test(line),
      );
  }

  text(pdf: Uint8Array, page: number): string {
    return this.must(
      'pdftotext',
      '-f',
      `${page}`,
      '-l',
      `${page}`,
      '-layout',
      this.file('read.pdf', pdf),
      '-',
    );
  }

  /** The file as qpdf writes it with these options. */
  rewritten(pdf: Uint8Array, ...options: string[]): Buffer {
    this.must('qpdf', ...options, this.file('before.pdf', pdf), join(this.path, 'after.pdf'));
    return this.read('after.pdf');
  }
}
