import type { FlowSummary } from '@symbolon/protocol';
import { keys, type Query } from '../queries.ts';
import { flowsOf } from './flows.ts';
import { portalCall } from './inner/api.ts';
import { leftFlows } from './untouched.ts';

/** The flows of a service. */
export const flowsQuery = (serviceId: string): Query<readonly FlowSummary[]> => ({
  key: keys.companyFlows(serviceId),
  async read() {
    await leftFlows();
    return (await portalCall<{ flows: FlowSummary[] }>('GET', flowsOf(serviceId))).flows;
  },
});
