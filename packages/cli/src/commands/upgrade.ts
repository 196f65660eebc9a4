import type { Command } from 'commander';
import type { CheckOptions } from '../upgrade/check-upgrade.ts';

/** What is done around an upgrade, on the machine of an installation; the work is in ../upgrade. */
export function addUpgrade(program: Command): void {
  const upgrade = program.command('upgrade').description('find out what this version would do to a database');
  upgrade
    .command('check')
    .description('look at the database before this version is started on it; changes nothing')
    .option('--data <folder>', 'data folder (SYMBOLON_DATA_DIR, default ./data)')
    .option(
      '--backup-elsewhere',
      "PostgreSQL's own tools make the backups: do not ask for one of the platform's",
    )
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Run it with the new version and the variables of symbolon serve, while the old version serves. Exit code 0: replace one
process after the other; 3: stop all processes first; 1: do not start this version; 2: a setting that cannot be used.

Examples:
  $ symbolon upgrade check
  $ symbolon upgrade check --backup-elsewhere --json`,
    )
    .action(async (options: CheckOptions) => {
      const { checkUpgrade } = await import('../upgrade/check-upgrade.ts');
      await checkUpgrade(options, process.env);
    });

  program
    .command('migrate')
    .description('bring the database up to date and end; for a job that runs before the processes start')
    .option('--data <folder>', 'data folder (SYMBOLON_DATA_DIR, default ./data)')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
symbolon serve does the same when it starts. All that is to do is one transaction: whatever ends it leaves the database as
it was, and the next attempt begins again. Of several at once one works, and the others wait for it.

Examples:
  $ symbolon migrate
  $ DATABASE_URL=postgres://… symbolon migrate --json`,
    )
    .action(async (options: { data?: string; json?: boolean }) => {
      const { migrate } = await import('../upgrade/migrate.ts');
      await migrate(options, process.env);
    });
}
