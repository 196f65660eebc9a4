import type { Command } from 'commander';

export function addRegister(program: Command): void {
  program
    .command('register')
    .description('register a company, and sign in as it')
    .requiredOption('--name <name>', 'what people see')
    .requiredOption('--email <address>', 'of its login; a code is mailed there')
    .option('--url <url>', 'address of the platform (SYMBOLON_URL, default http://127.0.0.1:8080)')
    .option(
      '--password-file <file>',
      'a file with the password, - is stdin; else SYMBOLON_PASSWORD, else it is asked',
    )
    .option('--code-file <file>', 'where the code will stand, - is stdin; else it is asked')
    .option('--without-code', 'the platform is a closed installation, which mails none')
    .option('--out <file>', 'write the recovery code there, readable by you only, and show it nowhere')
    .option('--profile <name>', 'keep the session under this name (SYMBOLON_PROFILE)')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Calls:
  POST /api/portal/register
  POST /api/portal/register/confirm

The keys of the company are made here. The recovery code is the only way back after a lost password: it is shown this once.

Examples:
  $ symbolon register --name Acme --email owner@acme.example --url https://symbolon.example
  $ symbolon register --name Acme --email owner@acme.example --password-file password.txt --without-code --out recovery.txt`,
    )
    .action(async (options) => {
      const { registerCompany } = await import('../profile/register.ts');
      await registerCompany(options);
    });
}
