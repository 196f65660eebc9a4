import type { Command } from 'commander';

export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description('check the installation and a client configuration, and say what to do')
    .option('--config <file>', 'client configuration (JSON); else SYMBOLON_CONFIG and the other variables')
    .option('--url <url>', 'address of the platform; else that of the configuration')
    .option(
      '--service <codes>',
      'COMPANY/SERVICE whose key ours must be; else company_code and service_code of the configuration',
    )
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Exit code 1 when a check fails. Nothing is changed anywhere, and the change feed is not touched.

Examples:
  $ symbolon doctor
  $ symbolon doctor --config client.json --service ACME/SHOP
  $ DATABASE_URL=postgres://… symbolon doctor --url https://symbolon.example`,
    )
    .action(async (options) => {
      const { examine } = await import('../doctor/examine.ts');
      await examine(options);
    });
}
