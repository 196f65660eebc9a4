import { hostname } from 'node:os';
import { join } from 'node:path';
import { systemRegistry } from '@symbolon/field-types';
import type { FastifyBaseLogger } from 'fastify';
import { AccessTokens } from './access/access-token.ts';
import { Authenticator } from './access/authenticator.ts';
import { RateLimits, SignInThrottle } from './access/rate-limits.ts';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import { openDatabase } from './db/open.ts';
import { Outbox } from './events/outbox.ts';
import { Changes } from './features/changes/changes.ts';
import { LeaseClaims } from './features/changes/lease-claims.ts';
import { MemoryClaims } from './features/changes/memory-claims.ts';
import { ChangePurge } from './features/changes/purge.ts';
import { Clients } from './features/clients/clients.ts';
import { CompanyData } from './features/company-data/company-data.ts';
import { Connections } from './features/connections/connections.ts';
import { Consents } from './features/connections/consents.ts';
import { LiveSlots } from './features/connections/live-slots.ts';
import { PersonConnections } from './features/connections/person-connections.ts';
import { CodeMailLimits } from './features/fields/code-mail-limits.ts';
import { Fields } from './features/fields/fields.ts';
import { Verification } from './features/fields/verification.ts';
import { Keys } from './features/keys/keys.ts';
import { ServiceLogs } from './features/logs/logs.ts';
import { People } from './features/people/people.ts';
import { Portal } from './features/portal/portal.ts';
import { RecoveryCopies } from './features/recovery/recovery.ts';
import { Catalogue } from './features/registry/registry.ts';
import { ServiceConfig } from './features/services/service-config.ts';
import { Services } from './features/services/services.ts';
import { TokenGrant } from './features/tokens/grant.ts';
import { Acknowledgements } from './features/webhooks/acknowledgements.ts';
import { WebhookDelivery } from './features/webhooks/delivery.ts';
import { WebhookDispatcher } from './features/webhooks/dispatcher.ts';
import { type Leases, MemoryLeases, SharedLeases } from './features/webhooks/leases.ts';
import { ManualDrain } from './features/webhooks/manual-drain.ts';
import { type WebhookPace, webhookPace } from './features/webhooks/pace.ts';
import { StaleQueues } from './features/webhooks/stale-queues.ts';
import { WebhookPost } from './features/webhooks/webhook-post.ts';
import { Webhooks } from './features/webhooks/webhooks.ts';
import { Deliveries } from './http/deliveries.ts';
import { systemResolver } from './outgoing/resolver.ts';
import { OutgoingSender } from './outgoing/sender.ts';
import type { Clock } from './ports/clock.ts';
import { createIds } from './ports/ids.ts';
import { outboxMailer, smtpMailer } from './ports/mail.ts';
import { systemTimers, type Timers } from './ports/timers.ts';
import { createSecrets, loadRootSecret } from './secrets.ts';
import { version } from './version.ts';

/** Every collaborator of a region, built once. */
export type Context = Awaited<ReturnType<typeof createContext>>;

/** @param deps what differs between service and tests: the clock, waiting, the log, how webhooks are timed */
export async function createContext(
  config: Config,
  deps: { clock: Clock; log: FastifyBaseLogger; timers?: Timers; webhookPace?: WebhookPace },
) {
  const { clock, log, timers = systemTimers, webhookPace: pace = webhookPace } = deps;
  const ids = createIds(clock);
  const secrets = createSecrets(loadRootSecret(config.secret, config.dataDir));
  const database: Database = await openDatabase(config);
  const registry = systemRegistry;
  const mail =
    config.smtpUrl === undefined
      ? outboxMailer(join(config.dataDir, 'outbox'), config.mailFrom, ids)
      : smtpMailer(config.smtpUrl, config.mailFrom);
  const address = { publicUrl: config.publicUrl ?? '' };

  const outbox = new Outbox({ database, clock, ids });
  const logs = new ServiceLogs({ clock, ids });
  const tokens = new AccessTokens({ key: secrets.tokenKey, region: config.region, clock });
  const throttle = new SignInThrottle();
  const recovery = new RecoveryCopies({ database, clock, ids });
  const clients = new Clients({ database, secrets, clock, ids, logs, recovery });
  const connections = new Connections({ outbox, clock, ids });
  const services = new Services({ database, clock, ids, logs, clients, recovery, connections });
  const serviceConfig = new ServiceConfig({ database, services, connections, registry, logs, clock, ids });
  const portal = new Portal({ database, secrets, clock, ids, throttle });
  const people = new People({ database, secrets, clock, ids, tokens, throttle });
  const liveSlots = new LiveSlots({ clock });
  const fields = new Fields({ database, registry, liveSlots, outbox, clock, ids });
  const codeMailLimits = new CodeMailLimits();
  const verification = new Verification({
    database,
    fields,
    liveSlots,
    outbox,
    registry,
    codeMailLimits,
    mail,
    secrets,
    clock,
    ids,
  });
  const personConnections = new PersonConnections({ database, connections, registry, outbox, clock, ids });
  const consents = new Consents({ database, personConnections, registry, clock });
  const grant = new TokenGrant({ clients, tokens, apiUrl: () => address.publicUrl });
  const authenticator = new Authenticator({
    tokens,
    clock,
    identities: {
      client: (clientId) => clients.identity(clientId),
      person: (personId) => people.identity(personId),
      portalSession: (token) => portal.session(token),
    },
  });
  const rateLimits = new RateLimits(config.rateLimits);
  const instance = config.instance ?? `${hostname()}:${config.port}`;
  const companyData = new CompanyData({ database, connections });
  const keys = new Keys({ database });
  const catalogue = new Catalogue(registry);
  const claims =
    database.engine === 'sqlite'
      ? new MemoryClaims({ database })
      : new LeaseClaims({ database, clock, timers, log, owner: instance });
  await claims.start();
  const sender = new OutgoingSender({
    resolver: systemResolver,
    allowLoopback: config.dangerouslyAllowLoopbackWebhooks,
    timeoutMs: pace.postTimeoutMs,
    clock,
    timers,
  });
  const post = new WebhookPost({
    sender,
    secrets,
    headerName: config.headerName,
    userAgent: `Symbolon/${version}`,
  });
  const leases: Leases =
    database.engine === 'sqlite'
      ? new MemoryLeases()
      : new SharedLeases({ database, clock, timers, log, owner: instance, pace });
  const acknowledgements = new Acknowledgements({ database, timers });
  const webhooks = new Webhooks({
    database,
    services,
    secrets,
    clock,
    ids,
    logs,
    post,
    headerName: config.headerName,
    allowLoopback: config.dangerouslyAllowLoopbackWebhooks,
  });
  const delivery = new WebhookDelivery({
    database,
    clock,
    ids,
    logs,
    post,
    leases,
    acknowledgements,
    log,
    pace,
  });
  const dispatcher = new WebhookDispatcher({
    database,
    clock,
    timers,
    delivery,
    leases,
    log,
    owner: instance,
    pace,
  });
  const staleQueues = new StaleQueues({ database, clock, mail, logs, log });
  const manualDrain = new ManualDrain({ database, leases, acknowledgements, timers });
  const changes = new Changes({ claims, backlogs: manualDrain });
  const changePurge = new ChangePurge({ database, clock, logs });
  const deliveries = new Deliveries({ timers, log });

  return {
    config,
    clock,
    timers,
    log,
    ids,
    secrets,
    database,
    registry,
    mail,
    address,
    outbox,
    logs,
    tokens,
    throttle,
    recovery,
    clients,
    connections,
    services,
    serviceConfig,
    portal,
    people,
    fields,
    verification,
    personConnections,
    consents,
    grant,
    authenticator,
    rateLimits,
    instance,
    companyData,
    keys,
    catalogue,
    changes,
    changePurge,
    deliveries,
    webhooks,
    dispatcher,
    staleQueues,
    sender,
    async stop() {
      await deliveries.settled();
      claims.stop();
      await database.stop();
    },
  };
}
