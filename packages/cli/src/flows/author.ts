import type { FlowCheck, Service } from '@symbolon/protocol';
import { AccountClient, type CompanyClient, type FlowRef } from '@symbolon/sdk/account';
import { SHARED, writeNew } from '../files/whole-file.ts';
import { Problem } from '../problem.ts';
import { enterAccount, findService } from '../profile/enter-portal.ts';
import { writeLine } from '../terminal/output.ts';
import { createPaint } from '../terminal/paint.ts';
import { showProgress } from '../terminal/progress.ts';
import { jsonLine, pad, printable } from '../terminal/text.ts';
import { readPackage } from './package-zip.ts';

type Common = { profile?: string; service?: string; json?: boolean };
type Entered = { client: CompanyClient; service: Service };

/** The company, and the service that is meant. */
async function enterService(options: Common): Promise<Entered> {
  const machine = machineOf(options);
  if (machine) return { client: machine, service: await findService(machine, options.service) };
  const { client, profile } = await enterAccount(options);
  return { client, service: await findService(client, options.service ?? profile.service_id) };
}

/** The account client that the environment names, as long as no login is asked for. */
function machineOf({ profile }: Common): AccountClient | undefined {
  const { SYMBOLON_ACCOUNT_CLIENT_ID: id, SYMBOLON_ACCOUNT_CLIENT_SECRET: secret } = process.env;
  return (id || secret) && profile === undefined ? AccountClient.fromEnvironment() : undefined;
}

export async function listFlows(options: Common): Promise<void> {
  const { client, service } = await enterService(options);
  const flows = await client.flows.list(service.id);
  const paint = createPaint(process.stdout);
  for (const flow of flows) {
    const { id, name, version, changed, output_mode: mode } = flow;
    const state = version === null ? 'draft' : `version ${version}${changed ? ', draft changed' : ''}`;
    await writeLine(
      options.json
        ? jsonLine(flow)
        : `${paint.bold(printable(name))}  ${pad(state, 9)}  ${mode}  ${paint.dim(id)}`,
    );
  }
  if (flows.length === 0 && !options.json) await writeLine(paint.dim('The service has no flow yet.'));
}

/** @param path a zip, or a folder with `flow.json` */
export async function importFlow(path: string, options: Common & { publish?: boolean }): Promise<void> {
  const content = await readPackage(path);
  const { client, service } = await enterService(options);
  const progress = showProgress('bytes');
  let flow: Awaited<ReturnType<CompanyClient['flows']['import']>>;
  try {
    flow = await client.flows.import(service.id, content, {
      onProgress: ({ direction, bytes, total }) => {
        if (direction === 'down') return;
        if (total !== undefined) progress.total(total);
        progress.done(bytes);
      },
    });
  } catch (error) {
    throw withIssues(error);
  } finally {
    progress.stop();
  }
  const ref = { serviceId: service.id, flowId: flow.id };
  const version = options.publish ? await publishImported(client, ref) : null;
  if (options.json) return writeLine(jsonLine({ ...flow, version }));
  const { bold, dim } = createPaint(process.stdout);
  const state = version === null ? 'a draft' : `published as version ${version}`;
  await writeLine(`${bold(printable(flow.name))}  ${state}  ${dim(flow.id)}`);
}

async function publishImported(client: CompanyClient, ref: FlowRef): Promise<number> {
  try {
    return await publish(client, ref);
  } catch (error) {
    // Importing once more would make a second draft.
    process.stderr.write(`The draft ${ref.flowId} was made, and is not published.\n`);
    throw error;
  }
}

export async function exportFlow(
  flowId: string,
  options: Common & { out: string; flowVersion?: number },
): Promise<void> {
  const { client, service } = await enterService(options);
  const { flowVersion: version } = options;
  const zip = await client.flows.export(
    { serviceId: service.id, flowId },
    version === undefined ? {} : { version },
  );
  // What is there may be the only copy of a draft.
  await writeNew(options.out, zip, SHARED);
  await writeLine(
    options.json ? jsonLine({ file: options.out, bytes: zip.length }) : `${options.out}  ${zip.length} bytes`,
  );
}

export async function publishFlow(flowId: string, options: Common): Promise<void> {
  const { client, service } = await enterService(options);
  const version = await publish(client, { serviceId: service.id, flowId });
  await writeLine(options.json ? jsonLine({ id: flowId, version }) : `version ${version}`);
}

/** Publishes the draft, and says what its author should look at all the same. */
async function publish(client: CompanyClient, ref: FlowRef): Promise<number> {
  try {
    const version = await client.flows.publish(ref);
    const { warnings } = await client.flows.check(ref);
    writeIssues(warnings, 'warning: ');
    return version;
  } catch (error) {
    throw withIssues(error);
  }
}

const SHOWN_MOST = 20;

/** A refusal with what is wrong and where, which one line of an error cannot say. */
function withIssues(error: unknown): unknown {
  const { details } = error as { details?: { issues?: unknown } };
  if (!(error instanceof Error) || !Array.isArray(details?.issues)) return error;
  writeIssues(details.issues);
  return new Problem('The definition has the issues above.', { cause: error });
}

function writeIssues(issues: FlowCheck['issues'], word = ''): void {
  for (const { path, message, code } of issues.slice(0, SHOWN_MOST))
    process.stderr.write(`${word}${printable(path) || '/'}  ${printable(message)} (${printable(code)})\n`);
  const more = issues.length - SHOWN_MOST;
  if (more > 0) process.stderr.write(`${word}and ${more} more\n`);
}
