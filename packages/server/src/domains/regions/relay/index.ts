import type { Core, Domain } from '../../domain.ts';
import type { Directory } from '../directory/directory.ts';
import type { Peers } from '../directory/peers.ts';
import type { RelayTokens } from '../directory/relay-tokens.ts';
import { Destinations } from './destination.ts';
import { Relay } from './relay.ts';
import { relayRoutes } from './routes.ts';
import { SessionHomes } from './session-homes.ts';

interface Needs {
  readonly directory: Directory;
  readonly peers: Peers;
  readonly relayTokens: RelayTokens;
}

/** Passes calls on, in a front door that is no region. */
export function createRelay(core: Core, needs: Needs): Domain {
  const relay = new Relay({ ...core, ...needs });
  const sessionHomes = new SessionHomes({ ...core, ...needs });
  const destinations = new Destinations({ ...core, ...needs, sessionHomes });
  return {
    routes: (app) => relayRoutes(app, { ...core, relay, destinations }),
    stop: () => relay.stop(),
  };
}
