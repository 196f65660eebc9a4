import type { Command } from 'commander';

export function addConfig(program: Command): void {
  program
    .command('config')
    .description('print the settings of a server on this machine, with where each comes from; no secret')
    .option('--changed', 'those alone that are not at their default')
    .option('--json', 'print JSON, one object a line')
    .addHelpText(
      'after',
      `
A setting that cannot be used ends it with exit code 2, as it would end symbolon serve.

Examples:
  $ symbolon config
  $ symbolon config --changed`,
    )
    .action(async (options: { changed?: boolean; json?: boolean }) => {
      const { printConfig } = await import('../serve/print-config.ts');
      await printConfig(options, process.env);
    });
}
