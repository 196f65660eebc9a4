/**
 * Makes contracts by a flow: starts a run with a connected person, answers the steps of the company, and stores the sealed contract
 * when both have signed.
 *
 *   SYMBOLON_CONFIG=client.json node examples/contract-flow/contract.ts FLOW_ID CONNECTION_ID
 */
import { writeFile } from 'node:fs/promises';
import { type Change, ChangePump, DataClient, type FlowFill } from '@symbolon/sdk';

/** The company's own steps, as the types need them: `npx symbolon flows export` has the whole definition. */
type Lease = {
  readonly nodes: readonly [
    {
      readonly key: 'offer';
      readonly elements: readonly [
        { readonly slug: 'landlord_name'; readonly required: true },
        { readonly slug: 'rent'; readonly required: true },
      ];
    },
  ];
};

/** What the company answers, by its steps. What the tenant has answered is in `answers`. */
const fill: FlowFill<Lease> = {
  offer: ({ answers }) => ({
    landlord_name: 'Homes and Sons',
    rent: String(answers.move_in) < '2027-06-01' ? '900.00' : '950.00',
  }),
};

/** Starts a contract with the person of a connection; gives the id of the run. */
export async function startContract(
  client: DataClient,
  flowId: string,
  connectionId: string,
): Promise<string> {
  const { id } = await client.flows.start(flowId, { connectionId });
  return id;
}

/** Does what a change asks for. It may see one twice after a crash: an answered step is answered once, a file stored again. */
export async function handleChange(client: DataClient, change: Change, folder: string): Promise<void> {
  const { event, flowRunId } = change;
  if (flowRunId === undefined) return;
  const { run } = await client.flows.run(flowRunId);
  if (event === 'flow_run_turn') {
    const { run: now } = await client.flows.processRun<Lease>(run, fill);
    console.log(`${flowRunId}: ${now.status}`);
  }
  if (event === 'flow_completed') {
    console.log(`${flowRunId}: ${run.status}`);
    if (run.status !== 'completed') return;
    const outputs = new Set((await client.flows.documents(flowRunId)).map(({ outputKey }) => outputKey));
    for (const output of outputs) {
      const { bytes } = await client.flows.documentFile(flowRunId, output);
      await writeFile(`${folder}/${flowRunId}-${output}.pdf`, bytes);
    }
  }
}

if (import.meta.main) {
  const [flowId, connectionId] = process.argv.slice(2);
  if (flowId === undefined || connectionId === undefined) {
    console.error(
      'Usage: SYMBOLON_CONFIG=client.json node examples/contract-flow/contract.ts FLOW_ID CONNECTION_ID',
    );
    process.exit(2);
  }
  const client = DataClient.fromEnvironment();
  console.log(`started ${await startContract(client, flowId, connectionId)}`);
  const pump = new ChangePump({
    client,
    file: 'contract-flow.db',
    handle: (change) => handleChange(client, change, '.'),
    onError: (error) => console.error(error),
  });
  pump.start();
  process.once('SIGINT', async () => {
    await pump.stop();
    await client.close();
  });
}
