import type { Command } from 'commander';

/** What is done with backups of the schedule, on the machine of an installation; the work is in ../backup. */
export function addBackup(program: Command): void {
  const backup = program
    .command('backup')
    .description('see, fetch and prove the backups that the platform makes on a schedule');
  backup.addHelpText(
    'after',
    `
They work on the installation that the variables of symbolon serve name, whether it runs or not. symbolon admin backup
makes a backup at once, symbolon admin restore restores one.

Examples:
  $ symbolon backup key --out backup.key
  $ symbolon backup list
  $ symbolon backup prove symbolon-eu-….backup.age --identity backup.key`,
  );
  const work = () => import('../backup/backups.ts');
  const json = ['--json', 'print JSON, of a list one object a line'] as const;

  backup
    .command('key')
    .description('make a pair of keys of age: the private one into a file, the public one printed')
    .requiredOption('--out <file>', 'new file for the private key; keep it away from the platform')
    .addHelpText('after', '\nExamples:\n  $ symbolon backup key --out backup.key')
    .action(async (options: { out: string }) => (await work()).makeKey(options));

  backup
    .command('list')
    .description(
      'list the backups at SYMBOLON_BACKUP_TO, with what was found when each was restored on trial',
    )
    .option(...json)
    .addHelpText('after', '\nExamples:\n  $ symbolon backup list')
    .action(async (options: { json?: boolean }) => (await work()).listBackups(options, process.env));

  backup
    .command('fetch')
    .description('copy a backup from SYMBOLON_BACKUP_TO to a file')
    .argument('<name>', 'as symbolon backup list shows it')
    .argument('<file>', 'a new file')
    .addHelpText('after', '\nExamples:\n  $ symbolon backup fetch symbolon-eu-….backup.age eu.backup.age')
    .action(async (name: string, file: string) => (await work()).fetchBackup(name, file, process.env));

  backup
    .command('prove')
    .description(
      'restore a backup on trial beside the installation, count it, and open what the keys encrypt',
    )
    .argument('<file>', 'made by symbolon admin backup, or on the schedule')
    .option('--identity <file>', 'file with the private key that opens it, when it is encrypted')
    .option('--data <folder>', 'data folder (SYMBOLON_DATA_DIR, default ./data)')
    .option(...json)
    .addHelpText(
      'after',
      `
It changes nothing of the installation. On PostgreSQL it makes a database for the proof and drops it
(SYMBOLON_BACKUP_SCRATCH_URL). Exit code 0 when all is as the backup says, 1 when it is not.

Examples:
  $ symbolon backup prove symbolon.backup
  $ symbolon backup prove eu.backup.age --identity backup.key`,
    )
    .action(async (file: string, options: { identity?: string; data?: string; json?: boolean }) =>
      (await work()).prove(file, options, process.env),
    );
}
