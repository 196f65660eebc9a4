import { Event } from '@symbolon/protocol/constants';
import { openClient } from '../data/open-client.ts';
import { connected } from './connected.ts';
import { byItsClient } from './other-client.ts';
import type { Done, Sandbox } from './sandbox.ts';

/** One step, which the customer answers. */
const FLOW = {
  name: 'Sandbox flow',
  output_mode: 'data_only',
  entry: 'ask',
  parties: [{ key: 'customer', label: 'Customer' }],
  nodes: [
    {
      key: 'ask',
      party: 'customer',
      title: 'A question',
      elements: [
        { kind: 'field', slug: 'sandbox_answer', field_type: 'text', label: 'Your answer', required: true },
      ],
    },
  ],
  edges: [],
  constants: [],
} satisfies Parameters<Sandbox['portal']['client']['flows']['create']>[1]['definition'];

/** Has the service start a flow with the sandbox person, which is made for it and deleted again. */
export async function runFlow(
  sandbox: Sandbox,
  config: string | undefined,
  event: typeof Event.flowRunTurn | typeof Event.flowCompleted,
): Promise<Done> {
  const { client: person, portal } = sandbox;
  await using service = openClient(config);
  const {
    connection: { connection_id: connectionId },
    also,
  } = await connected(sandbox);
  const serviceId = portal.service.id;
  const { flows } = portal.client;
  const { id: flowId } = await flows.create(serviceId, { definition: FLOW });
  try {
    await flows.publish({ serviceId, flowId });
    const { id } = await byItsClient(sandbox, () => service.flows.start(flowId, { connectionId }));
    if (event === Event.flowRunTurn) await person.flows.decline(id);
    else {
      const answers = { sandbox_answer: 'symbolon trigger' };
      await person.flows.processRun((await person.flows.run(id)).run, { ask: () => answers });
    }
    const other = event === Event.flowRunTurn ? Event.flowCompleted : Event.flowRunTurn;
    return { value: id, also: [...also, other] };
  } finally {
    await flows.delete({ serviceId, flowId });
  }
}
