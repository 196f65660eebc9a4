import type { KeyObject } from 'node:crypto';
import { type CompanyLevel, companyLevels, type RateLimitClass } from '@symbolon/protocol';
import { type BackupConfig, readBackup } from './config-backup.ts';
import { readS3 } from './config-blobs.ts';
import { ConfigError } from './config-error.ts';
import { type IdentityProviderConfig, readIdentityProvider } from './config-identity.ts';
import {
  readBroadcastPeople,
  readDnsServers,
  readOrigins,
  readProxies,
  readReservedPurposes,
} from './config-lists.ts';
import { type ManagementConfig, readManagement } from './config-management.ts';
import { type RedisAddress, readRedis } from './config-redis.ts';
import { checkRegions, checkTransport, readPeerKeys, readRegions } from './config-regions.ts';
import { readSealConfig, type SealConfig } from './config-seal.ts';
import { readTlsFiles, type TlsFiles } from './config-tls.ts';
import { configVariables, type VariableName } from './config-variables.ts';
import { readPushSubject } from './push-subject.ts';
import { variablesOf } from './read-variables.ts';
import type { S3Options } from './s3-objects.ts';
import { withSecretFiles } from './secret-files.ts';
import type { TrustedProxies } from './trusted-proxies.ts';
import { refuseMisspelt } from './variable-names.ts';

/** What a process does; any set of them fits into one. */
export const roles = ['front-door', 'region', 'worker', 'forwarder'] as const;
export type Role = (typeof roles)[number];

/** The configuration of a server: frozen, complete, typed. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** Undefined: it speaks plain HTTP, for a proxy in front. */
  readonly tls: TlsFiles | undefined;
  readonly management: ManagementConfig;
  /** Base without a trailing slash; undefined until the listening address is known. */
  readonly publicUrl: string | undefined;
  readonly dataDir: string;
  /** Undefined: a folder in the data folder. */
  readonly blobsDir: string | undefined;
  /** Undefined: blobs are files of the folder. */
  readonly s3: S3Options | undefined;
  readonly backup: BackupConfig;
  readonly databaseUrl: string | undefined;
  /** Past a pooler; undefined: `databaseUrl` leads to the server. */
  readonly databaseDirectUrl: string | undefined;
  /** How long the start waits for a PostgreSQL that does not answer. */
  readonly databaseWaitMs: number;
  readonly secret: string | undefined;
  /** Opens the operator's routes; undefined: they do not exist. */
  readonly operatorToken: string | undefined;
  /** Opens those of them that read. */
  readonly operatorReadToken: string | undefined;
  /** Where notices of due work are mailed; undefined: they are logged only. */
  readonly operatorEmail: string | undefined;
  /** Of a company that registers. */
  readonly defaultLevel: CompanyLevel;
  /** To how many people a broadcast goes, by the level of its company; 0: to any number. */
  readonly broadcastPeople: Readonly<Record<CompanyLevel, number>>;
  /** Where rate limits are counted; undefined: in memory. */
  readonly redis: RedisAddress | undefined;
  readonly region: string;
  /** Base URLs of all regions by name; empty: this is the only one, under whatever URL. */
  readonly regions: ReadonlyMap<string, string>;
  /** Undefined: the front door is in this process, or there is one region. */
  readonly frontDoorUrl: string | undefined;
  /** Where people's devices call plugins; undefined: this process calls them, under its own URL. */
  readonly forwarderUrl: string | undefined;
  /** Undefined: derived from the secret. */
  readonly peerKeys:
    | {
        readonly privateKey: KeyObject;
        readonly publicKeys: readonly { readonly region: string; readonly key: KeyObject }[];
      }
    | undefined;
  readonly roles: ReadonlySet<Role>;
  readonly instance: string | undefined;
  /** Asked for the hosts of webhooks; empty: those of the operating system. */
  readonly dnsServers: readonly string[];
  /** What an account may store, in bytes; 0 is no limit. */
  readonly personStorageBytes: number;
  /** Of one person: fields and uploads together; 0 is no limit. */
  readonly personFilesBytes: number;
  readonly companyStorageBytes: number;
  readonly headerName: string;
  /** Prefixes of purposes that features of the platform alone may use. */
  readonly reservedPurposes: readonly string[];
  /** Undefined: X-Forwarded-For is not read. */
  readonly trustedProxies: TrustedProxies | undefined;
  /** Connections at a time; 0 is no limit. */
  readonly connections: { readonly most: number; readonly perAddress: number };
  /** Of pages that may call every route; those of sign-in are open to all. */
  readonly corsOrigins: ReadonlySet<string>;
  readonly logLevel: string;
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string;
  /** Contact of the operator for push services; undefined: no push messages are sent. */
  readonly pushSubject: string | undefined;
  /** Undefined: identity documents cannot be verified. */
  readonly identityProvider: IdentityProviderConfig | undefined;
  readonly seal: SealConfig;
  /** A key that signs id_tokens gets its successor at this age; 0: only when an operator says so. */
  readonly signingKeyMs: number;
  /** Closed installations and tests only: registering takes one call, without proof that mail to the address is read. */
  readonly dangerouslyRegisterWithoutCode: boolean;
  /** Development only: redirect URIs may use http on private addresses. */
  readonly dangerouslyAllowPrivateHttpRedirects: boolean;
  /** Development only: webhooks and plugins may be on this machine. */
  readonly dangerouslyAllowLoopbackWebhooks: boolean;
  /** Requests a minute by class; 0 is no limit. */
  readonly rateLimits: Readonly<Record<RateLimitClass, number>>;
  /** Look-ups of unknown codes, for a company or a person; 0 is no limit. */
  readonly unknownCodesAnHour: number;
}

/**
 * Reads the configuration from environment variables.
 * @throws {ConfigError} naming the variable and what it takes
 */
export function readConfig(given: Readonly<Record<string, string | undefined>>): Config {
  refuseMisspelt(given, configVariables);
  const environment = withSecretFiles(given);
  const variables = variablesOf(environment);
  const { text, optional, whole, matching, flag, url, base } = variables;
  const trustedProxies = readProxies(text('SYMBOLON_TRUST_PROXY'));
  const config: Config = {
    host: text('SYMBOLON_HOST'),
    port: whole('SYMBOLON_PORT', 65535),
    tls: readTlsFiles(variables),
    management: Object.freeze(readManagement(variables)),
    publicUrl: base('SYMBOLON_PUBLIC_URL'),
    dataDir: text('SYMBOLON_DATA_DIR'),
    blobsDir: optional('SYMBOLON_BLOBS_DIR'),
    s3: readS3(optional('SYMBOLON_BLOBS'), environment),
    backup: Object.freeze(readBackup(variables, environment)),
    databaseUrl: url('DATABASE_URL', ['postgres:', 'postgresql:']),
    databaseDirectUrl: url('SYMBOLON_DATABASE_DIRECT_URL', ['postgres:', 'postgresql:']),
    databaseWaitMs: whole('SYMBOLON_DATABASE_WAIT_SECONDS', 86_400) * 1000,
    secret: optional('SYMBOLON_SECRET'),
    ...readOperatorTokens(variables),
    operatorEmail: readOperatorEmail(optional('SYMBOLON_OPERATOR_EMAIL')),
    defaultLevel: matching(
      'SYMBOLON_DEFAULT_LEVEL',
      new RegExp(`^(${companyLevels.join('|')})$`),
      `one of ${companyLevels.join(', ')}`,
    ) as CompanyLevel,
    broadcastPeople: readBroadcastPeople(text('SYMBOLON_BROADCAST_PEOPLE')),
    redis: readRedis(variables),
    region: matching('SYMBOLON_REGION', /^[a-z0-9-]{1,32}$/, '1 to 32 characters of a-z, 0-9 and -'),
    regions: readRegions(text('SYMBOLON_REGIONS')),
    frontDoorUrl: base('SYMBOLON_FRONT_DOOR_URL'),
    forwarderUrl: base('SYMBOLON_FORWARDER_URL'),
    peerKeys: readPeerKeys(optional('SYMBOLON_PEER_KEY'), optional('SYMBOLON_PEER_PUBLIC_KEYS')),
    roles: readRoles(text('SYMBOLON_ROLES')),
    instance: optional('SYMBOLON_INSTANCE'),
    dnsServers: readDnsServers(text('SYMBOLON_DNS_SERVERS')),
    personStorageBytes: whole('SYMBOLON_PERSON_STORAGE_MB', 1e6) * 1024 * 1024,
    personFilesBytes: whole('SYMBOLON_PERSON_FILES_MB', 1e6) * 1024 * 1024,
    companyStorageBytes: whole('SYMBOLON_COMPANY_STORAGE_MB', 1e6) * 1024 * 1024,
    reservedPurposes: readReservedPurposes(text('SYMBOLON_RESERVED_PURPOSES')),
    headerName: matching(
      'SYMBOLON_HEADER_NAME',
      /^[A-Za-z][A-Za-z0-9]{0,30}$/,
      'a word of letters and digits',
    ),
    trustedProxies,
    connections: Object.freeze(readConnections(variables, trustedProxies)),
    logLevel: matching(
      'SYMBOLON_LOG_LEVEL',
      /^(trace|debug|info|warn|error|fatal|silent)$/,
      'trace, debug, info, warn, error, fatal or silent',
    ),
    corsOrigins: readOrigins(text('SYMBOLON_CORS_ORIGINS')),
    smtpUrl: url('SYMBOLON_SMTP_URL', ['smtp:', 'smtps:']),
    mailFrom: text('SYMBOLON_MAIL_FROM'),
    pushSubject: readPushSubject(optional('SYMBOLON_PUSH_SUBJECT')),
    identityProvider: readIdentityProvider(variables),
    seal: Object.freeze(readSealConfig(variables)),
    signingKeyMs: whole('SYMBOLON_SIGNING_KEY_DAYS', 3650) * 86_400_000,
    dangerouslyRegisterWithoutCode: flag('SYMBOLON_DANGEROUSLY_REGISTER_WITHOUT_CODE'),
    dangerouslyAllowPrivateHttpRedirects: flag('SYMBOLON_DANGEROUSLY_ALLOW_PRIVATE_HTTP_REDIRECTS'),
    dangerouslyAllowLoopbackWebhooks: flag('SYMBOLON_DANGEROUSLY_ALLOW_LOOPBACK_WEBHOOKS'),
    rateLimits: Object.freeze(readRateLimits(variables)),
    unknownCodesAnHour: whole('SYMBOLON_RATE_UNKNOWN_CODES', 1e9),
  };
  checkRegions(config);
  if (!flag('SYMBOLON_DANGEROUSLY_ALLOW_PLAIN_HTTP_BETWEEN_REGIONS')) checkTransport(config);
  return Object.freeze(config);
}

/** @throws {ConfigError} */
function readRateLimits({ whole }: ReturnType<typeof variablesOf>): Config['rateLimits'] {
  return {
    token: whole('SYMBOLON_RATE_TOKEN', 1e9),
    exchanges: whole('SYMBOLON_RATE_EXCHANGES', 1e9),
    changes: whole('SYMBOLON_RATE_CHANGES', 1e9),
    fields: whole('SYMBOLON_RATE_FIELDS', 1e9),
    reference: whole('SYMBOLON_RATE_REFERENCE', 1e9),
    connections: whole('SYMBOLON_RATE_CONNECTIONS', 1e9),
    registration: whole('SYMBOLON_RATE_REGISTRATION', 1e9),
    polls: whole('SYMBOLON_RATE_POLLS', 1e9),
    unopened: whole('SYMBOLON_RATE_UNOPENED', 1e9),
    consent: whole('SYMBOLON_RATE_CONSENT', 1e9),
    plugins: whole('SYMBOLON_RATE_PLUGINS', 1e9),
    templates: whole('SYMBOLON_RATE_TEMPLATES', 1e9),
    pages: whole('SYMBOLON_RATE_PAGES', 1e9),
    default: whole('SYMBOLON_RATE_DEFAULT', 1e9),
    failures: whole('SYMBOLON_RATE_FAILURES', 1e9),
  };
}

/** @throws {ConfigError} */
function readConnections(
  { whole }: ReturnType<typeof variablesOf>,
  trustedProxies: TrustedProxies | undefined,
): Config['connections'] {
  const most = whole('SYMBOLON_CONNECTIONS', 1e6);
  const perAddress = whole('SYMBOLON_CONNECTIONS_PER_ADDRESS', 1e6);
  // Behind a proxy all connections are the proxy's.
  return { most, perAddress: trustedProxies === undefined ? perAddress : 0 };
}

/** @throws {ConfigError}, which repeats no token */
function readOperatorTokens({
  optional,
}: ReturnType<typeof variablesOf>): Pick<Config, 'operatorToken' | 'operatorReadToken'> {
  const tokenIn = (name: VariableName) => {
    const token = optional(name);
    if (token === undefined || /^[!-~]{32,512}$/.test(token)) return token;
    throw new ConfigError(
      `${name} takes at least 32 visible ASCII characters, such as openssl rand -hex 32 makes.`,
    );
  };
  const operatorToken = tokenIn('SYMBOLON_OPERATOR_TOKEN');
  const operatorReadToken = tokenIn('SYMBOLON_OPERATOR_READ_TOKEN');
  if (operatorReadToken !== undefined && (operatorToken === undefined || operatorReadToken === operatorToken))
    throw new ConfigError('SYMBOLON_OPERATOR_READ_TOKEN takes another token beside SYMBOLON_OPERATOR_TOKEN.');
  return { operatorToken, operatorReadToken };
}

/** @throws {ConfigError} */
function readOperatorEmail(address: string | undefined): string | undefined {
  if (address === undefined || /^[^\s@,;<>]{1,64}@[^\s@,;<>]{1,255}$/.test(address)) return address;
  throw new ConfigError('SYMBOLON_OPERATOR_EMAIL takes one e-mail address.');
}

/** @throws {ConfigError} */
function readRoles(text: string): ReadonlySet<Role> {
  const named = text.split(',').map((part) => part.trim());
  const unknown = named.find((name) => !roles.some((role) => role === name));
  if (unknown !== undefined) {
    throw new ConfigError(`SYMBOLON_ROLES takes ${roles.join(', ')}, separated by commas, not "${unknown}".`);
  }
  return new Set(named as Role[]);
}
