import type { FlowSummary } from '@symbolon/protocol';
import type { Query } from '../queries.ts';
import { flowsOf } from './flows.ts';
import { portalCall } from './inner/api.ts';
import { portalKeys } from './keys.ts';
import { leftFlows } from './untouched.ts';

/** The flows of a service. */
export const flowsQuery = (serviceId: string): Query<readonly FlowSummary[]> => ({
  key: portalKeys.companyFlows(serviceId),
  async read() {
    await leftFlows();
    return (await portalCall<{ flows: FlowSummary[] }>('GET', flowsOf(serviceId))).flows;
  },
});
