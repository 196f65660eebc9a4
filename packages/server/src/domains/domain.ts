import type { FastifyBaseLogger } from 'fastify';
import type { AccessTokens } from '../access/access-token.ts';
import type { Cookies } from '../access/cookies.ts';
import type { FailureLimit } from '../access/failure-limit.ts';
import type { LimitStore } from '../access/limit-store.ts';
import type { RateLimits } from '../access/rate-limits.ts';
import type { Availability } from '../core/availability.ts';
import type { BlobStore } from '../core/blobs.ts';
import type { Clock } from '../core/clock.ts';
import type { Config, Role } from '../core/config.ts';
import type { IdentityProvider } from '../core/identity-provider.ts';
import type { Ids } from '../core/ids.ts';
import type { Instruments } from '../core/instruments.ts';
import type { Mailer } from '../core/mail.ts';
import type { Probe, Readiness } from '../core/probes.ts';
import type { Regions } from '../core/regions.ts';
import type { Secrets } from '../core/secrets.ts';
import type { Timers } from '../core/timers.ts';
import type { Database } from '../db/database.ts';
import { deleteExpired, type ExpiredRows } from '../db/expired-rows.ts';
import type { RegionSettings } from '../db/region-settings.ts';
import type { Table, TableName } from '../db/table-registry.ts';
import type { App } from '../http/app.ts';
import type { Endings, EndsWith, PluginUses } from './participation.ts';

/** What every domain may use. */
export interface Core {
  readonly config: Config;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly timers: Timers;
  readonly log: FastifyBaseLogger;
  readonly secrets: Secrets;
  /** The names and bases of all regions. */
  readonly regions: Regions;
  readonly database: Database;
  /** What this process needs and does not reach. */
  readonly availability: Availability;
  /** Whether this process can do its work; its probes are there once every domain is made. */
  readonly readiness: Readiness;
  readonly settings: RegionSettings;
  /** What the process measures. */
  readonly instruments: Instruments;
  /** The tables of all domains; readable once every domain is made. */
  readonly tables: readonly Table[];
  readonly blobStore: BlobStore;
  readonly mail: Mailer;
  /** Verifies identity documents; undefined: there is no provider. */
  readonly identityProvider: IdentityProvider | undefined;
  readonly limitStore: LimitStore;
  readonly rateLimits: RateLimits;
  readonly failures: FailureLimit;
  readonly tokens: AccessTokens;
  readonly cookies: Cookies;
  /** Names this process among those that share the database. */
  readonly instance: string;
  /** The base URL under which clients reach this process; known once it listens. */
  readonly publicUrl: () => string;
  /** The base URL to tell a caller who used this Host header. */
  readonly urlFor: (host: string | undefined) => string;
  /** The front door's base URL, without a trailing slash: who issues sign-ins, in every answer and token of any region. */
  readonly issuer: () => string;
}

/** What the constructor of a class needs beside the core. */
export type NeedsOf<C extends new (deps: never) => unknown> = Omit<ConstructorParameters<C>[0], keyof Core>;

/** Work with a lifetime beside requests. `stop` finishes what is in hand. */
export interface BackgroundWork {
  /** Started by processes with this role; `worker` when missing. */
  readonly role?: Role;
  start(): void | Promise<void>;
  /** The process begins to stop: requests in hand are finished first. */
  drain?(): void;
  stop(): Promise<void>;
}

/** Deletes what has outlived its time. */
export interface Sweep {
  readonly name: string;
  run(stopping: AbortSignal): Promise<unknown>;
}

/** What a domain, or a feature in it, brings to the platform beside what its door returns to other domains. */
export interface Domain {
  readonly tables?: readonly Table[];
  /** Adds hooks that must be there before any route. */
  hooks?(app: App): void;
  routes?(app: App): void;
  /** Called before anything starts, when every domain is made. */
  prepare?(): Promise<void>;
  /** Started in this order. */
  readonly workers?: readonly BackgroundWork[];
  /** Run in this order, one after the other, by processes with the role `worker`. */
  readonly sweeps?: readonly Sweep[];
  /** What it does when a company, a login of it, a person, a session or a connection ends. */
  readonly endsWith?: readonly EndsWith[];
  /** Where it uses plugins of companies. */
  readonly pluginUses?: readonly PluginUses[];
  /** What it needs to do its work, as far as a process can be asked for it. */
  readonly probes?: readonly Probe[];
  /** Called after the workers have stopped. */
  stop?(): Promise<void>;
}

/** Frees the rows of what has expired, which is refused anyway. */
export function expirySweep(
  core: Core,
  name: string,
  ...expired: readonly (TableName | ExpiredRows)[]
): Sweep {
  return {
    name,
    async run(stopping) {
      for (const rows of expired)
        await deleteExpired(core, typeof rows === 'string' ? { table: rows } : rows, stopping);
    },
  };
}

/** One domain of several: their parts in the same order, stopped in reverse. */
export function combine(...domains: readonly Domain[]): Required<Domain> {
  return {
    tables: domains.flatMap(({ tables }) => tables ?? []),
    hooks(app) {
      for (const domain of domains) domain.hooks?.(app);
    },
    routes(app) {
      for (const domain of domains) domain.routes?.(app);
    },
    async prepare() {
      for (const domain of domains) await domain.prepare?.();
    },
    workers: domains.flatMap(({ workers }) => workers ?? []),
    sweeps: domains.flatMap(({ sweeps }) => sweeps ?? []),
    endsWith: domains.flatMap(({ endsWith }) => endsWith ?? []),
    pluginUses: domains.flatMap(({ pluginUses }) => pluginUses ?? []),
    probes: domains.flatMap(({ probes }) => probes ?? []),
    async stop() {
      const errors: unknown[] = [];
      for (const domain of domains.toReversed()) {
        await domain.stop?.().catch((error: unknown) => errors.push(error));
      }
      if (errors.length > 0) throw errors[0];
    },
  };
}

/** What all domains do when something ends, by what ends. */
export function endingsOf({ endsWith }: Required<Domain>): Endings {
  const of = <Kind extends keyof EndsWith>(kind: Kind) => endsWith.flatMap(({ [kind]: hook }) => hook ?? []);
  return {
    company: of('company'),
    login: of('login'),
    person: of('person'),
    session: of('session'),
    connection: of('connection'),
  };
}
