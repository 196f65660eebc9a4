import { openDatabase, planUpgrade, takeFolder, version } from '@symbolon/server';
import { configAt } from '../serve/config-at.ts';
import { startProblem } from '../serve/start-problem.ts';
import { writeLine } from '../terminal/output.ts';
import { jsonLine } from '../terminal/text.ts';

/** Brings the schema up to date, as a start does, and ends. */
export async function migrate(
  options: { data?: string; json?: boolean },
  environment: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const config = configAt(environment, options);
  try {
    const before = await planUpgrade(config);
    const unlock = config.databaseUrl === undefined ? takeFolder(config) : () => {};
    try {
      const database = await openDatabase(config);
      await database.stop();
    } finally {
      unlock();
    }
    const after = await planUpgrade(config);
    const ran = (before?.pending ?? ['all']).filter((name) => !after?.pending.includes(name));
    if (options.json) return await writeLine(jsonLine({ version, from: before?.writtenBy ?? null, ran }));
    const from = before?.writtenBy === undefined ? '' : ` (before: ${before.writtenBy})`;
    await writeLine(
      ran.length === 0
        ? `The database is of version ${version} already.`
        : `The database is now of version ${version}${from}.`,
    );
  } catch (error) {
    throw startProblem(error, config);
  }
}
