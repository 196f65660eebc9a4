import type { Core, Domain } from '../../domain.ts';
import type { CompanyReplicas } from '../companies/index.ts';
import type { Directory, Peers } from '../directory/index.ts';
import type { MessageSender } from '../messages/index.ts';
import { Forwarding } from './forwarding.ts';
import { forwardFederatedRoutes } from './routes.ts';

interface Needs {
  readonly companyReplicas: CompanyReplicas;
  readonly directory: Directory;
  readonly messageSender: MessageSender;
  readonly peers: Peers;
  readonly companiesLeave: () => Promise<boolean>;
}

/** Forwards calls to the regions that can answer them. */
export function createForwarding(core: Core, needs: Needs): Domain {
  const forwarding = new Forwarding({ ...core, ...needs });
  return { hooks: (app) => forwardFederatedRoutes(app, forwarding) };
}
