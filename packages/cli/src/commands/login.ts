import type { Command } from 'commander';

export function addLogin(program: Command): void {
  program
    .command('login')
    .description("sign in to the company's portal, for account, listen and trigger")
    .option('--url <url>', 'address of the platform (SYMBOLON_URL, default http://127.0.0.1:8080)')
    .option('--email <address>', 'of the account; else SYMBOLON_EMAIL, else it is asked')
    .option('--profile <name>', 'keep the session under this name (SYMBOLON_PROFILE)')
    .addHelpText(
      'after',
      `
The password is asked, or read from SYMBOLON_PASSWORD, and not kept. With the second factor on, so is a code, or it is read
from SYMBOLON_CODE. The session is kept, for the twelve hours it lasts unless it rests for four, in a file of the
configuration folder ($XDG_CONFIG_HOME/symbolon or ~/.config/symbolon) that only you can read.

Examples:
  $ symbolon login --url https://symbolon.example --email owner@acme.example
  $ symbolon login --profile staging --url https://staging.example`,
    )
    .action(async (options) => {
      const { logIn } = await import('../profile/log-in.ts');
      await logIn(options);
    });

  program
    .command('logout')
    .description('end the session that login keeps, and forget it')
    .option('--profile <name>', 'which session (SYMBOLON_PROFILE)')
    .addHelpText('after', '\nExamples:\n  $ symbolon logout --profile staging')
    .action(async (options) => {
      const { logOut } = await import('../profile/log-in.ts');
      await logOut(options);
    });
}
