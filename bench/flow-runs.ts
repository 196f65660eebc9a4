import { encodeBase64, fingerprint, generateKeyPair } from '@symbolon/crypto';
import type { FlowDefinition } from '@symbolon/protocol';
import { sharedPrivateKey } from '@symbolon/testkit/actors/actors';
import { publishFlow } from '@symbolon/testkit/actors/flow-runs';
import { createService } from './support/actors.ts';
import { Child } from './support/child.ts';
import type { DrivenRuns, DriveRuns } from './support/children/flow-runs.ts';
import { dataFolder, Platform } from './support/platform.ts';
import { atLeast, type Benchmark, figure, runAlone } from './support/report.ts';
import { connectMany, openSeed } from './support/seed.ts';
import { rounds, sized, warmUps } from './support/setting.ts';
import { median } from './support/stats.ts';

const ROUNDS = rounds(5);
const RUNS = sized(500, 3);
const STEPS = ['weigh', 'price', 'plan', 'check', 'close'];

/** Runs of a flow driven by the SDK side by side: each step is checked, sealed for both parties, sent and stored. */
export const flowRuns: Benchmark = async () => {
  await using folder = await dataFolder();
  await using platform = await Platform.start(folder.path);
  const service = await createService(platform, []);
  const flowId = await publishFlow(platform, service, flow());
  const { publicKey } = await generateKeyPair();
  const key = { publicKey, sha256: await fingerprint(publicKey) };
  const rates: number[] = [];
  const platformCpu: number[] = [];
  const sdkCpu: number[] = [];
  for (let round = -warmUps(1); round < ROUNDS; round++) {
    let connectionIds: string[];
    {
      await using seed = await openSeed(folder.path);
      const connected = await connectMany(seed, service, RUNS, () => '', key);
      connectionIds = connected.map(({ connectionId }) => connectionId);
    }
    const question: DriveRuns = {
      ...{ url: platform.url, clientId: service.clientId, clientSecret: service.clientSecret },
      ...{ privateKey: encodeBase64(await sharedPrivateKey()), flowId, connectionIds, steps: STEPS },
    };
    const child = await Child.start<null>('flow-runs.ts');
    await child.ask(question);
    const before = await platform.usage();
    const { elapsedMs, cpuMicros, done } = await child.ask<DrivenRuns>({ drive: true });
    const after = await platform.usage();
    await child.stop();
    if (done !== RUNS) throw new Error(`${done} of ${RUNS} runs were driven.`);
    if (round < 0) continue;
    const steps = RUNS * STEPS.length;
    rates.push(steps / (elapsedMs / 1000));
    platformCpu.push((after.cpuMicros - before.cpuMicros) / steps);
    sdkCpu.push(cpuMicros / steps);
  }
  return {
    title: 'Runs of flows',
    how: `${RUNS} runs side by side, ${STEPS.length} steps of the company each, driven by \`flows.processRun\` of one client in a process of its own. Each answer is checked, sealed for the company and the customer, sent, and committed by the platform in a process of its own; both share the machine. The runs are started before. ${ROUNDS} rounds; medians.`,
    table: {
      head: ['side', 'steps/s', 'CPU µs/step'],
      rows: [
        ['platform', figure(median(rates), 0), figure(median(platformCpu), 0)],
        ['SDK', '', figure(median(sdkCpu), 0)],
      ],
    },
    bars: [atLeast('steps answered in a second', median(rates), 200, '')],
  };
};

/** The company answers its steps, and then the customer has the turn: nothing ends while it is measured. */
function flow(): FlowDefinition {
  const nodes = [...STEPS, 'confirm'].map((key) => ({
    ...{ key, party: key === 'confirm' ? 'customer' : 'company', title: key },
    elements: [{ kind: 'field', slug: key, field_type: 'text', label: key, required: true } as const],
  }));
  return {
    name: 'Bench',
    output_mode: 'data_only',
    entry: STEPS[0] ?? '',
    parties: [
      { key: 'customer', label: 'Customer' },
      { key: 'company', label: 'Company', type: 'owner' },
    ],
    nodes,
    edges: nodes
      .slice(1)
      .map(({ key }, index) => ({ from: nodes[index]?.key ?? '', to: key, condition: null })),
  };
}

if (import.meta.main) await runAlone(flowRuns);
