import type { FastifyBaseLogger } from 'fastify';
import { Authenticator } from './access/authenticator.ts';
import { noPeers } from './access/peers.ts';
import type { Clock } from './core/clock.ts';
import type { Config } from './core/config.ts';
import type { Timers } from './core/timers.ts';
import { inDependencyOrder } from './db/table-registry.ts';
import { dbTables } from './db/tables.ts';
import { connectionDocuments, createAgreements } from './domains/agreements/index.ts';
import { createApproval, createApprovalPorts, createDeletedChallenges } from './domains/approval/index.ts';
import { createClients } from './domains/clients/index.ts';
import { askedConnections, createConversation } from './domains/conversation/index.ts';
import type { OutgoingNetwork, WebhookPace } from './domains/delivery/index.ts';
import { createDelivery, createPersonSignals } from './domains/delivery/index.ts';
import { combine } from './domains/domain.ts';
import { createFlows, flowPluginUses, flowRequestRows } from './domains/flows/index.ts';
import type { CompanyPart, PersonPart, SessionPart } from './domains/identity/index.ts';
import { createIdentity } from './domains/identity/index.ts';
import { createJobs, createOperations } from './domains/operations/index.ts';
import { createOperator } from './domains/operator/index.ts';
import { createPlugins, type PluginUses } from './domains/plugins/index.ts';
import { createProfile } from './domains/profile/index.ts';
import { createRegions, oneRegion, openRegions, regionTables } from './domains/regions/index.ts';
import { createRegistry } from './domains/registry/index.ts';
import { createServices, rowPluginUses } from './domains/services/index.ts';
import { createOwedEvents, createSharing, createSharingPorts } from './domains/sharing/index.ts';
import { Outbox } from './events/outbox.ts';
import { eventTables } from './events/tables.ts';
import { createCore } from './roles/core.ts';
import { createForwarder, regionReports, remoteReports } from './roles/forwarder/index.ts';
import { sweepAll, sweepWorker } from './roles/sweep.ts';

/** A region: its core, and the domains in order. Each uses those above it; ports serve the other direction. */
export type Context = Awaited<ReturnType<typeof createContext>>;

/** @param deps what differs between service and tests: the clock, waiting, the log, how webhooks are timed and connect */
export async function createContext(
  config: Config,
  deps: {
    clock: Clock;
    log: FastifyBaseLogger;
    timers?: Timers;
    webhookPace?: WebhookPace;
    outgoing?: OutgoingNetwork;
  },
) {
  const core = await createCore(config, deps);
  const opened = config.regions.size === 0 ? undefined : openRegions(core);
  const ports = opened?.ports ?? oneRegion;
  const parts: CompanyPart[] = [];
  const personParts: PersonPart[] = [];
  const sessionParts: SessionPart[] = [];
  const pluginUses: PluginUses[] = [];
  const jobs = createJobs(core);
  const outbox = new Outbox({ ...core, ...ports, owedEvents: createOwedEvents(core, { jobs }) });
  const personSignals = createPersonSignals(core, ports);
  const deletedChallenges = createDeletedChallenges(core, { personSignals });
  const sharingPorts = createSharingPorts(core, {
    ...ports,
    outbox,
    jobs,
    deletedChallenges,
    connectionRuns: { connectionsEnding: (...ending) => flows.runEndings.connectionsEnding(...ending) },
  });
  const shared = {
    ...ports,
    personSignals,
    ...sharingPorts,
    outbox,
    jobs,
    parts,
    personParts,
    sessionParts,
    pluginUses,
    pace: deps.webhookPace,
    outgoing: deps.outgoing,
  };

  const operations = createOperations(core, { ...shared, sealHealth: () => agreements.sealHealth() });
  const approvalPorts = createApprovalPorts(core, operations);
  const registry = createRegistry(core);
  const identity = createIdentity(core, { ...shared, ...operations, ...registry });
  const clients = createClients(core, { ...shared, ...approvalPorts, ...operations, ...identity });
  const profile = createProfile(core, { ...shared, ...operations, ...registry });
  const plugins = createPlugins(core, { ...shared, ...operations });
  const above = {
    ...shared,
    ...approvalPorts,
    ...operations,
    ...registry,
    ...identity,
    ...clients,
    ...profile,
    ...plugins,
  };
  const services = createServices(core, above);
  const sharing = createSharing(core, {
    ...above,
    askedConnections,
    connectionDocuments,
    flowRequestRows,
  });
  const delivery = await createDelivery(core, { ...above, ...services });
  const approval = createApproval(core, { ...above, ...services, ...sharing, ...delivery });
  const agreements = await createAgreements(core, {
    ...above,
    ...approval,
    signedRuns: { completed: (...act) => flows.signedRuns.completed(...act) },
  }).catch(async (error: unknown) => {
    await core.stop();
    throw error;
  });
  const conversation = createConversation(core, { ...above, ...sharing });
  const flows = createFlows(core, {
    ...above,
    ...services,
    ...agreements,
    plugins: plugins.pluginSpecs,
  });
  const operator = createOperator(core, {
    ...above,
    async purge() {
      const { results, failure } = await sweepAll(domain.sweeps, core);
      if (failure !== undefined) throw failure;
      return Number(results.get('changes'));
    },
  });
  pluginUses.push(rowPluginUses, approval.claimPluginUses, flowPluginUses);
  personParts.push(
    sharing.personConnections,
    approval.enrolments,
    agreements.personDocuments,
    conversation.connectRequests,
    flows.runEndings,
  );
  sessionParts.push(delivery.devices);
  parts.push(services.services, sharingPorts.connections, profile.photos);

  await core.settings.start().catch(async (error: unknown) => {
    await core.stop();
    throw error;
  });
  const local = combine(
    ...[
      operations,
      operator,
      registry,
      identity,
      clients,
      profile,
      plugins,
      services,
      sharing,
      delivery,
      approval,
      agreements,
      conversation,
      flows,
    ].map((made) => made.domain),
  );
  core.tables.push(...inDependencyOrder([...dbTables, ...eventTables, ...local.tables, ...regionTables]));
  await operator.keyRotation.start().catch(async (error: unknown) => {
    await core.stop();
    throw error;
  });
  const regions = await createRegions(core, opened, { ...above, ...services, ...delivery, ...agreements });

  // Hooks of regions stand before all routes.
  const domain = combine(
    regions.domain,
    local,
    config.roles.has('forwarder')
      ? createForwarder(core, {
          passes: plugins.pluginPasses,
          reports: regionReports(plugins.plugins, core.publicUrl, remoteReports(plugins.pluginPasses)),
          prefix: '/forwarder',
          outgoing: deps.outgoing,
        })
      : {},
  );
  const authenticator = new Authenticator({
    ...core,
    peers: opened?.peerTokens ?? noPeers,
    homes: ports.homesElsewhere,
    identities: {
      client: (clientId) => clients.clients.identity(clientId),
      signIn: (subject) => approvalPorts.userInfos.identity(subject),
      person: (personId, epoch) => identity.people.identity(personId, epoch),
      portalSession: (token, transport) => identity.sessions.find(token, transport),
      eventTicket: (ticket) => delivery.eventTickets.take(ticket),
      personSession: (token, isUse) => identity.personSessions.find(token, isUse),
    },
  });
  core.database.started();
  return {
    core,
    authenticator,
    outbox,
    jobs,
    operations,
    blobs: operations.blobs,
    registry,
    identity,
    clients,
    profile,
    plugins,
    services,
    sharing: { ...sharingPorts, ...sharing },
    delivery,
    approval: { ...approvalPorts, ...approval },
    agreements,
    flows,
    operator,
    regions,
    domain: { ...domain, workers: [...domain.workers, sweepWorker(core, operations, domain.sweeps)] },
    maintenance: operations.maintenance,
  };
}
