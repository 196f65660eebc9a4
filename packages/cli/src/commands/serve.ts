import type { Command } from 'commander';

export function addServe(program: Command): void {
  program
    .command('serve')
    .description('run the platform until Ctrl-C')
    .option('--host <address>', 'address to listen on (SYMBOLON_HOST, default 127.0.0.1)')
    .option('--port <number>', 'port to listen on; 0 picks a free one (SYMBOLON_PORT, default 8080)')
    .option(
      '--data <folder>',
      'folder of database, secret and mail outbox (SYMBOLON_DATA_DIR, default ./data)',
    )
    .addHelpText(
      'after',
      `
Everything is configured by environment variables; the options stand above them.
DATABASE_URL names a PostgreSQL; without it the database is embedded.

Examples:
  $ symbolon serve
  $ symbolon serve --port 0 --data /var/lib/symbolon
  $ SYMBOLON_PUBLIC_URL=https://api.example.com symbolon serve --host 0.0.0.0`,
    )
    .action(async (options: { host?: string; port?: string; data?: string }) => {
      const { servePlatform } = await import('../serve/serve-platform.ts');
      await servePlatform(process.env, options);
    });
}
