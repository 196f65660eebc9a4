import { type Command, InvalidArgumentError } from 'commander';

export function addConnections(program: Command): void {
  program
    .command('connections')
    .description('read everyone connected to the service, decrypted here')
    .option('--config <file>', 'client configuration (JSON); else SYMBOLON_CONFIG and the other variables')
    .option('--json', 'one JSON object a line')
    .option('--limit <number>', 'stop after so many', wholeFrom(1, 1_000_000_000))
    .option('--sealed', 'leave the values encrypted')
    .addHelpText(
      'after',
      `
A full read is meant for a first synchronisation; follow it with symbolon pump.

Examples:
  $ symbolon connections --config client.json
  $ symbolon connections --json | jq -r '.values.email.value'`,
    )
    .action(async (options) => {
      const { listConnections } = await import('../data/list-connections.ts');
      await listConnections(options);
    });
}

/** Reads an option that is a whole number. */
export function wholeFrom(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d{1,10}$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It takes a whole number from ${least} to ${most}.`);
  };
}
