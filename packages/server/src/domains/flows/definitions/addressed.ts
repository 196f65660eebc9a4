import { actorOf, namedService, type OfService } from '../../../access/callers.ts';
import type { By } from './flows.ts';
import type { FlowRef, ServiceRef } from './store.ts';

type OfFlow = OfService & { params: { flowId: string } };

/** The service that a route addresses, and who calls. */
export const serviceOf = (request: OfService): ServiceRef & By => ({
  ...namedService(request),
  actor: actorOf(request),
});

/** The flow that a route addresses, and who calls. */
export const flowOf = (request: OfFlow): FlowRef & By => ({
  ...serviceOf(request),
  flowId: request.params.flowId,
});
