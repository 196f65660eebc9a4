import type { Command } from 'commander';
import { wholeFrom } from './connections.ts';

export function addTwoFactor(program: Command): void {
  const twoFactor = program
    .command('2fa')
    .description('ask an enrolled person to approve, and learn the outcome');

  twoFactor
    .command('challenge')
    .description('ask a person')
    .argument('<share-code>', 'of the person')
    .option('--config <file>', 'client configuration (JSON); else SYMBOLON_CONFIG and the other variables')
    .option('--context <text>', 'what the person is shown, at most 200 characters')
    .option('--idempotency-key <key>', 'the same key gives the same challenge; a new one when left out')
    .option('--wait', 'wait for the outcome, as symbolon 2fa watch does')
    .option('--json', 'one JSON object a line')
    .addHelpText(
      'after',
      `
With number matching on it prints two digits, which the person types. With --wait the exit code is 0 when the person approved,
else 1.

Examples:
  $ symbolon 2fa challenge K7QW2M --context 'Sign-in from Berlin' --wait
  $ symbolon 2fa challenge K7QW2M --json | jq -r .id`,
    )
    .action(async (shareCode: string, options) => {
      const { askPerson } = await import('../data/ask-person.ts');
      await askPerson(shareCode, options);
    });

  twoFactor
    .command('watch')
    .description('wait until a challenge is answered or has expired')
    .argument('<challenge-id>', 'that symbolon 2fa challenge printed')
    .option('--config <file>', 'client configuration (JSON); else SYMBOLON_CONFIG and the other variables')
    .option('--seconds <number>', 'wait no longer than this', wholeFrom(1, 3600), 600)
    .option('--json', 'one JSON object a line')
    .addHelpText(
      'after',
      `
The platform tells an outcome once: who watches has it, and the login form that waits for it does not. The exit code is 0
when the person approved, else 1.`,
    )
    .action(async (id: string, options) => {
      const { watchChallenge } = await import('../data/ask-person.ts');
      await watchChallenge(id, options);
    });
}
