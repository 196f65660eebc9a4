import type { FastifyBaseLogger } from 'fastify';
import { Authenticator } from './access/authenticator.ts';
import type { Clock } from './core/clock.ts';
import type { Config } from './core/config.ts';
import { fillsOf } from './core/ports.ts';
import type { Timers } from './core/timers.ts';
import { inDependencyOrder } from './db/table-registry.ts';
import { dbTables } from './db/tables.ts';
import { createAccounts } from './domains/accounts/index.ts';
import { createAgreements } from './domains/agreements/index.ts';
import { createApproval } from './domains/approval/index.ts';
import { createClients } from './domains/clients/index.ts';
import { createCompanies } from './domains/companies/index.ts';
import { createConversation } from './domains/conversation/index.ts';
import { createDelivery, type OutgoingNetwork, type WebhookPace } from './domains/delivery/index.ts';
import { combine, endingsOf } from './domains/domain.ts';
import { createFlows } from './domains/flows/index.ts';
import { createOperations } from './domains/operations/index.ts';
import { createOperator } from './domains/operator/index.ts';
import { createPeople } from './domains/people/index.ts';
import { createPlugins } from './domains/plugins/index.ts';
import { createProfile } from './domains/profile/index.ts';
import { createRegions } from './domains/regions/index.ts';
import { createRegistry } from './domains/registry/index.ts';
import { createServices } from './domains/services/index.ts';
import { createSharing } from './domains/sharing/index.ts';
import { Outbox } from './events/outbox.ts';
import { eventTables } from './events/tables.ts';
import { createCore } from './roles/core.ts';
import { createOwnForwarder } from './roles/forwarder/index.ts';
import { addProbes } from './roles/management/probes.ts';
import { declarePorts } from './roles/ports.ts';
import { purge, sweepWorker } from './roles/sweep.ts';

/** A region: its core, and the domains in order. Each uses those above it; ports serve the other direction. */
export type Context = Awaited<ReturnType<typeof createContext>>;

/** What differs between the service and tests: the clock, waiting, the log, how webhooks are timed and connect. */
interface Deps {
  readonly clock: Clock;
  readonly log: FastifyBaseLogger;
  readonly timers?: Timers;
  readonly webhookPace?: WebhookPace;
  readonly outgoing?: OutgoingNetwork;
}

/** @throws {ConfigError} for a setting that does not fit what is stored, or the files that it names */
export async function createContext(config: Config, deps: Deps) {
  const board = declarePorts();
  const core = await createCore(config, { ...deps, tables: board.ports.tables });
  try {
    const made = await createDomains(core, board, deps);
    addProbes(core, made.domain);
    await core.settings.start();
    await made.domain.prepare();
    core.database.started();
    return { core, ...made };
  } catch (error) {
    await core.stop();
    throw error;
  }
}

type RegionCore = Awaited<ReturnType<typeof createCore>>;
type Board = ReturnType<typeof declarePorts>;

/** The table of contents of the platform: what a domain uses stands above it. */
async function createDomains(core: RegionCore, board: Board, { webhookPace: pace, outgoing }: Deps) {
  const { ports } = board;
  const outbox = new Outbox({ ...core, ...ports });
  const operations = createOperations(core, ports);
  const base = { ...ports, ...operations, outbox, pace, outgoing };
  const registry = createRegistry(core);
  const accounts = createAccounts(core, base);
  const people = createPeople(core, { ...base, ...registry, ...accounts });
  const companies = createCompanies(core, { ...base, ...accounts });
  const operator = createOperator(core, { ...base, ...registry, ...accounts });
  const clients = createClients(core, { ...base, ...accounts, ...companies });
  const profile = createProfile(core, { ...base, ...registry });
  const plugins = createPlugins(core, base);
  const upper = { ...registry, ...accounts, ...people, ...companies };
  const lower = { ...base, ...upper, ...clients, ...profile, ...plugins };
  const services = createServices(core, lower);
  const sharing = createSharing(core, { ...lower, ...services });
  const delivery = await createDelivery(core, { ...lower, ...services });
  const middle = { ...lower, ...services, ...sharing, ...delivery };
  const approval = createApproval(core, middle);
  const agreements = await createAgreements(core, { ...middle, ...approval });
  const conversation = createConversation(core, middle);
  const flows = createFlows(core, { ...middle, ...agreements });
  const regions = await createRegions(core, { ...middle, ...approval, ...agreements });

  const doors = {
    ...{ operations, operator, registry, accounts, people, companies, clients, profile, plugins },
    ...{ services, sharing, delivery, approval, agreements, conversation, flows },
  };
  const domain = combine(
    { tables: [...dbTables, ...eventTables] },
    // Hooks of regions stand before all others.
    regions.domain,
    ...Object.values(doors).map((door) => door.domain),
    createOwnForwarder(core, { ...plugins, outgoing }),
  );
  board.fill([
    ...fillsOf({ ...doors, regions }),
    {
      tables: inDependencyOrder(domain.tables),
      endings: endingsOf(domain),
      pluginUses: domain.pluginUses,
      purge: () => purge(core, domain.sweeps),
    },
  ]);
  const authenticator = new Authenticator({
    ...core,
    peers: regions.peerTokens,
    homes: ports.homesElsewhere,
    identities: {
      client: (clientId) => clients.clients.identity(clientId),
      signIn: (subject) => approval.userInfos.identity(subject),
      person: (personId, epoch) => people.people.identity(personId, epoch),
      portalSession: (token, transport) => companies.sessions.find(token, transport),
      eventTicket: (ticket) => delivery.eventTickets.take(ticket),
      personSession: (token, isUse) => accounts.personSessions.find(token, isUse),
    },
  });
  const { blobs, maintenance } = operations;
  return {
    ...doors,
    ...{ regions, authenticator, blobs, maintenance, outbox },
    domain: { ...domain, workers: [...domain.workers, sweepWorker(core, operations, domain.sweeps)] },
  };
}
