import { type Config, readConfig } from '@symbolon/server';

/** The configuration that variables say; `--data` wins over their data folder. @throws {ConfigError} */
export const configAt = (
  environment: Readonly<Record<string, string | undefined>>,
  { data }: { readonly data?: string },
): Config => readConfig({ ...environment, ...(data !== undefined && { SYMBOLON_DATA_DIR: data }) });
