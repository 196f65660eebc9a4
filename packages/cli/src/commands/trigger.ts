import type { Command } from 'commander';
import { wholeFrom } from './connections.ts';

export function addTrigger(program: Command): void {
  program
    .command('trigger')
    .description('have a sandbox person do what raises an event')
    .argument('[event]', 'such as field_updated; --list shows them')
    .option('--list', 'list the events and what the person does for each')
    .option('--service <id>', 'id or code of the service; the only one when left out')
    .option('--slug <slug>', 'the request row, for events that have one')
    .option('--config <file>', 'of the data client, for what the service begins; else SYMBOLON_CONFIG')
    .option('--count <number>', 'so many times', wholeFrom(1, 1000), 1)
    .option('--allow-publish', 'may add a request row for a moment, which EVERYONE connected is asked for')
    .option('--profile <name>', 'the session to use (SYMBOLON_PROFILE)')
    .option('--json', 'one JSON object a line')
    .addHelpText(
      'after',
      `
The person is registered on the platform at first use and goes by the name Sandbox; what it needs to sign in again is kept
in the configuration folder. Everything it does goes through the API, as with anybody.

Examples:
  $ symbolon trigger field_updated
  $ symbolon trigger field_updated --slug phone --count 10
  $ symbolon trigger 2fa_challenge_completed --config client.json
  $ symbolon trigger document_status_changed --config client.json
  $ symbolon trigger --list`,
    )
    .action(async (event: string | undefined, options) => {
      const { trigger } = await import('../trigger/trigger.ts');
      await trigger(event, options);
    });
}
