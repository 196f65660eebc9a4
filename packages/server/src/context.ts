import { hostname } from 'node:os';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { AccessTokens } from './access/access-token.ts';
import { Authenticator } from './access/authenticator.ts';
import { Cookies } from './access/cookies.ts';
import { memoryLimits, redisLimits } from './access/limit-store.ts';
import { RateLimits, SignInThrottle } from './access/rate-limits.ts';
import { localRouting, type Routing } from './access/routing.ts';
import { folderBlobs } from './core/blobs.ts';
import type { Clock } from './core/clock.ts';
import type { Config } from './core/config.ts';
import { createIds } from './core/ids.ts';
import { KeyRing } from './core/key-ring.ts';
import { outboxMailer, smtpMailer } from './core/mail.ts';
import { createSecrets } from './core/secrets.ts';
import { systemTimers, type Timers } from './core/timers.ts';
import { version } from './core/version.ts';
import type { Database } from './db/database.ts';
import { openDatabase } from './db/open.ts';
import { RegionSettings } from './db/region-settings.ts';
import { AccountClients } from './domains/clients/account-clients/account-clients.ts';
import { Clients } from './domains/clients/data-clients/clients.ts';
import { OAuthApps } from './domains/clients/oauth-apps/oauth-apps.ts';
import { TokenGrant } from './domains/clients/tokens/grant.ts';
import { RoutedGrant } from './domains/clients/tokens/routed-grant.ts';
import { CustomerChanges } from './domains/delivery/account-feed/customer-changes.ts';
import { Changes } from './domains/delivery/change-feed/changes.ts';
import { LeaseClaims } from './domains/delivery/change-feed/lease-claims.ts';
import { MemoryClaims } from './domains/delivery/change-feed/memory-claims.ts';
import { ChangePurge } from './domains/delivery/change-feed/purge.ts';
import { Acknowledgements } from './domains/delivery/webhooks/acknowledgements.ts';
import { WebhookDelivery } from './domains/delivery/webhooks/delivery.ts';
import { WebhookDispatcher } from './domains/delivery/webhooks/dispatcher.ts';
import { type Leases, MemoryLeases, SharedLeases } from './domains/delivery/webhooks/leases.ts';
import { ManualDrain } from './domains/delivery/webhooks/manual-drain.ts';
import { type WebhookPace, webhookPace } from './domains/delivery/webhooks/pace.ts';
import { StaleQueues } from './domains/delivery/webhooks/stale-queues.ts';
import { WebhookPost } from './domains/delivery/webhooks/webhook-post.ts';
import { Webhooks } from './domains/delivery/webhooks/webhooks.ts';
import { Delegates } from './domains/identity/delegates/delegates.ts';
import { InvitationLimits } from './domains/identity/delegates/invitation-limits.ts';
import { CodeMailLimits } from './domains/identity/fields/code-mail-limits.ts';
import { Fields } from './domains/identity/fields/fields.ts';
import { Verification } from './domains/identity/fields/verification.ts';
import { People } from './domains/identity/people/people.ts';
import { AccountDeletion } from './domains/identity/portal/account-deletion.ts';
import { LoginCodes } from './domains/identity/portal/login-codes.ts';
import { Logins } from './domains/identity/portal/logins.ts';
import { OwnLogin } from './domains/identity/portal/own-login.ts';
import { Portal } from './domains/identity/portal/portal.ts';
import { Proofs } from './domains/identity/portal/proofs.ts';
import { SecondFactor } from './domains/identity/portal/second-factor.ts';
import { Sessions } from './domains/identity/portal/sessions.ts';
import { TrustedDevices } from './domains/identity/portal/trusted-devices.ts';
import { RecoveryCopies } from './domains/identity/recovery/recovery.ts';
import { Blobs } from './domains/operations/blobs/blobs.ts';
import { Audit } from './domains/operations/journal/audit.ts';
import { OperatorActs } from './domains/operations/journal/operator-acts.ts';
import { heldDatabase, Maintenance } from './domains/operations/maintenance/maintenance.ts';
import { AuditedServiceLogs } from './domains/operations/service-log/audited-logs.ts';
import { Administration } from './domains/operator/admin/administration.ts';
import { Backups } from './domains/operator/admin/backups.ts';
import { KeyRotation } from './domains/operator/admin/key-rotation.ts';
import { businessCards, CompanyFields } from './domains/profile/company-fields/company-fields.ts';
import { CustomFields } from './domains/profile/company-fields/custom-fields.ts';
import { Photos } from './domains/profile/photos/photos.ts';
import { Profiles } from './domains/profile/profile/profile.ts';
import { AccountFeedsElsewhere } from './domains/regions/companies/account-feeds.ts';
import { AuditLogsElsewhere } from './domains/regions/companies/audit-logs.ts';
import { CompanyCards } from './domains/regions/companies/cards.ts';
import { GoneCompanies } from './domains/regions/companies/gone-companies.ts';
import { Introductions } from './domains/regions/companies/introductions.ts';
import { createRegions } from './domains/regions/directory/create.ts';
import { Homes } from './domains/regions/directory/homes.ts';
import { NameIntroductions } from './domains/regions/directory/name-introductions.ts';
import { Names } from './domains/regions/directory/names.ts';
import { CatchUp } from './domains/regions/forward/catch-up.ts';
import { Forwarding } from './domains/regions/forward/forwarding.ts';
import { MessageQueue } from './domains/regions/messages/message-queue.ts';
import { MessageSender } from './domains/regions/messages/message-sender.ts';
import { createDepartures } from './domains/regions/moves/create.ts';
import { Moves } from './domains/regions/moves/moves.ts';
import { SlotRegistrations } from './domains/regions/people/registrations.ts';
import { RemoteSlots } from './domains/regions/people/remote-slots.ts';
import { PersonReplicas } from './domains/regions/people/replicas.ts';
import { SlotCheck } from './domains/regions/people/slot-check.ts';
import { FieldTypes } from './domains/registry/field-types.ts';
import { LiveRegistry } from './domains/registry/live-registry.ts';
import { Catalogue } from './domains/registry/registry.ts';
import { Keys } from './domains/services/keys/keys.ts';
import { CustomShareCodes } from './domains/services/keys/share-codes.ts';
import { ServiceConfig } from './domains/services/services/service-config.ts';
import { ServiceKeys } from './domains/services/services/service-keys.ts';
import { Services } from './domains/services/services/services.ts';
import { SharePhotos } from './domains/services/share-photos/share-photos.ts';
import { CompanyConnections } from './domains/sharing/company-connections/company-connections.ts';
import { CompanyConsents } from './domains/sharing/company-connections/company-consents.ts';
import { CompanyData } from './domains/sharing/company-data/company-data.ts';
import { Connections } from './domains/sharing/connections/connections.ts';
import { Consents } from './domains/sharing/connections/consents.ts';
import { LiveSlots } from './domains/sharing/connections/live-slots.ts';
import { PersonConnections } from './domains/sharing/connections/person-connections.ts';
import { Outbox } from './events/outbox.ts';
import { Deliveries } from './http/deliveries.ts';
import { systemResolver } from './outgoing/resolver.ts';
import { OutgoingSender } from './outgoing/sender.ts';

/** Every collaborator of a region, built once. */
export type Context = Awaited<ReturnType<typeof createContext>>;

/** @param deps what differs between service and tests: the clock, waiting, the log, how webhooks are timed */
export async function createContext(
  config: Config,
  deps: { clock: Clock; log: FastifyBaseLogger; timers?: Timers; webhookPace?: WebhookPace },
) {
  const { clock, log, timers = systemTimers, webhookPace: pace = webhookPace } = deps;
  const ids = createIds(clock);
  const secrets = createSecrets(new KeyRing(config.secret, config.dataDir));
  const database: Database = await openDatabase(config);
  const settings = new RegionSettings({ database, clock, timers, log });
  const maintenance = new Maintenance({ settings, clock });
  // For what goes on beside calls: its writes wait while saving is paused.
  const held = heldDatabase(database, maintenance);
  const registry = new LiveRegistry();
  const fieldTypes = new FieldTypes({ database, settings, registry, clock });
  const acts = new OperatorActs({ clock, ids });
  const keyRotation = new KeyRotation({ database, settings, keys: secrets.keys, secrets, acts, log });
  try {
    await settings.start();
    keyRotation.check();
  } catch (error) {
    await settings.stop();
    await database.stop();
    throw error;
  }
  const limitStore =
    config.redisUrl === undefined
      ? memoryLimits
      : await redisLimits(config.redisUrl, { region: config.region, log });
  const mail =
    config.smtpUrl === undefined
      ? outboxMailer(join(config.dataDir, 'outbox'), config.mailFrom, ids)
      : smtpMailer(config.smtpUrl, config.mailFrom);
  const address = { publicUrl: config.publicUrl ?? config.regions.get(config.region) ?? '' };
  const { regions, peerTokens, peers, directoryService, directory } = createRegions({
    config,
    clock,
    log,
    database,
    secrets,
    ownBase: () => address.publicUrl,
  });
  const names = new Names({ directory, regions, database, ids, secrets });
  const homes = new Homes({ database, directory, regions });

  const regionMessages =
    peers === undefined ? undefined : new MessageQueue({ database, regions, clock, log });
  const messageSender =
    peers === undefined
      ? undefined
      : new MessageSender({ database: held, regions, peers, timers, maintenance, log });
  const cards = new CompanyCards({ database, regions, messages: regionMessages });
  const nameIntroductions = new NameIntroductions({ database, settings, directory, log });
  const introductions = regionMessages && new Introductions({ database: held, settings, regions, cards });
  const feedsElsewhere =
    regionMessages && new AccountFeedsElsewhere({ cards, messages: regionMessages, regions });
  const logsElsewhere =
    regionMessages && new AuditLogsElsewhere({ cards, messages: regionMessages, regions });

  const outbox = new Outbox({ database, clock, ids, feedsElsewhere });
  const audit = new Audit({ clock, ids, logsElsewhere });
  feedsElsewhere?.receive(outbox);
  logsElsewhere?.receive(audit);
  const logs = new AuditedServiceLogs({ clock, ids, audit });
  const tokens = new AccessTokens({ key: secrets.tokenKey, region: config.region, clock });
  const throttle = new SignInThrottle(limitStore);
  const recovery = new RecoveryCopies({ database, clock, ids });
  const clients = new Clients({ database, secrets, clock, ids, logs, recovery });
  const accountClients = new AccountClients({ database, clients, audit });
  const oauthApps = new OAuthApps({ database, clients, recovery, audit, clock, ids });
  const liveSlots = new LiveSlots({ clock });
  const remoteSlots = new RemoteSlots({ database, clock, messages: regionMessages });
  const replicas = new PersonReplicas({
    database,
    regions,
    directory,
    messages: regionMessages,
    peers,
    liveSlots,
    outbox,
    timers,
    log,
  });
  const registrations = new SlotRegistrations({
    database,
    replicas,
    messages: regionMessages,
    peers,
    ids,
    timers,
    log,
  });
  const slotCheck = new SlotCheck({ database: held, regions, peers, clock, log });
  const connections = new Connections({ registrations, outbox, clock, ids });
  if (regionMessages !== undefined) {
    new GoneCompanies({ database, cards, connections }).receive(regionMessages);
  }
  const forwarding =
    peers === undefined || messageSender === undefined
      ? undefined
      : new Forwarding({
          regions,
          peers,
          directory,
          cards,
          catchUp: new CatchUp({ database, sender: messageSender }),
        });
  const services = new Services({ database, clock, ids, logs, clients, recovery, connections });
  const serviceKeys = new ServiceKeys({
    database,
    services,
    connections,
    registrations,
    recovery,
    logs,
    clock,
  });
  const serviceConfig = new ServiceConfig({
    database,
    services,
    connections,
    registrations,
    registry,
    logs,
    clock,
    ids,
  });
  const cookies = new Cookies(() => address.publicUrl.startsWith('https:'));
  const codeMailLimits = new CodeMailLimits(limitStore);
  const logins = new Logins({ database, clock });
  const proofs = new Proofs({ database, secrets, clock, throttle });
  const sessions = new Sessions({ database, secrets, clock, ids, audit, maintenance });
  const trustedDevices = new TrustedDevices({ database, secrets, clock, ids, audit });
  const portal = new Portal({
    database,
    secrets,
    logins,
    proofs,
    sessions,
    trustedDevices,
    names,
    cards,
    mail,
    audit,
    clock,
    ids,
    defaultLevel: config.defaultLevel,
  });
  const loginCodes = new LoginCodes({ database, secrets, codeMailLimits, clock, ids });
  const ownLogin = new OwnLogin({
    database,
    logins,
    proofs,
    sessions,
    loginCodes,
    names,
    recovery,
    mail,
    audit,
  });
  const secondFactor = new SecondFactor({ database, logins, proofs, secrets, mail, clock, ids, audit });
  const delegates = new Delegates({
    database,
    logins,
    portal,
    names,
    secrets,
    mail,
    clock,
    ids,
    audit,
    invitationLimits: new InvitationLimits(limitStore),
    publicUrl: () => address.publicUrl,
  });
  const people = new People({ database, secrets, clock, ids, tokens, throttle, names, replicas });
  const fields = new Fields({ database, registry, liveSlots, remoteSlots, replicas, outbox, clock, ids });
  const verification = new Verification({
    database,
    fields,
    liveSlots,
    replicas,
    outbox,
    registry,
    codeMailLimits,
    mail,
    secrets,
    clock,
    ids,
  });
  const personConnections = new PersonConnections({
    database,
    connections,
    registry,
    registrations,
    outbox,
    clock,
    ids,
  });
  const consents = new Consents({ database, personConnections, registry, registrations, clock });
  const homeGrant = new TokenGrant({ clients, tokens, maintenance, apiUrl: () => address.publicUrl });
  const grant =
    peers === undefined ? homeGrant : new RoutedGrant({ local: homeGrant, directory, peers, regions });
  const moves = new Moves({
    database,
    regions,
    peers,
    maintenance,
    proofs,
    secrets,
    audit,
    acts,
    clock,
    ids,
  });
  const operatorHash = config.operatorToken === undefined ? undefined : secrets.hash(config.operatorToken);
  const routing: Routing = regions.several
    ? {
        own: regions.own,
        apiUrl: (region) => regions.apiUrl(region),
        homeOfCompany: (companyId) => homes.elsewhere(companyId),
        async homeOfSession(token) {
          const company = await moves.departed(token);
          return company === undefined ? undefined : homes.elsewhere(company);
        },
      }
    : localRouting(regions.own);
  const authenticator = new Authenticator({
    tokens,
    clock,
    peers: peerTokens,
    routing,
    isOperator: (token) => operatorHash !== undefined && secrets.matches(token, operatorHash),
    identities: {
      client: (clientId) => clients.identity(clientId),
      person: (personId, epoch) => people.identity(personId, epoch),
      portalSession: (token, transport) => sessions.find(token, transport),
      antiForgery: (sessionHash, token) => sessions.antiForgeryMatches(sessionHash, token),
    },
  });
  const rateLimits = new RateLimits(config.rateLimits, limitStore);
  // A process that does not listen has no port of its own.
  const instance =
    config.instance ?? `${hostname()}:${config.roles.has('region') ? config.port : `worker:${process.pid}`}`;
  const companyData = new CompanyData({ database, connections });
  const keys = new Keys({ database });
  const catalogue = new Catalogue(registry);
  const blobStore = folderBlobs(config.blobsDir ?? join(config.dataDir, 'blobs'), { clock, ids });
  const blobs = new Blobs({ database, store: blobStore, clock, ids });
  const photos = new Photos({ database, blobs, audit, clock, ids });
  const sharePhotos = new SharePhotos({ database, services, photos, audit, logs });
  const accountDeletion = new AccountDeletion({
    database,
    proofs,
    loginCodes,
    connections,
    names,
    cards,
    parts: [photos, registrations],
    mail,
    clock,
    audit,
    log,
  });
  const profiles = new Profiles({ database, photos, audit, cards });
  const customFields = new CustomFields({ database, catalogue, audit, clock, ids });
  const companyFields = new CompanyFields({ database, customFields, registry, audit, clock, ids });
  const companyConnections = new CompanyConnections({
    database,
    connections,
    registry,
    outbox,
    audit,
    clock,
    ids,
    profilesOf: businessCards,
  });
  const companyConsents = new CompanyConsents({ database, companyConnections, registry, clock });
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
  const acknowledgements = new Acknowledgements({ database: held, timers });
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
    database: held,
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
    maintenance,
    clock,
    timers,
    delivery,
    leases,
    log,
    owner: instance,
    pace,
  });
  const staleQueues = new StaleQueues({ database: held, clock, mail, logs, log });
  const manualDrain = new ManualDrain({ database, leases, acknowledgements, timers });
  const changes = new Changes({ claims, backlogs: manualDrain });
  const customerChanges = new CustomerChanges({ changes });
  const changePurge = new ChangePurge({ database: held, clock, logs });
  const customShareCodes = new CustomShareCodes({ database });
  const administration = new Administration({
    database,
    customShareCodes,
    names,
    audit,
    acts,
    cards,
    replicas,
    regions,
  });
  const backups = new Backups({ database, blobs: blobStore, config, ids, clock });
  const deliveries = new Deliveries({ timers, log });
  const companyMoves =
    peers === undefined || regionMessages === undefined
      ? undefined
      : createDepartures({
          database,
          blobs,
          registry,
          keys: secrets.keys,
          audit,
          acts,
          clock,
          timers,
          log,
          peers,
          regions,
          directory,
          messages: regionMessages,
          parts: [photos],
          claims,
          leases,
          instance,
          delivery,
          liveSlots,
          outbox,
        });
  // Nothing is delivered yet: what is held still stays so from the first moment.
  await companyMoves?.departures.resume();

  return {
    config,
    clock,
    timers,
    log,
    ids,
    secrets,
    database,
    settings,
    maintenance,
    registry,
    fieldTypes,
    acts,
    keyRotation,
    customShareCodes,
    administration,
    backups,
    mail,
    address,
    regions,
    peerTokens,
    peers,
    directoryService,
    directory,
    names,
    homes,
    moves,
    companyMoves,
    claims,
    leases,
    delivery,
    regionMessages,
    messageSender,
    cards,
    introductions,
    nameIntroductions,
    forwarding,
    outbox,
    logs,
    tokens,
    throttle,
    recovery,
    clients,
    audit,
    accountClients,
    oauthApps,
    connections,
    services,
    serviceConfig,
    serviceKeys,
    cookies,
    sessions,
    ownLogin,
    secondFactor,
    trustedDevices,
    accountDeletion,
    delegates,
    portal,
    people,
    liveSlots,
    remoteSlots,
    replicas,
    registrations,
    slotCheck,
    fields,
    verification,
    personConnections,
    consents,
    homeGrant,
    grant,
    routing,
    authenticator,
    rateLimits,
    instance,
    companyData,
    keys,
    catalogue,
    blobs,
    photos,
    sharePhotos,
    profiles,
    customFields,
    companyFields,
    changes,
    changePurge,
    companyConnections,
    companyConsents,
    customerChanges,
    deliveries,
    webhooks,
    dispatcher,
    staleQueues,
    sender,
    async stop() {
      // First: nothing that ends now may wait for saving to go on.
      maintenance.stop();
      await deliveries.settled();
      claims.stop();
      await settings.stop();
      await limitStore.stop();
      await peers?.stop();
      await database.stop();
    },
  };
}
