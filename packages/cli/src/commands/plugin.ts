import { type Command, InvalidArgumentError } from 'commander';

export function addPlugin(program: Command): void {
  const plugin = program.command('plugin').description('write plugins, which answer fields of forms');
  plugin
    .command('dev')
    .description('run a plugin on this machine: load it again when it changes, and show its calls')
    .argument(
      '[file]',
      'a module that exports plugin = { name, fields }; it is written when it is not there',
      'plugin.ts',
    )
    .option('--port <port>', 'of 127.0.0.1; 0 takes a free one', portFrom, 8090)
    .option('--token <token>', 'what the platform must send; without it anybody on this machine may call')
    .option('--json', 'one JSON object a line')
    .addHelpText(
      'after',
      `
The key of the plugin is plugin-key.pem beside the file; it is made when it is not there. Every file in that folder is watched.

A platform on this machine takes the address when SYMBOLON_DANGEROUSLY_ALLOW_LOOPBACK_WEBHOOKS=true, as symbolon demo --keep
sets it. Add the address in the portal, under plugins.

Examples:
  $ symbolon plugin dev
  $ symbolon plugin dev streets.ts --port 8091
  $ symbolon plugin dev --json | jq -c 'select(.type == "call")'`,
    )
    .action(async (file: string, options) => {
      const { devPlugin } = await import('../plugin/dev.ts');
      await devPlugin(file, options);
    });
}

function portFrom(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError('It takes a port from 0 to 65535.');
}
