import type { Command } from 'commander';

export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description('check a client and its platform, or a server, and say what to do')
    .option('--config <file>', 'client configuration (JSON); else SYMBOLON_CONFIG and the other variables')
    .option('--url <url>', 'address of the platform; else that of the configuration')
    .option(
      '--service <codes>',
      'COMPANY/SERVICE whose key ours must be; else company_code and service_code of the configuration',
    )
    .option(
      '--server',
      'check the settings of a server on this machine; done anyway when no client is configured',
    )
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Exit code 1 when a check fails. Nothing is changed anywhere, and the change feed is not touched.

Examples:
  $ symbolon doctor
  $ symbolon doctor --config client.json --service ACME/SHOP
  $ DATABASE_URL=postgres://… symbolon doctor --server`,
    )
    .action(async (options) => {
      const { examine } = await import('../doctor/examine.ts');
      await examine(options);
    });
}
