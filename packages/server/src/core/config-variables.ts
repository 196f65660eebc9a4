import { defaultRateLimits, limits, reservedPurposePrefixes } from '@symbolon/protocol';
import { backupVariables } from './config-backup.ts';
import { DEFAULT_MANAGEMENT_ADDRESS } from './config-management.ts';
import { usualReadyChecks } from './probes.ts';

/** One row of the table of environment variables; the configuration page of the docs is checked against it. */
interface ConfigVariable {
  readonly name: string;
  readonly fallback: string;
  readonly meaning: string;
}

/** Every variable the platform reads, in one table. */
export const configVariables = [
  { name: 'SYMBOLON_HOST', fallback: '127.0.0.1', meaning: 'address to listen on' },
  { name: 'SYMBOLON_PORT', fallback: '8080', meaning: 'port to listen on; 0 picks a free one' },
  {
    name: 'SYMBOLON_TLS_CERT_FILE',
    fallback: '',
    meaning:
      'PEM file of a certificate, with those between it and its root, to speak TLS and HTTP/2 itself; read again every minute and at SIGHUP; empty: plain HTTP, for a proxy in front',
  },
  {
    name: 'SYMBOLON_TLS_KEY_FILE',
    fallback: '',
    meaning: 'PEM file of the private key of that certificate, without a passphrase',
  },
  {
    name: 'SYMBOLON_MANAGEMENT_ADDRESS',
    fallback: DEFAULT_MANAGEMENT_ADDRESS,
    meaning:
      'address and port where probes are answered and metrics read (/livez, /readyz, /metrics), to whoever reaches it; off: nowhere',
  },
  {
    name: 'SYMBOLON_READY_CHECKS',
    fallback: usualReadyChecks.join(),
    meaning: 'checks without which the process is not ready, separated by commas',
  },
  {
    name: 'SYMBOLON_DRAIN_SECONDS',
    fallback: '0',
    meaning:
      'how long a process that is asked to stop goes on serving while it says that it is not ready, so that balancers turn to others',
  },
  {
    name: 'SYMBOLON_PUBLIC_URL',
    fallback: '',
    meaning:
      'base URL under which clients reach the platform; empty: the address it listens on, which must then not be a public one',
  },
  {
    name: 'SYMBOLON_DATA_DIR',
    fallback: './data',
    meaning: 'folder of the embedded database, the generated secret and the mail outbox',
  },
  {
    name: 'SYMBOLON_BLOBS_DIR',
    fallback: '',
    meaning:
      'folder of photos and files, shared by all processes that share a database; empty: blobs in the data folder',
  },
  {
    name: 'SYMBOLON_BLOBS',
    fallback: '',
    meaning:
      'S3-compatible store of photos and files, s3://bucket/prefix, with AWS_ENDPOINT_URL_S3, AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN; empty: files in the folder',
  },
  ...backupVariables,
  {
    name: 'DATABASE_URL',
    fallback: '',
    meaning: 'postgres:// URL; empty: the embedded SQLite database in the data folder',
  },
  {
    name: 'SYMBOLON_DATABASE_DIRECT_URL',
    fallback: '',
    meaning:
      'postgres:// URL of the server itself, where DATABASE_URL leads to a pooler: for signals, migrations and backups; empty: DATABASE_URL',
  },
  {
    name: 'SYMBOLON_DATABASE_WAIT_SECONDS',
    fallback: '60',
    meaning: 'how long the start waits for a PostgreSQL that does not answer',
  },
  {
    name: 'SYMBOLON_SECRET',
    fallback: '',
    meaning:
      'base64 of 32 random bytes that all other server keys derive from; empty: generated in the data folder. Further versions follow, separated by commas: 2:<base64>,3:<base64>',
  },
  {
    name: 'SYMBOLON_OPERATOR_TOKEN',
    fallback: '',
    meaning: 'opens /api/admin, at least 32 characters; empty: there is no /api/admin',
  },
  {
    name: 'SYMBOLON_OPERATOR_READ_TOKEN',
    fallback: '',
    meaning: 'opens what reads in /api/admin, at least 32 characters; empty: there is no such token',
  },
  {
    name: 'SYMBOLON_OPERATOR_EMAIL',
    fallback: '',
    meaning: 'address for notices of due work; empty: the log alone',
  },
  {
    name: 'SYMBOLON_DEFAULT_LEVEL',
    fallback: 'enterprise',
    meaning: 'level of a company that registers: free, basic, pro or enterprise',
  },
  {
    name: 'SYMBOLON_BROADCAST_PEOPLE',
    fallback: `pro=${limits.broadcastAudienceMost},enterprise=${limits.broadcastAudienceMost}`,
    meaning: 'to how many people a broadcast goes, by the level of its company; 0: to any number',
  },
  {
    name: 'SYMBOLON_REDIS_URL',
    fallback: '',
    meaning:
      'redis:// or rediss:// URL of the store in which rate limits are counted, or Sentinels, redis+sentinel://host:26379,host2:26379/mymaster; empty: in each process',
  },
  { name: 'SYMBOLON_REGION', fallback: 'local', meaning: 'name of this region, [a-z0-9-]' },
  {
    name: 'SYMBOLON_REGIONS',
    fallback: '',
    meaning:
      'base URLs of all regions, this one too: eu=https://eu.example.com,us=https://us.example.com; all processes share SYMBOLON_SECRET then. Empty: there is one region',
  },
  {
    name: 'SYMBOLON_FRONT_DOOR_URL',
    fallback: '',
    meaning: 'base URL of the front door; empty: the front door is this process, or there is one region',
  },
  {
    name: 'SYMBOLON_FORWARDER_URL',
    fallback: '',
    meaning:
      'base URL of the forwarder, through which devices call plugins, where it is a process of its own; empty: this process, under /forwarder',
  },
  {
    name: 'SYMBOLON_PEER_KEY',
    fallback: '',
    meaning:
      'private key of this region or front door for calls to the others: base64 of an X25519 key in PKCS#8; empty: derived from SYMBOLON_SECRET',
  },
  {
    name: 'SYMBOLON_PEER_PUBLIC_KEYS',
    fallback: '',
    meaning:
      'public keys of all regions and the front door, when each has a SYMBOLON_PEER_KEY: eu=<base64>,us=<base64>,front-door=<base64>; a name may stand there twice while its key is changed',
  },
  {
    name: 'SYMBOLON_DANGEROUSLY_ALLOW_PLAIN_HTTP_BETWEEN_REGIONS',
    fallback: 'false',
    meaning:
      'true lets regions call each other over plain HTTP outside this machine: for private networks only',
  },
  {
    name: 'SYMBOLON_ROLES',
    fallback: 'front-door,region,worker,forwarder',
    meaning:
      'what this process does: front-door answers token requests and knows every home, region serves the data, worker delivers and sweeps, forwarder calls plugins',
  },
  {
    name: 'SYMBOLON_INSTANCE',
    fallback: '',
    meaning: 'name of this process among those that share a database; empty: host name and port',
  },
  {
    name: 'SYMBOLON_DNS_SERVERS',
    fallback: '',
    meaning:
      'IP addresses, with port or without, of the nameservers asked for the hosts of webhooks and plugins, separated by commas; empty: those of the operating system',
  },
  {
    name: 'SYMBOLON_PERSON_FILES_MB',
    fallback: '1024',
    meaning:
      'the most MiB that the files of one person may take, with uploads that wait, and the uploads of one company; 0: no limit',
  },
  {
    name: 'SYMBOLON_PERSON_STORAGE_MB',
    fallback: '16',
    meaning: 'megabytes that the values of a person may take together; 0: no limit',
  },
  {
    name: 'SYMBOLON_COMPANY_STORAGE_MB',
    fallback: '512',
    meaning: 'megabytes that the photos of a company may take together; 0: no limit',
  },
  { name: 'SYMBOLON_HEADER_NAME', fallback: 'Platform', meaning: 'the word in X-<word>-… header names' },
  {
    name: 'SYMBOLON_RESERVED_PURPOSES',
    fallback: reservedPurposePrefixes.join(),
    meaning:
      'prefixes of purposes of account clients that only features of the platform may use, separated by commas',
  },
  {
    name: 'SYMBOLON_TRUST_PROXY',
    fallback: 'false',
    meaning:
      'how many reverse proxies in front append to X-Forwarded-For (true: one), or their networks: 10.0.0.0/8,fd00::/8; the source address is read from there',
  },
  {
    name: 'SYMBOLON_CORS_ORIGINS',
    fallback: '',
    meaning: 'origins of web pages that may call every route with a token: https://app.example.com,…',
  },
  {
    name: 'SYMBOLON_LOG_LEVEL',
    fallback: 'info',
    meaning: 'trace, debug, info, warn, error, fatal or silent',
  },
  {
    name: 'SYMBOLON_SMTP_URL',
    fallback: '',
    meaning: 'smtp:// or smtps:// URL of a mail server; empty: mails go to the outbox folder as .eml files',
  },
  { name: 'SYMBOLON_MAIL_FROM', fallback: 'Symbolon <symbolon@localhost>', meaning: 'sender of mails' },
  {
    name: 'SYMBOLON_PUSH_SUBJECT',
    fallback: '',
    meaning:
      "mailto: address or https: page where push services reach the operator; empty: no push messages to people's browsers",
  },
  {
    name: 'SYMBOLON_IDENTITY_URL',
    fallback: '',
    meaning:
      'address of a provider that verifies identity documents (docs/identity-provider.md); empty: they cannot be verified',
  },
  {
    name: 'SYMBOLON_IDENTITY_SECRET',
    fallback: '',
    meaning: 'signs what the provider is sent, and what it answers; at least 32 visible ASCII characters',
  },
  {
    name: 'SYMBOLON_IDENTITY_NAME',
    fallback: 'external',
    meaning: 'what attestations call that provider; 1 to 40 characters of a-z, 0-9, _, . and -',
  },
  {
    name: 'SYMBOLON_SEAL_CERTIFICATE',
    fallback: '',
    meaning:
      'PKCS#12 file with the key and certificate that seal documents; empty: a platform of this machine alone makes its own, others seal nothing',
  },
  { name: 'SYMBOLON_SEAL_PASSWORD', fallback: '', meaning: 'password of that file' },
  {
    name: 'SYMBOLON_SEAL_ROOTS',
    fallback: '',
    meaning:
      "PEM file of the roots above the certificate of the seal and above the timestamp authority's; verifiers are given them; with a timestamp authority, seals hold revocation data (B-LT); empty: the topmost certificate of the PKCS#12 file",
  },
  {
    name: 'SYMBOLON_TIMESTAMP_URL',
    fallback: '',
    meaning: 'address of a timestamp authority (RFC 3161); empty: seals have no timestamp',
  },
  {
    name: 'SYMBOLON_TIMESTAMP',
    fallback: 'required',
    meaning:
      'what is done while the timestamp authority fails: required refuses to seal, preferred seals without a timestamp',
  },
  {
    name: 'SYMBOLON_SEAL_PROCESSES',
    fallback: '1',
    meaning: 'child processes that read PDF files, each with one file at a time',
  },
  {
    name: 'SYMBOLON_SEAL_SECONDS',
    fallback: '20',
    meaning: 'seconds that reading one PDF file may take',
  },
  {
    name: 'SYMBOLON_SEAL_MEMORY_MB',
    fallback: '768',
    meaning: 'megabytes that a child process may take; a file that needs more is refused',
  },
  {
    name: 'SYMBOLON_SIGNING_KEY_DAYS',
    fallback: '90',
    meaning: 'age at which a key that signs id_tokens gets its successor; 0: only when an operator says so',
  },
  {
    name: 'SYMBOLON_DANGEROUSLY_REGISTER_WITHOUT_CODE',
    fallback: 'false',
    meaning:
      'closed installations and tests only: true lets anybody register any e-mail address in one call, without a mailed code, and shows which addresses are taken',
  },
  {
    name: 'SYMBOLON_DANGEROUSLY_ALLOW_PRIVATE_HTTP_REDIRECTS',
    fallback: 'false',
    meaning: 'development only: true lets sign-in apps have redirect URIs by plain HTTP on private addresses',
  },
  {
    name: 'SYMBOLON_DANGEROUSLY_ALLOW_LOOPBACK_WEBHOOKS',
    fallback: 'false',
    meaning:
      'development only: true lets webhooks and plugins be on this machine, over plain HTTP and any port',
  },
  {
    name: 'SYMBOLON_CONNECTIONS',
    fallback: '4096',
    meaning: 'connections in all; the one that has been idle longest makes room for a new one; 0: no limit',
  },
  {
    name: 'SYMBOLON_CONNECTIONS_PER_ADDRESS',
    fallback: '256',
    meaning: 'connections of one address, or IPv6 /64; not counted behind a proxy; 0: no limit',
  },
  {
    name: 'SYMBOLON_RATE_TOKEN',
    fallback: String(defaultRateLimits.token),
    meaning: 'token requests a minute for one source address; 0: no limit',
  },
  {
    name: 'SYMBOLON_RATE_EXCHANGES',
    fallback: String(defaultRateLimits.exchanges),
    meaning: 'codes of sign-ins that one app exchanges in a minute; 0: no limit',
  },
  {
    name: 'SYMBOLON_RATE_CHANGES',
    fallback: String(defaultRateLimits.changes),
    meaning: 'change-feed drains a minute for a client; 0: no limit',
  },
  {
    name: 'SYMBOLON_RATE_FIELDS',
    fallback: String(defaultRateLimits.fields),
    meaning: 'reads of request fields and field types a minute for a client; 0: no limit',
  },
  {
    name: 'SYMBOLON_RATE_REFERENCE',
    fallback: String(defaultRateLimits.reference),
    meaning: 'logs, documents and keys a minute for a client; 0: no limit',
  },
  {
    name: 'SYMBOLON_RATE_CONNECTIONS',
    fallback: String(defaultRateLimits.connections),
    meaning: 'connection reads a minute for a client; 0: no limit',
  },
  {
    name: 'SYMBOLON_RATE_REGISTRATION',
    fallback: String(defaultRateLimits.registration),
    meaning: 'calls that register or reset an account, a minute for one source address; 0: no limit',
  },
  {
    name: 'SYMBOLON_RATE_POLLS',
    fallback: String(defaultRateLimits.polls),
    meaning:
      'polls of one challenge of the second factor, and of one open detached sign-in, a minute; 0: no limit',
  },
  {
    name: 'SYMBOLON_RATE_UNOPENED',
    fallback: String(defaultRateLimits.unopened),
    meaning:
      'polls for detached sign-ins that are not open, a minute for one source address and for one app; 0: no limit',
  },
  {
    name: 'SYMBOLON_RATE_CONSENT',
    fallback: String(defaultRateLimits.consent),
    meaning: 'requests opened at the consent page, a minute for one source address; 0: no limit',
  },
  {
    name: 'SYMBOLON_RATE_PLUGINS',
    fallback: String(defaultRateLimits.plugins),
    meaning: 'calls of the plugins of one company a minute, by all who fill its forms; 0: no limit',
  },
  {
    name: 'SYMBOLON_RATE_TEMPLATES',
    fallback: String(defaultRateLimits.templates),
    meaning: 'PDF files for flows, and packages of flows, that one company stores a minute; 0: no limit',
  },
  {
    name: 'SYMBOLON_RATE_PAGES',
    fallback: String(defaultRateLimits.pages),
    meaning: 'pages for people, what they load, and health, a minute for one source address; 0: no limit',
  },
  {
    name: 'SYMBOLON_RATE_DEFAULT',
    fallback: String(defaultRateLimits.default),
    meaning: 'all other calls a minute for a caller; 0: no limit',
  },
  {
    name: 'SYMBOLON_RATE_FAILURES',
    fallback: String(defaultRateLimits.failures),
    meaning: 'bad tokens, and unknown addresses, a minute for one source address; 0: no limit',
  },
  {
    name: 'SYMBOLON_RATE_UNKNOWN_CODES',
    fallback: '30',
    meaning: 'look-ups of unknown codes, an hour for a company or a person; 0: no limit',
  },
] as const satisfies readonly ConfigVariable[];

export type VariableName = (typeof configVariables)[number]['name'];
