import type { Command } from 'commander';
import { addFormerNames } from '../resources/declare.ts';

export function addAccount(program: Command): void {
  const account = program
    .command('account')
    .description('the company itself, its recovery key and the sessions of its login');

  account
    .command('recovery-key')
    .description('show the recovery key, to which passphrases of services are sealed')
    .option('--confirm <fingerprint>', 'it was compared: seal passphrases to this key')
    .option('--profile <name>', 'as whom, see symbolon login (SYMBOLON_PROFILE)')
    .option('--json', 'print JSON, one object a line')
    .addHelpText(
      'after',
      `
A platform could name a key of its own. So services are created with a recovery key whose words were compared with the person
who registered the company. Programs have its fingerprint in SYMBOLON_RECOVERY_KEY_FINGERPRINT.

Examples:
  $ symbolon account recovery-key
  $ symbolon account recovery-key --json`,
    )
    .action(async (options) => {
      const { recoveryKey } = await import('../account/recovery-key.ts');
      await recoveryKey(options);
    });
  addFormerNames(account);
}
