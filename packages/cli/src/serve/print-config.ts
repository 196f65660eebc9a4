import { effectiveSettings, readConfig } from '@symbolon/server';
import { writeLine } from '../terminal/output.ts';
import { printable } from '../terminal/text.ts';

/** Prints what the platform would be started with. @throws ConfigError */
export async function printConfig(
  { changed, json }: { changed?: boolean; json?: boolean },
  environment: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  readConfig(environment);
  const settings = effectiveSettings(environment).filter(
    ({ source }) => changed !== true || source !== 'default',
  );
  for (const setting of settings) {
    const { name, value, source } = setting;
    await writeLine(json === true ? JSON.stringify(setting) : `${name}=${printable(value)}  (${source})`);
  }
}
