import type { Command } from 'commander';
import { withSignIn } from './whoami.ts';

/** A company's services, fields, webhooks and apps as a file. */
export function addCompanyFile(program: Command): void {
  compared(program.command('apply'))
    .description("make the company's services, fields, webhooks and apps as a file says")
    .option('--secrets <folder>', 'where keys and secrets go that are made, readable by you only')
    .option('--yes', 'delete without asking')
    .option('--dry-run', 'show the plan, and do nothing')
    .addHelpText(
      'after',
      `
The plan is shown first. What the file does not have stays as it is, but for what it had before: --prune deletes that. The
record of what the file owns stands beside it. Rows are published under the token that was read, so what another has
published meanwhile is not overwritten: the command is refused, and run again. A second run changes nothing.

Examples:
  $ symbolon apply -f company.yaml --secrets secrets
  $ symbolon apply -f company.yaml --prune --yes
  $ symbolon export | symbolon apply -f - --dry-run`,
    )
    .action(async (options) => {
      const { applyFile } = await import('../company-file/apply.ts');
      await applyFile(options);
    });

  compared(program.command('diff'))
    .description('say what symbolon apply would change; exit code 2 when that is something')
    .addHelpText(
      'after',
      `
Exit code 0: all is as the file says. 2: it is not. 1: anything that fails, a wrong call too.

Examples:
  $ symbolon diff -f company.yaml
  $ symbolon diff -f company.yaml --prune --json`,
    )
    .action(async (options) => {
      const { diffFile } = await import('../company-file/apply.ts');
      await diffFile(options);
    });

  withSignIn(program.command('export'))
    .description('write the file for symbolon apply, of what is there; without secrets')
    .option('--out <file>', 'write it there; never over a file that is there')
    .option('--no-apps', 'leave sign-in apps out, for a client that may not read them')
    .addHelpText(
      'after',
      '\nExamples:\n  $ symbolon export --out company.yaml\n  $ symbolon export > company.yaml',
    )
    .action(async (options) => {
      const { exportFile } = await import('../company-file/export.ts');
      await exportFile(options);
    });
}

function compared(command: Command): Command {
  return withSignIn(command)
    .requiredOption('-f, --file <file>', 'YAML or JSON; - is stdin')
    .option(
      '--owned <file>',
      'the record of what the file owns; default: the file with .owned.json behind it',
    )
    .option('--prune', 'delete what the file owned and has no longer')
    .option('--json', 'print JSON, one object a line');
}
