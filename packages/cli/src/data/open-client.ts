import { join } from 'node:path';
import { DataClient, type DataClientOptions, optionsFromEnvironment, optionsFromFile } from '@symbolon/sdk';
import { Problem } from '../problem.ts';
import { configFolder } from '../profile/config-folder.ts';

/**
 * What a data client is configured with: by the file, or by the environment. The keys that it seals to are remembered from one command
 * to the next: in the file that the configuration names, else in one of the user's configuration folder.
 * @throws Problem when there is nothing
 */
export function clientOptions(configFile: string | undefined): DataClientOptions {
  const options = configured(configFile);
  const file = `${encodeURIComponent(options.clientId)}.json`;
  return { knownKeysFile: join(configFolder(), 'known-keys', file), ...options };
}

function configured(configFile: string | undefined): DataClientOptions {
  if (configFile !== undefined) return optionsFromFile(configFile);
  const { env } = process;
  if (!env.SYMBOLON_CONFIG && !env.SYMBOLON_CLIENT_ID && !env.SYMBOLON_CLIENT_SECRET) {
    throw new Problem(
      'No client is configured. Give --config FILE, or set SYMBOLON_CONFIG, or SYMBOLON_URL, SYMBOLON_CLIENT_ID and SYMBOLON_CLIENT_SECRET.',
      { exitCode: 2 },
    );
  }
  return optionsFromEnvironment(env);
}

export function openClient(configFile: string | undefined): DataClient {
  return new DataClient(clientOptions(configFile));
}
