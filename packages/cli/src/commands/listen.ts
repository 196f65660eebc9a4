import { type Command, InvalidArgumentError } from 'commander';

export function addListen(program: Command): void {
  program
    .command('listen')
    .description('show the deliveries of a webhook as they come, and forward them to your own endpoint')
    .option(
      '--forward-to <url>',
      'your endpoint, such as http://localhost:3000/hook; without it nothing is forwarded',
    )
    .option('--service <id>', 'id or code of the service; the only one when left out')
    .option('--events <names>', 'these events alone, separated by commas', namesFrom)
    .option('--format <format>', 'json or xml', formatFrom, 'json')
    .option('--config <file>', "the data client's configuration, to show values opened; else the variables")
    .option('--skip-verify', 'do not check the certificate of an https endpoint')
    .option('--print-secret', 'print the secret that signs the deliveries, and end')
    .option(
      '--poll-feed',
      'instead of a webhook, DRAIN the pull feed: its other consumers miss what is taken',
    )
    .option('--profile <name>', 'the session to use (SYMBOLON_PROFILE)')
    .option('--json', 'one JSON object a line')
    .addHelpText(
      'after',
      `
Makes a webhook that leads to this process and removes it at Ctrl-C. Body and headers reach your endpoint as they came, and
what it answers is what the platform hears: only 200 is a delivery, after anything else the platform waits ten minutes.

The platform must run on this machine with SYMBOLON_DANGEROUSLY_ALLOW_LOOPBACK_WEBHOOKS=true, as symbolon demo --keep does.

Examples:
  $ symbolon listen --forward-to http://localhost:3000/hook
  $ symbolon listen --events connection_created,field_updated --config client.json
  $ symbolon listen --json | jq -c 'select(.type == "delivery")'`,
    )
    .action(async (options) => {
      const { listen } = await import('../listen/listen.ts');
      await listen(options);
    });
}

/** Words separated by commas. */
function namesFrom(text: string): string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.every((name) => /^[a-z0-9_]+$/.test(name))) return names;
  throw new InvalidArgumentError('It takes names of events, separated by commas.');
}

function formatFrom(text: string): 'json' | 'xml' {
  if (text === 'json' || text === 'xml') return text;
  throw new InvalidArgumentError('It takes json or xml.');
}
