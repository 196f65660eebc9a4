import { capabilities } from '@symbolon/protocol/constants';
import { Argument, type Command, Option } from 'commander';

/** Long because it declares its commands one after the other; the work is in ../account. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one command after the other
export function addAccount(program: Command): void {
  const account = program
    .command('account')
    .description("manage the company's account: clients that act for it, services");
  const clients = account.command('clients').description('account clients: machines that act as the company');

  profiled(clients.command('list', { isDefault: true }))
    .description('list them; never a secret')
    .addHelpText(
      'after',
      '\nExamples:\n  $ symbolon account clients\n  $ symbolon account clients list --json',
    )
    .action(async (options) => {
      const { listClients } = await import('../account/clients.ts');
      await listClients(options);
    });

  profiled(clients.command('create'))
    .description('create one; its secret is shown this once')
    .requiredOption('--name <name>', 'what it is for, in words')
    .addOption(
      new Option('--capability <group...>', 'what it may do beside reading the account').choices(
        capabilities,
      ),
    )
    .option('--purpose <purpose>', 'a name for programs, one of its kind; set now or never')
    .option('--out <file>', 'write the credentials there, readable by you only, instead of printing them')
    .addHelpText(
      'after',
      `
Examples:
  $ symbolon account clients create --name "Deploy robot" --capability service_management --out robot.json
  $ symbolon account clients create --name Sync --capability company_profile_fields oauth_apps --purpose sync`,
    )
    .action(async (options) => {
      const { createClient } = await import('../account/clients.ts');
      await createClient(options);
    });

  profiled(clients.command('regrant'))
    .description('replace the capabilities of one; in effect at once')
    .argument('<client-id>', 'acct_…')
    .addArgument(
      new Argument('[group...]', 'all it shall have; none leaves the baseline').choices(capabilities),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  $ symbolon account clients regrant acct_x service_management oauth_apps\n  $ symbolon account clients regrant acct_x',
    )
    .action(async (clientId: string, groups: string[], options) => {
      const { regrantClient } = await import('../account/clients.ts');
      await regrantClient(clientId, groups, options);
    });

  profiled(clients.command('regenerate'))
    .description('give one a new secret, shown this once; its tokens end')
    .argument('<client-id>', 'acct_…')
    .option('--out <file>', 'write the credentials there, readable by you only, instead of printing them')
    .addHelpText('after', '\nExamples:\n  $ symbolon account clients regenerate acct_x --out robot-new.json')
    .action(async (clientId: string, options) => {
      const { regenerateClient } = await import('../account/clients.ts');
      await regenerateClient(clientId, options);
    });

  profiled(clients.command('delete'))
    .description('delete one; its tokens end at once')
    .argument('<client-id>', 'acct_…')
    .addHelpText('after', '\nExamples:\n  $ symbolon account clients delete acct_x')
    .action(async (clientId: string, options) => {
      const { deleteClient } = await import('../account/clients.ts');
      await deleteClient(clientId, options);
    });

  profiled(account.command('recovery-key'))
    .description('show the recovery key, to which passphrases of services are sealed')
    .option('--confirm <fingerprint>', 'it was compared: seal passphrases to this key')
    .addHelpText(
      'after',
      `
A platform could name a key of its own. So services are created with a recovery key whose words were compared with the person
who registered the company. Programs have its fingerprint in SYMBOLON_RECOVERY_KEY_FINGERPRINT.

Examples:
  $ symbolon account recovery-key
  $ symbolon account recovery-key --json`,
    )
    .action(async (options) => {
      const { recoveryKey } = await import('../account/recovery-key.ts');
      await recoveryKey(options);
    });

  const services = account
    .command('services')
    .description('services of the company; by the portal login or by an account client')
    .addHelpText('after', BY_MACHINE);
  profiled(services.command('list', { isDefault: true }))
    .description('list them')
    .addHelpText('after', `${BY_MACHINE}\n\nExamples:\n  $ symbolon account services --json`)
    .action(async (options) => {
      const { listServices } = await import('../account/services.ts');
      await listServices(options);
    });

  profiled(services.command('create'))
    .description('create one with a key made here')
    .requiredOption('--name <name>', 'what people see')
    .requiredOption('--admin-email <address>', 'who hears of problems')
    .requiredOption('--out <folder>', 'where private key and passphrase go, readable by you only')
    .addHelpText(
      'after',
      `${BY_MACHINE}

Examples:
  $ symbolon account services create --name Shop --admin-email ops@acme.example --out shop-key`,
    )
    .action(async (options) => {
      const { createService } = await import('../account/services.ts');
      await createService(options);
    });
  addActs(services);
}

/** Acts on services that leave work to the platform. */
function addActs(services: Command): void {
  const noWait = 'do not wait until all customers are told';
  profiled(services.command('replace-key'))
    .description('give one a new key, made here; keep the former key, which opens what was sealed to it')
    .argument('<service-id>', 'as the list shows it')
    .requiredOption('--out <folder>', 'where private key and passphrase go, readable by you only')
    .option('--no-wait', noWait)
    .addHelpText('after', '\nExamples:\n  $ symbolon account services replace-key SERVICE_ID --out new-key')
    .action(async (id: string, options) => {
      const { replaceKey } = await import('../account/services.ts');
      await replaceKey(id, options);
    });

  profiled(services.command('delete'))
    .description('delete one')
    .argument('<service-id>', 'as the list shows it')
    .option('--confirm', 'end its connections too')
    .option('--no-wait', 'do not wait until all connections have ended')
    .addHelpText('after', '\nExamples:\n  $ symbolon account services delete SERVICE_ID --confirm')
    .action(async (id: string, options) => {
      const { deleteService } = await import('../account/services.ts');
      await deleteService(id, options);
    });

  profiled(services.command('jobs'))
    .description('how far the work is that acts on a service have left to the platform')
    .argument('<service-id>', 'as the list shows it; of a deleted one too')
    .option('--wait', 'wait until it is done')
    .addHelpText(
      'after',
      '\nExamples:\n  $ symbolon account services jobs SERVICE_ID\n  $ symbolon account services jobs SERVICE_ID --wait --json',
    )
    .action(async (id: string, options) => {
      const { listJobs } = await import('../account/service-jobs.ts');
      await listJobs(id, options);
    });
}

function profiled(command: Command): Command {
  return command
    .option('--profile <name>', 'as whom, see symbolon login (SYMBOLON_PROFILE)')
    .option('--json', 'print JSON, one object a line');
}

const BY_MACHINE = `
SYMBOLON_ACCOUNT_CLIENT_ID and SYMBOLON_ACCOUNT_CLIENT_SECRET, with SYMBOLON_URL, are used when they are set; else the
session of symbolon login. Creating a service needs SYMBOLON_RECOVERY_KEY_FINGERPRINT too: see symbolon account recovery-key.`;
