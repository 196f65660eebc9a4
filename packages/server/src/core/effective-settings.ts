import { sentinelPlace } from './config-redis.ts';
import { configVariables } from './config-variables.ts';
import { fileVariable, secretVariables, withSecretFiles } from './secret-files.ts';

/** A variable as the platform reads it. */
export interface EffectiveSetting {
  readonly name: string;
  /** Empty: none. Of a secret nothing but where it leads is shown. */
  readonly value: string;
  readonly source: 'default' | 'environment' | 'file';
}

const MASK = '****';
/** Those of the object store are no variables of Symbolon, and have no defaults. */
const OTHERS = secretVariables.filter((name) => !configVariables.some((row) => row.name === name));

/**
 * What the platform reads, and from where.
 * @throws {ConfigError} for a file that cannot be read
 */
export function effectiveSettings(
  environment: Readonly<Record<string, string | undefined>>,
): EffectiveSetting[] {
  const read = withSecretFiles(environment);
  const names = [
    ...configVariables.map(({ name, fallback }) => ({ name: name as string, fallback: fallback as string })),
    ...OTHERS.filter((name) => read[name]).map((name) => ({ name: name as string, fallback: '' })),
  ];
  return names.map(({ name, fallback }) => {
    const value = read[name] || fallback;
    const isSecret = secretVariables.some((secret) => secret === name);
    const isFile = isSecret && Boolean(environment[fileVariable(name)]);
    return {
      name,
      value: isSecret && value !== '' ? masked(value) : value,
      source: isFile ? 'file' : read[name] ? 'environment' : 'default',
    };
  });
}

/** Of a URL its host and path are no secret. */
function masked(value: string): string {
  const url = sentinelPlace(value) ?? URL.parse(value);
  return url === null || url.host === '' ? MASK : `${url.protocol}//${MASK}@${url.host}${url.pathname}`;
}
