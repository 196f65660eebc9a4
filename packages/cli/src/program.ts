import { Command, CommanderError } from 'commander';
import { addAccount } from './commands/account.ts';
import { addAdmin } from './commands/admin.ts';
import { addApi } from './commands/api.ts';
import { addBackup } from './commands/backup.ts';
import { addCompanyFile } from './commands/company-file.ts';
import { addCompletion } from './commands/completion.ts';
import { addConfig } from './commands/config.ts';
import { addConnections } from './commands/connections.ts';
import { addDemo } from './commands/demo.ts';
import { addDoctor } from './commands/doctor.ts';
import { addDocuments } from './commands/documents.ts';
import { addFlows } from './commands/flows.ts';
import { addHealth } from './commands/health.ts';
import { addKeys } from './commands/keys.ts';
import { addListen } from './commands/listen.ts';
import { addLogin } from './commands/login.ts';
import { addMessages } from './commands/messages.ts';
import { addPlugin } from './commands/plugin.ts';
import { addPump } from './commands/pump.ts';
import { addRegister } from './commands/register.ts';
import { addServe } from './commands/serve.ts';
import { addTrigger } from './commands/trigger.ts';
import { addTwoFactor } from './commands/two-factor.ts';
import { addUpgrade } from './commands/upgrade.ts';
import { addVerify } from './commands/verify.ts';
import { addWhoami } from './commands/whoami.ts';
import { explain, Interrupted } from './problem.ts';
import { refuseKindly } from './refuse-kindly.ts';
import { addResources } from './resources/declare.ts';
import { OutputClosed, writeOut } from './terminal/output.ts';
import { version } from './version.ts';

/**
 * Runs the command line and gives its exit code (docs/commands.md lists them).
 * Everything heavy is imported by the one command that needs it, so that the rest stays quick.
 */
export async function runProgram(args: readonly string[]): Promise<number> {
  // Whoever reads our output may stop reading; the write that fails tells the command.
  process.stdout.on('error', () => undefined);
  try {
    await run(args);
    // Of what was written and not waited for.
    await writeOut('');
    return Number(process.exitCode ?? 0);
  } catch (error) {
    // Of diff, 2 says that something is different.
    const wrongly = args[0] === 'diff' ? 1 : 2;
    if (error instanceof CommanderError) return wrongly;
    if (error instanceof OutputClosed) return Number(process.exitCode ?? 0);
    if (error instanceof Interrupted) return 130;
    const { text, exitCode } = explain(error);
    process.stderr.write(`error: ${text}\n`);
    if (process.env.SYMBOLON_DEBUG === '1') process.stderr.write(`${stackOf(error)}\n`);
    return Math.min(exitCode, wrongly);
  }
}

/** Help and version are written as all output is: that it could not be is a failure. */
async function run(args: readonly string[]): Promise<void> {
  let help = '';
  const program = createProgram((text) => {
    help += text;
  });
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError) || error.exitCode !== 0) throw error;
    await writeOut(help);
  }
}

/** @param say takes the texts of help and version */
function createProgram(say: (text: string) => void): Command {
  const program = new Command('symbolon')
    .description('Symbolon: the platform on which companies and people share data, sealed end to end.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .configureHelp({ showGlobalOptions: false })
    .configureOutput({ writeOut: say })
    .exitOverride();
  addServe(program);
  addDemo(program);
  addKeys(program);
  addConnections(program);
  addPump(program);
  addMessages(program);
  addTwoFactor(program);
  addDocuments(program);
  addFlows(program);
  addLogin(program);
  addAccount(program);
  addListen(program);
  addTrigger(program);
  addPlugin(program);
  addResources(program);
  addCompanyFile(program);
  addRegister(program);
  addAdmin(program);
  addBackup(program);
  addDoctor(program);
  addHealth(program);
  addConfig(program);
  addUpgrade(program);
  addVerify(program);
  addWhoami(program);
  addApi(program);
  addCompletion(program);
  refuseKindly(program);
  program.addHelpText(
    'after',
    `
Examples:
  $ symbolon demo                              see the whole thing happen
  $ symbolon serve                             run the platform, data in ./data
  $ symbolon keys generate --out keys          make a service key
  $ symbolon listen --forward-to URL           receive webhooks on this machine
  $ symbolon doctor --config client.json       find out what is wrong
  $ symbolon verify contract.pdf               tell who signed a sealed PDF
  $ symbolon services                          list what your company has; so fields, webhooks, apps, people and others
  $ symbolon apply -f company.yaml             make a company as a file says

Exit codes: 0 done, 1 failed, 2 called or configured wrongly (of symbolon diff: something is different), 3 a seal of symbolon verify that is not trusted or an upgrade that needs a stop, 4 and 5 a refusal and a failure of symbolon api, 130 interrupted.
A failure is one line; SYMBOLON_DEBUG=1 adds where it came from.`,
  );
  return program;
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? `${error.stack}` : `${error.stack}\nCaused by: ${stackOf(error.cause)}`;
}
