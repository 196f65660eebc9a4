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
    if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol)) {
      throw new ConfigError(`${name} takes a URL that begins with ${protocols.join(' or ')}.`);
    }
    return value;
  };
  return { text, optional, whole, matching, flag, url };
}
