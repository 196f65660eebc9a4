import type { Command } from 'commander';
import { wholeFrom } from './connections.ts';

export function addPump(program: Command): void {
  const pump = program
    .command('pump')
    .description('follow the change feed and print each change, losing none')
    .option('--config <file>', 'client configuration (JSON); else SYMBOLON_CONFIG and the other variables')
    .option('--buffer <file>', 'durable buffer of changes not yet printed', 'symbolon-changes.db')
    .option('--once', 'stop when the feed is empty')
    .option('--batch <number>', 'changes to a drain, 1 to 500', wholeFrom(1, 500), 100)
    .option('--json', 'one JSON object a line')
    .addHelpText(
      'after',
      `
The platform forgets what it hands over, so every change is kept in the buffer, still encrypted, until it is printed.

Examples:
  $ symbolon pump --config client.json
  $ symbolon pump --once --json > changes.jsonl
  $ symbolon pump dead
  $ symbolon pump redrive`,
    )
    .action(async (options) => {
      const { pumpChanges } = await import('../data/pump-changes.ts');
      await pumpChanges(options);
    });

  pump
    .command('dead')
    .description('list the changes that were given up')
    .option('--buffer <file>', 'durable buffer', 'symbolon-changes.db')
    .option('--json', 'one JSON object a line')
    .action(async (_options, command: Command) => {
      const { listDeadLetters } = await import('../data/dead-letters.ts');
      await listDeadLetters(command.optsWithGlobals());
    });

  pump
    .command('redrive')
    .description('put a change that was given up, or all of them, back in line')
    .argument('[id]', 'of the change; all when left out')
    .option('--buffer <file>', 'durable buffer', 'symbolon-changes.db')
    .action(async (id: string | undefined, _options, command: Command) => {
      const { redrive } = await import('../data/dead-letters.ts');
      await redrive(id, command.optsWithGlobals());
    });
}
