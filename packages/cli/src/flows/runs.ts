import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DataClient, FlowBinding, FlowDocument } from '@symbolon/sdk';
import { openClient } from '../data/open-client.ts';
import { writeNew } from '../files/whole-file.ts';
import { Interrupted, Problem } from '../problem.ts';
import { writeLine } from '../terminal/output.ts';
import { createPaint, type Paint } from '../terminal/paint.ts';
import { jsonLine, pad, printable } from '../terminal/text.ts';
import { untilSignal } from '../terminal/until-signal.ts';

type Shared = { config?: string; json?: boolean };
type Run = Awaited<ReturnType<DataClient['flows']['start']>>;

export async function startRun(
  flowId: string,
  options: Shared & {
    connection: string;
    reference?: string;
    bind?: string[];
    tag?: string[];
    flowVersion?: number;
  },
): Promise<void> {
  await using client = openClient(options.config);
  const bindings: Record<string, FlowBinding> = pairsOf(options.bind ?? [], '--bind PARTY=ID');
  const run = await client.flows.start(flowId, {
    connectionId: options.connection,
    reference: options.reference,
    bindings,
    tags: pairsOf(options.tag ?? [], '--tag PARTY.FIELD=VALUE'),
    version: options.flowVersion,
    onEmptyTags: (tags) => {
      for (const tag of tags)
        process.stderr.write(
          `warning: Nothing fills the tag ${printable(tag)}: texts show its name in brackets.\n`,
        );
    },
  });
  await writeLine(options.json ? jsonLine(run) : runLine(run, createPaint(process.stdout)));
}

/** Prints each change until the run has ended; without an id of all runs, until Ctrl-C. Looks, and drains no feed. */
export async function watchRuns(
  runId: string | undefined,
  options: Shared & { interval: number },
): Promise<void> {
  const { signalled, forget } = untilSignal();
  const stop = new AbortController();
  signalled.then(() => stop.abort(new Interrupted()));
  await using client = openClient(options.config);
  const paint = createPaint(process.stdout);
  const seen = new Map<string, string>();
  try {
    for (;;) {
      const runs = runId === undefined ? await newest(client) : [(await client.flows.run(runId)).run];
      for (const run of runs.toReversed()) {
        const standing = `${run.status} ${run.current_node} ${actsOf(run)}`;
        if (seen.get(run.id) === standing) continue;
        seen.set(run.id, standing);
        const { definition: _, answers: __, ...facts } = run;
        await writeLine(options.json ? jsonLine(facts) : runLine(run, paint));
      }
      const [only] = runs;
      if (runId !== undefined && (only?.status === 'completed' || only?.status === 'cancelled')) return;
      await sleep(options.interval * 1000, undefined, { signal: stop.signal });
    }
  } catch (error) {
    if (stop.signal.aborted) throw stop.signal.reason;
    throw error;
  } finally {
    forget();
  }
}

/** What the documents of a run are, or their files. */
export async function listRunDocuments(runId: string, options: Shared & { out?: string }): Promise<void> {
  await using client = openClient(options.config);
  const paint = createPaint(process.stdout);
  const documents = await client.flows.documents(runId);
  for (const document of documents)
    await writeLine(options.json ? jsonLine(document) : documentLine(document, paint));
  if (documents.length === 0 && !options.json) await writeLine(paint.dim('The run has no documents.'));
  if (options.out === undefined) return;
  await mkdir(options.out, { recursive: true, mode: 0o700 });
  for (const outputKey of new Set(documents.map((document) => document.outputKey))) {
    const { bytes } = await client.flows.documentFile(runId, outputKey);
    const file = join(options.out, `${outputKey.replaceAll(/[^\w.-]/g, '_')}.pdf`);
    await writeNew(file, bytes);
    process.stderr.write(`${file}  ${bytes.length} bytes\n`);
  }
}

/** Each has its whole definition in the list. */
const WATCHED_MOST = 50;

async function newest(client: DataClient): Promise<Run[]> {
  const runs: Run[] = [];
  for await (const run of client.flows.runs({ pageSize: WATCHED_MOST })) {
    runs.push(run);
    if (runs.length === WATCHED_MOST) break;
  }
  return runs;
}

/** Who has signed or accepted what. */
const actsOf = ({ participants }: Run): string =>
  participants
    .flatMap(({ party_key, documents }) => documents.map(({ action }) => `${party_key}:${action ?? ''}`))
    .join(' ');

function runLine(run: Run, paint: Paint): string {
  const { definition, reference, status, current_node: node, updated_at: at, id, failure } = run;
  const title = definition.nodes.find(({ key }) => key === node)?.title;
  return [
    paint.dim(at.slice(11, 19)),
    paint.bold(printable(definition.name)),
    ...(reference === null ? [] : [printable(reference)]),
    paint.name(printable(status)),
    ...(title === undefined ? [] : [printable(title)]),
    ...(failure ? [paint.bad(failure)] : []),
    paint.dim(id),
  ].join('  ');
}

function documentLine({ name, partyKey, status, action, documentId }: FlowDocument, paint: Paint): string {
  const act = action === null ? status : `${status}, ${action}`;
  return `${paint.bold(printable(name))}  ${pad(printable(partyKey), 10)}  ${act}  ${paint.dim(documentId)}`;
}

function pairsOf(texts: readonly string[], form: string): Record<string, string> {
  const pairs = texts.map((text) => {
    const at = text.indexOf('=');
    if (at < 1) throw new Problem(`It is ${form}, not "${printable(text)}".`, { exitCode: 2 });
    return [text.slice(0, at), text.slice(at + 1)] as const;
  });
  return Object.fromEntries(pairs);
}
