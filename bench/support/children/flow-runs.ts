import { DataClient } from '@symbolon/sdk';
import { answering } from './answering.ts';

/** A company's backend that starts runs of a flow, and then answers all its steps in them, side by side. */
export interface DriveRuns {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** PKCS#8, base64. */
  readonly privateKey: string;
  readonly flowId: string;
  readonly connectionIds: readonly string[];
  /** The company's steps, each with one field of the same name. */
  readonly steps: readonly string[];
}

export interface DrivenRuns {
  readonly elapsedMs: number;
  readonly cpuMicros: number;
  /** How many runs stand after the last step of the company. */
  readonly done: number;
}

let client: DataClient | undefined;
let drive: () => Promise<DrivenRuns>;

answering(null, {
  answer: async (question: DriveRuns | { drive: true }) => ('drive' in question ? drive() : start(question)),
  stop: async () => client?.close(),
});

async function start({ flowId, connectionIds, steps, privateKey, ...access }: DriveRuns): Promise<null> {
  const backend = new DataClient({ ...access, privateKey: { pkcs8: Buffer.from(privateKey, 'base64') } });
  client = backend;
  const runs: Awaited<ReturnType<typeof backend.flows.start>>[] = [];
  for (const connectionId of connectionIds) runs.push(await backend.flows.start(flowId, { connectionId }));
  const fill = Object.fromEntries(steps.map((step) => [step, () => ({ [step]: `answer of ${step}` })]));
  drive = async () => {
    const before = process.cpuUsage();
    const from = performance.now();
    const driven = await Promise.all(runs.map((run) => backend.flows.processRun(run, fill)));
    const elapsedMs = performance.now() - from;
    const { user, system } = process.cpuUsage(before);
    const done = driven.filter(({ run }) => run.answers.length === steps.length).length;
    return { elapsedMs, cpuMicros: user + system, done };
  };
  return null;
}
