import type { FastifyRequest } from 'fastify';
import { actorOf, companyOf } from '../../../access/callers.ts';
import type { By } from './flows.ts';
import type { FlowRef, ServiceRef } from './store.ts';

type OfService = FastifyRequest & { params: { id: string } };
type OfFlow = FastifyRequest & { params: { id: string; flowId: string } };

/** The service that a route addresses, and who calls. */
export const serviceOf = (request: OfService): ServiceRef & By => ({
  companyId: companyOf(request),
  serviceId: request.params.id,
  actor: actorOf(request),
});

/** The flow that a route addresses, and who calls. */
export const flowOf = (request: OfFlow): FlowRef & By => ({
  ...serviceOf(request),
  flowId: request.params.flowId,
});
