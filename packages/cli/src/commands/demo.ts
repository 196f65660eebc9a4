import type { Command } from 'commander';
import { wholeFrom } from './connections.ts';

export function addDemo(program: Command): void {
  program
    .command('demo')
    .description('start a platform and play the whole story: a company asks, three people share')
    .option('--keep', 'leave the platform running until Ctrl-C')
    .option('--port <number>', 'port of the platform; a free one when left out', wholeFrom(0, 65535))
    .option('--data <folder>', 'keep everything in this folder; a temporary one when left out')
    .option('--json', 'print the outcome as one JSON object instead of the story')
    .addHelpText(
      'after',
      `
Needs nothing but itself: embedded database, mails into a folder. Exit code 1 when a step fails or a value that
arrives is not the one that was typed.

Examples:
  $ symbolon demo
  $ symbolon demo --keep --data demo-data
  $ symbolon demo --json | jq '.values[] | select(.slug == "email")'`,
    )
    .action(async (options) => {
      const { playDemo } = await import('../demo/play-demo.ts');
      await playDemo(options);
    });
}
