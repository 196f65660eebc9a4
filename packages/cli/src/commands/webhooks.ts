import type { Command } from 'commander';

export function addWebhooks(program: Command): void {
  program
    .command('webhooks')
    .description('list webhooks with their health, and why the last delivery that failed did')
    .argument('[service-id]', 'as symbolon account services shows it; all services when it is left out')
    .option('--profile <name>', 'as whom, see symbolon login (SYMBOLON_PROFILE)')
    .option('--json', 'print JSON, one object a line')
    .addHelpText(
      'after',
      `
SYMBOLON_ACCOUNT_CLIENT_ID and SYMBOLON_ACCOUNT_CLIENT_SECRET, with SYMBOLON_URL, are used when they are set; else the
session of symbolon login.

Examples:
  $ symbolon webhooks
  $ symbolon webhooks SERVICE_ID --json`,
    )
    .action(async (serviceId: string | undefined, options) => {
      const { listWebhooks } = await import('../account/webhooks.ts');
      await listWebhooks(serviceId, options);
    });
}
