import type { CustomerFlowRun } from '@symbolon/protocol';
import { NotFoundError } from '../http/errors.ts';

/** Under whose id a company as a customer has its copies: the participant of the caller's own connection. */
export function customerViewer({ participants, connection_id: own }: CustomerFlowRun): string {
  const found = participants.find(({ connection_id }) => connection_id === own && own !== null);
  if (found !== undefined) return found.person_user_id;
  throw new NotFoundError({
    errorKey: 'flows.run_not_found',
    message: 'The company takes no part in this run.',
  });
}
