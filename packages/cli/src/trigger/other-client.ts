import { NotFoundError } from '@symbolon/sdk/portal';
import { Problem } from '../problem.ts';
import type { Sandbox } from './sandbox.ts';

/** What the configured data client knows nothing of is of another service. */
const UNKNOWN = ['company_data.connection_not_found', 'flows.not_found'];

export const otherClient = ({ portal }: Sandbox): Problem =>
  new Problem(`The client that is configured is not the data client of ${portal.service.name}.`, {
    exitCode: 2,
  });

/** Has the data client do something with the sandbox person. @throws Problem when it is the client of another service */
export async function byItsClient<T>(sandbox: Sandbox, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isOther = error instanceof NotFoundError && UNKNOWN.includes(String(error.errorKey));
    throw isOther ? otherClient(sandbox) : error;
  }
}
