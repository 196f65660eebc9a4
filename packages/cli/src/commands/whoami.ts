import type { Command } from 'commander';

export function addWhoami(program: Command): void {
  withSignIn(program.command('whoami'))
    .description('say as whom the commands act, and where that sign-in was found')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      '\nExamples:\n  $ symbolon whoami\n  $ symbolon whoami --config client.json --json\n  $ symbolon whoami --profile staging',
    )
    .action(async (options) => {
      const { whoAmI } = await import('../api/whoami.ts');
      await whoAmI(options);
    });
}

/** The two options that name a sign-in. */
export function withSignIn(command: Command): Command {
  return command
    .option('--config <file>', 'act as the client of this file (JSON): a data client or an account client')
    .option('--profile <name>', 'act as the portal session that symbolon login keeps under this name');
}
