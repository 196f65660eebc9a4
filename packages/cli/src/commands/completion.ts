import { Argument, type Command } from 'commander';

export function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('print a script with which the shell completes commands and options')
    .addArgument(new Argument('<shell>', 'which one').choices(['bash', 'zsh']))
    .addHelpText(
      'after',
      `
Examples:
  $ source <(symbolon completion bash)                  for this shell; in ~/.bashrc for all
  $ source <(symbolon completion zsh)`,
    )
    .action(async (shell: 'bash' | 'zsh') => {
      const { printCompletion } = await import('../completion/completion.ts');
      await printCompletion(program, shell);
    });
}
