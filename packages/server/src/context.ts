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
import { Clients } from './features/clients/clients.ts';
import { Connections } from './features/connections/connections.ts';
import { ServiceLogs } from './features/logs/logs.ts';
import { Portal } from './features/portal/portal.ts';
import { RecoveryCopies } from './features/recovery/recovery.ts';
import { ServiceConfig } from './features/services/service-config.ts';
import { Services } from './features/services/services.ts';
import { TokenGrant } from './features/tokens/grant.ts';
import type { Clock } from './ports/clock.ts';
import { createIds } from './ports/ids.ts';
import { outboxMailer, smtpMailer } from './ports/mail.ts';
import { createSecrets, loadRootSecret } from './secrets.ts';

/** Every collaborator of a region, built once. */
export type Context = Awaited<ReturnType<typeof createContext>>;

/** @param deps what differs between service and tests: the clock, the log */
export async function createContext(config: Config, deps: { clock: Clock; log: FastifyBaseLogger }) {
  const { clock, log } = deps;
  const ids = createIds(clock);
  const secrets = createSecrets(loadRootSecret(config.secret, config.dataDir));
  const database: Database = await openDatabase(config);
  const registry = systemRegistry;
  const mail =
    config.smtpUrl === undefined
      ? outboxMailer(join(config.dataDir, 'outbox'), config.mailFrom, ids)
      : smtpMailer(config.smtpUrl, config.mailFrom);
  const address = { publicUrl: config.publicUrl ?? '' };

  const outbox = new Outbox({ clock, ids });
  const logs = new ServiceLogs({ clock, ids });
  const tokens = new AccessTokens({ key: secrets.tokenKey, region: config.region, clock });
  const throttle = new SignInThrottle();
  const recovery = new RecoveryCopies({ database, clock, ids });
  const clients = new Clients({ database, secrets, clock, ids, logs, recovery });
  const connections = new Connections({ outbox, clock, ids });
  const services = new Services({ database, clock, ids, logs, clients, recovery, connections });
  const serviceConfig = new ServiceConfig({ database, services, connections, registry, logs, clock, ids });
  const portal = new Portal({ database, secrets, clock, ids, throttle });
  const grant = new TokenGrant({ clients, tokens, apiUrl: () => address.publicUrl });
  const authenticator = new Authenticator({
    tokens,
    clock,
    identities: {
      client: (clientId) => clients.identity(clientId),
      person: async () => undefined,
      portalSession: (token) => portal.session(token),
    },
  });
  const rateLimits = new RateLimits(config.rateLimits);
  const instance = config.instance ?? `${hostname()}:${config.port}`;

  return {
    config,
    clock,
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
    grant,
    authenticator,
    rateLimits,
    instance,
    async stop() {
      await database.stop();
    },
  };
}
