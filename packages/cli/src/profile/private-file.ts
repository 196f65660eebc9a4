import { randomBytes } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';

/** Where the command keeps what it remembers of its user (XDG Base Directory Specification). */
export function configFolder(): string {
  const { XDG_CONFIG_HOME: configured } = process.env;
  // A relative path is to be ignored, says the specification.
  const base = configured && isAbsolute(configured) ? configured : join(homedir(), '.config');
  return join(base, 'symbolon');
}

/** Writes a file that only its owner can read, in the place of an older one: whole or not at all. */
export function replacePrivate(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const fresh = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(fresh, text, { mode: 0o600, flag: 'wx', flush: true });
    renameSync(fresh, file);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
}
