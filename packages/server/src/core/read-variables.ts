import { baseUrlOf } from './base-url.ts';
import { ConfigError } from './config-error.ts';
import { configVariables, type VariableName } from './config-variables.ts';

/** How variables are read; each function throws a `ConfigError`. */
export function variablesOf(environment: Readonly<Record<string, string | undefined>>) {
  const text = (name: VariableName): string => {
    const row = configVariables.find((variable) => variable.name === name);
    return environment[name] || (row?.fallback ?? '');
  };
  const optional = (name: VariableName) => text(name) || undefined;
  const whole = (name: VariableName, most: number): number => {
    const value = text(name);
    if (!/^\d{1,9}$/.test(value) || Number(value) > most) {
      throw new ConfigError(`${name} takes a whole number from 0 to ${most}, not "${value}".`);
    }
    return Number(value);
  };
  const matching = (name: VariableName, pattern: RegExp, takes: string): string => {
    const value = text(name);
    if (!pattern.test(value)) throw new ConfigError(`${name} takes ${takes}, not "${value}".`);
    return value;
  };
  const flag = (name: VariableName) => matching(name, /^(true|false)$/, 'true or false') === 'true';
  const url = (name: VariableName, protocols: readonly string[]): string | undefined => {
    const value = optional(name);
    if (value === undefined) return undefined;
    // URL would drop what stands around it, and what is made of the value would keep it.
    if (/\s/.test(value) || !URL.canParse(value) || !protocols.includes(new URL(value).protocol)) {
      throw new ConfigError(`${name} takes a URL without blanks that begins with ${protocols.join(' or ')}.`);
    }
    return value;
  };
  const base = (name: VariableName): string | undefined => {
    const value = url(name, ['http:', 'https:']);
    if (value === undefined) return undefined;
    const read = baseUrlOf(value);
    if (read !== undefined) return read;
    throw new ConfigError(
      `${name} takes a base URL at which clients reach it, without user, query and fragment, such as https://api.example.com.`,
    );
  };
  return { text, optional, whole, matching, flag, url, base };
}
