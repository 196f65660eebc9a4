import type { Command } from 'commander';
import { wholeFrom } from './connections.ts';

const CONFIG = [
  '--config <file>',
  'client configuration (JSON); else SYMBOLON_CONFIG and the other variables',
] as const;
const JSON_OPTION = ['--json', 'print JSON, one object a line'] as const;
const VERSION = wholeFrom(1, 2 ** 31 - 1);

/** Long because it declares its commands one after the other; the work is in ../flows. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one command after the other
export function addFlows(program: Command): void {
  const flows = program
    .command('flows')
    .description('flows: steps that parties answer in turn, with data or documents at the end')
    .addHelpText('after', WHO);

  authored(flows.command('list'))
    .description('list the flows of a service')
    .addHelpText('after', `${WHO}\n\nExamples:\n  $ symbolon flows list --service CLUB`)
    .action(async (options) => {
      const { listFlows } = await import('../flows/author.ts');
      await listFlows(options);
    });

  authored(flows.command('import'))
    .description('make a draft of a package')
    .argument('<package>', 'a zip, or a folder with flow.json and its assets')
    .option('--publish', 'publish it as the first version')
    .addHelpText(
      'after',
      `${WHO}

Examples:
  $ symbolon flows import lease.zip
  $ symbolon flows import lease --publish --service CLUB`,
    )
    .action(async (path: string, options) => {
      const { importFlow } = await import('../flows/author.ts');
      await importFlow(path, options);
    });

  authored(flows.command('export'))
    .description('write a flow as a package')
    .argument('<flow-id>', 'as the list shows it')
    .requiredOption('--out <file>', 'the zip; never over a file that is there')
    .option('--flow-version <number>', 'a published version; default: the draft', VERSION)
    .addHelpText(
      'after',
      `${WHO}\n\nExamples:\n  $ symbolon flows export FLOW_ID --flow-version 2 --out lease.zip`,
    )
    .action(async (flowId: string, options) => {
      const { exportFlow } = await import('../flows/author.ts');
      await exportFlow(flowId, options);
    });

  authored(flows.command('publish'))
    .description('publish the draft as the next version; says what is wrong or looks wrong in it, and where')
    .argument('<flow-id>', 'as the list shows it')
    .addHelpText('after', `${WHO}\n\nExamples:\n  $ symbolon flows publish FLOW_ID`)
    .action(async (flowId: string, options) => {
      const { publishFlow } = await import('../flows/author.ts');
      await publishFlow(flowId, options);
    });

  flows
    .command('start')
    .description('start a run with a connected customer')
    .argument('<flow-id>', 'as the list shows it')
    .requiredOption('--connection <id>', 'that symbolon connections prints')
    .option(
      '--reference <text>',
      'what you call the run, such as the number of an order; all parties read it',
    )
    .option('--bind <party=id...>', 'who answers as a party; default: the company, and the customer')
    .option('--tag <party.field=value...>', 'fills a tag; default: what the party shares with the service')
    .option('--flow-version <number>', 'the version that is expected; default: the latest', VERSION)
    .option(...CONFIG)
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      `
The values of tags are sealed here to everybody who takes part, so the configuration needs the private key.

Examples:
  $ symbolon flows start FLOW_ID --connection CONNECTION_ID
  $ symbolon flows start FLOW_ID --connection CONNECTION_ID --tag 'tenant.first_name=Ada'`,
    )
    .action(async (flowId: string, options) => {
      const { startRun } = await import('../flows/runs.ts');
      await startRun(flowId, options);
    });

  flows
    .command('watch')
    .description('print each change of a run until it ends; without an id of the newest runs, until Ctrl-C')
    .argument('[run-id]', 'that symbolon flows start prints')
    .option('--interval <seconds>', 'how often to look', wholeFrom(1, 3600), 2)
    .option(...CONFIG)
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      '\nIt reads the runs and takes nothing from the feed.\n\nExamples:\n  $ symbolon flows watch RUN_ID',
    )
    .action(async (runId: string | undefined, options) => {
      const { watchRuns } = await import('../flows/runs.ts');
      await watchRuns(runId, options);
    });

  flows
    .command('documents')
    .description('list the copies of the documents of a run')
    .argument('<run-id>', 'that symbolon flows start prints')
    .option('--out <folder>', "write the company's own copies there, opened; sealed once all have signed")
    .option(...CONFIG)
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExamples:\n  $ symbolon flows documents RUN_ID --out contracts')
    .action(async (runId: string, options) => {
      const { listRunDocuments } = await import('../flows/runs.ts');
      await listRunDocuments(runId, options);
    });
}

function authored(command: Command): Command {
  return command
    .option('--service <service>', 'id or code of the service; default: that of the profile, or the only one')
    .option('--profile <name>', 'as whom, see symbolon login (SYMBOLON_PROFILE)')
    .option(...JSON_OPTION);
}

const WHO = `
Drafts are the company's: SYMBOLON_ACCOUNT_CLIENT_ID and SYMBOLON_ACCOUNT_CLIENT_SECRET, with SYMBOLON_URL, are used when they
are set; else the session of symbolon login. Runs (start, watch, documents) are of the service's data client: see --config.`;
