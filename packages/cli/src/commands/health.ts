import type { Command } from 'commander';

export function addHealth(program: Command): void {
  program
    .command('health')
    .description('ask the platform on this machine whether it is ready; for containers and scripts')
    .option('--live', 'whether it runs at all, whatever it needs is away')
    .option(
      '--address <host:port>',
      'its management address (SYMBOLON_MANAGEMENT_ADDRESS, default 127.0.0.1:9464)',
    )
    .option('--url <url>', 'ask GET /api/health at this address instead, as clients reach it')
    .option('--json', 'print the answer')
    .addHelpText(
      'after',
      `
Exit code 0 when it is, 1 when it is not or does not answer within five seconds, 2 when the address cannot be read.

Examples:
  $ symbolon health
  $ symbolon health --live
  $ symbolon health --url https://api.example.com`,
    )
    .action(async (options: HealthOptions) => {
      const { askHealth } = await import('../health/ask-health.ts');
      await askHealth(options, process.env);
    });
}

export interface HealthOptions {
  readonly live?: boolean;
  readonly address?: string;
  readonly url?: string;
  readonly json?: boolean;
}
