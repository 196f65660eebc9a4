import type { FastifyBaseLogger } from 'fastify';
import { Authenticator } from '../../access/authenticator.ts';
import { noPeers } from '../../access/peers.ts';
import { noHomesElsewhere } from '../../access/routing.ts';
import type { Clock } from '../../core/clock.ts';
import type { Config } from '../../core/config.ts';
import { ConfigError } from '../../core/config-error.ts';
import { combine } from '../../domains/domain.ts';
import { createHealth } from '../../domains/operations/index.ts';
import { Passes } from '../../domains/plugins/index.ts';
import { noMaintenance } from '../../http/admission.ts';
import { createBase } from '../base.ts';
import { addProbes } from '../management/probes.ts';
import { createForwarder, remoteReports } from './index.ts';

const nobody = async () => undefined;

/** A forwarder by itself: it has no database, and what it needs is in the passes. */
export async function createForwarderContext(config: Config, deps: { clock: Clock; log: FastifyBaseLogger }) {
  if (config.secret === undefined)
    throw new ConfigError(
      'SYMBOLON_SECRET takes the secret of the platform whose passes this forwarder opens.',
    );
  const base = await createBase(config, deps);
  const passes = new Passes({ ...base, keys: base.secrets.keys });
  const authenticator = new Authenticator({
    ...base,
    peers: noPeers,
    homes: noHomesElsewhere,
    operatorOf: () => undefined,
    // Passes open what there is here.
    identities: {
      client: nobody,
      person: nobody,
      signIn: nobody,
      portalSession: nobody,
      eventTicket: nobody,
      personSession: nobody,
    },
  });
  const domain = combine(
    createHealth(base, { maintenance: { state: undefined } }),
    createForwarder(base, { passes, reports: remoteReports(passes), prefix: '' }),
  );
  addProbes(base, domain);
  return {
    core: { ...base, mail: { stop() {} } },
    authenticator,
    maintenance: { ...noMaintenance, stop() {} },
    domain,
  };
}
