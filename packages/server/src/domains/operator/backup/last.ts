import type { Config } from '../../../core/config.ts';
import { peekSettings } from '../../../db/peek.ts';

/** The setting with the time of the newest backup that was made to its end. */
export const MADE = 'backup.made_at';
/** The setting with the time at which the newest backup that was restored on trial was made. */
export const PROVED = 'backup.proved_at';

/** What a database says of its backups, read beside the platform; undefined when there is no database. Times in ms. */
export async function lastBackups(
  config: Pick<Config, 'dataDir' | 'databaseUrl'>,
): Promise<{ madeAt: number | undefined; provedAt: number | undefined } | undefined> {
  const settings = await peekSettings(config);
  return settings && { madeAt: settings.get<number>(MADE), provedAt: settings.get<number>(PROVED) };
}
