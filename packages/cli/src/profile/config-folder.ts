import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Where the command keeps what it remembers of its user (XDG Base Directory Specification). */
export function configFolder(): string {
  const { XDG_CONFIG_HOME: configured } = process.env;
  // A relative path is to be ignored, says the specification.
  const base = configured && isAbsolute(configured) ? configured : join(homedir(), '.config');
  return join(base, 'symbolon');
}
