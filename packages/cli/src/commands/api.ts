import type { Command } from 'commander';
import { withSignIn } from './whoami.ts';

export function addApi(program: Command): void {
  withSignIn(program.command('api'))
    .description('make any call of the API with the stored sign-in, and print the answer')
    .argument('<method>', 'GET, POST, PUT, PATCH or DELETE')
    .argument('<path>', 'such as /api/account; /openapi.json of the platform has them all')
    .option('--json <text>', 'the body, as JSON')
    .option('--file <file>', 'the body, from a JSON file; - reads stdin')
    .option('--query <name=value...>', 'members of the query')
    .option('--header <name:value...>', 'further headers')
    .addHelpText(
      'after',
      `
Without --config and --profile it acts as SYMBOLON_TOKEN, else as the client of the environment, else as the session that
symbolon login keeps. Exit code 0 when the platform did it, 4 when it refused the request, 5 when it failed; the answer is
printed in any case.

Examples:
  $ symbolon api GET /api/account
  $ symbolon api GET /api/company-data/connections --config client.json --query limit=10
  $ symbolon api PUT /api/services/$ID/request-fields --file request-fields.json`,
    )
    .action(async (method: string, path: string, options) => {
      const { callApi } = await import('../api/call.ts');
      await callApi(method, path, options);
    });
}
