import { Argument, type Command } from 'commander';

export function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('print a script with which the shell completes commands, options and names')
    .addArgument(new Argument('<shell>', 'which one').choices(['bash', 'zsh', 'fish']))
    .addHelpText(
      'after',
      `
Names of services, fields, webhooks, apps and others are asked of the platform, by the sign-in that the command would use.

Examples:
  $ source <(symbolon completion bash)                  for this shell; in ~/.bashrc for all
  $ source <(symbolon completion zsh)
  $ symbolon completion fish | source                   in ~/.config/fish/config.fish for all`,
    )
    .action(async (shell: 'bash' | 'zsh' | 'fish') => {
      const { printCompletion } = await import('../completion/completion.ts');
      await printCompletion(program, shell);
    });

  program
    .command('__values', { hidden: true })
    .argument('<kind>')
    .argument('[word...]')
    .action(async (kind: string, words: string[]) => {
      const { printValues } = await import('../completion/values.ts');
      await printValues(kind, words);
    });
}
