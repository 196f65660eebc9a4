import { ConfigError } from './config-error.ts';
import { fileVariable, secretVariables } from './secret-files.ts';

/** Variables of the client programs, which may stand in the same environment. */
const CLIENT_NAMES = [
  'ACCOUNT_CLIENT_ID',
  'ACCOUNT_CLIENT_SECRET',
  'ACCOUNT_KEY_FILE',
  'ACCOUNT_KEY_PASSPHRASE',
  'CLIENT_ID',
  'CLIENT_SECRET',
  'CODE',
  'CONFIG',
  'DEBUG',
  'EMAIL',
  'KNOWN_KEYS_FILE',
  'NO_DECRYPT_THREADS',
  'PASSPHRASE',
  'PASSWORD',
  'PRIVATE_KEY_FILE',
  'PROFILE',
  'RECOVERY_KEY_FINGERPRINT',
  'SANDBOX_EMAIL',
  'TOKEN',
  'URL',
].map((name) => `SYMBOLON_${name}`);

/**
 * Refuses a variable whose name is nearly one that is read: it would have no effect. Names that are like none are left alone:
 * container platforms set variables such as SYMBOLON_SERVICE_HOST.
 * @throws {ConfigError} with the nearest name
 */
export function refuseMisspelt(
  environment: Readonly<Record<string, string | undefined>>,
  known: readonly { readonly name: string }[],
): void {
  const names = [...known.map(({ name }) => name), ...secretVariables.map(fileVariable), ...CLIENT_NAMES];
  for (const name of Object.keys(environment)) {
    if (!name.startsWith('SYMBOLON_') || name.startsWith('SYMBOLON_TEST_') || names.includes(name)) continue;
    const most = Math.ceil((name.length - 'SYMBOLON_'.length) / 3);
    const [nearest] = names
      .map((other) => ({ other, distance: distanceOf(name, other) }))
      .filter(({ distance }) => distance <= Math.min(most, 3))
      .sort((a, b) => a.distance - b.distance);
    if (nearest !== undefined)
      throw new ConfigError(`${name} is not a variable of Symbolon. Did you mean ${nearest.other}?`);
  }
}

/** How many characters must be added, removed or replaced (Levenshtein). */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, character] of [...one].entries()) {
    const next = [index + 1];
    for (const [place, wanted] of [...other].entries()) {
      const replaced = (row[place] ?? 0) + (character === wanted ? 0 : 1);
      next.push(Math.min(replaced, (row[place + 1] ?? 0) + 1, (next[place] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
