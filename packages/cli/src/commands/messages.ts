import type { Command } from 'commander';
import { wholeFrom } from './connections.ts';

const CONFIG = [
  '--config <file>',
  'client configuration (JSON); else SYMBOLON_CONFIG and the other variables',
] as const;
const JSON_LINES = ['--json', 'one JSON object a line'] as const;

export function addMessages(program: Command): void {
  const messages = program
    .command('messages')
    .description('exchange messages with connected people, sealed and opened here');

  messages
    .command('send')
    .description('send a message')
    .argument('<connection-id>', 'that symbolon connections prints')
    .argument('<text>', 'or - for the text on stdin')
    .option(...CONFIG)
    .option(...JSON_LINES)
    .addHelpText(
      'after',
      `
It is sealed to the person's key and to the service's own, so the configuration needs the private key.

Examples:
  $ symbolon messages send 019bd0f2-8c00-7000-8000-000000000000 'It is on its way.'
  $ symbolon messages send 019bd0f2-8c00-7000-8000-000000000000 - < answer.txt`,
    )
    .action(async (connectionId: string, text: string, options) => {
      const { sendMessage } = await import('../data/exchange-messages.ts');
      await sendMessage(connectionId, text, options);
    });

  messages
    .command('list')
    .description('show the messages of a connection, newest first')
    .argument('<connection-id>', 'that symbolon connections prints')
    .option(...CONFIG)
    .option(...JSON_LINES)
    .option('--limit <number>', 'stop after so many', wholeFrom(1, 1_000_000_000))
    .action(async (connectionId: string, options) => {
      const { listMessages } = await import('../data/exchange-messages.ts');
      await listMessages(connectionId, options);
    });

  messages
    .command('read')
    .description('acknowledge what the person sent, up to a message')
    .argument('<connection-id>', 'that symbolon connections prints')
    .argument('<message-id>', 'that symbolon messages list prints')
    .option(...CONFIG)
    .option(...JSON_LINES)
    .action(async (connectionId: string, messageId: string, options) => {
      const { readMessages } = await import('../data/exchange-messages.ts');
      await readMessages(connectionId, messageId, options);
    });

  messages
    .command('broadcast')
    .description('send a text to everybody who is connected; the platform can read it')
    .argument('<text>', 'or - for the text on stdin')
    .option(...CONFIG)
    .option(...JSON_LINES)
    .action(async (text: string, options) => {
      const { broadcast } = await import('../data/exchange-messages.ts');
      await broadcast(text, options);
    });

  program
    .command('connect-request')
    .description('ask a person to connect; the answer arrives as a change')
    .argument('<share-code>', 'of the person')
    .option(...CONFIG)
    .option(...JSON_LINES)
    .action(async (shareCode: string, options) => {
      const { requestConnection } = await import('../data/exchange-messages.ts');
      await requestConnection(shareCode, options);
    });
}
