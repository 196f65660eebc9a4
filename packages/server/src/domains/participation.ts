import type { PluginUse } from '@symbolon/protocol';
import type { Reader, Writer } from '../db/database.ts';
import type { AccountEvent, RaisedEvent } from '../events/outbox.ts';

/** What a domain does when a company is deleted. */
export interface CompanyDeletionHook {
  /** Deletes what the company offers to others, or leaves that to jobs. */
  closeDown?(companyId: string): Promise<void>;
  /** Whether nothing is left of that, nor will come; the company's row is deleted in the same transaction. */
  isClosedDown?(writer: Writer, companyId: string): Promise<boolean>;
  /**
   * Ends some of what binds the company to other companies; called until it returns false, before the company's row is
   * deleted and once more after.
   */
  endSharing?(companyId: string): Promise<boolean>;
  /** Runs in the transaction that deletes the company. */
  dropForCompany?(writer: Writer, companyId: string): Promise<void>;
}

/** What a domain keeps between people and others, and ends when a person deletes the account. */
export interface PersonDeletionHook {
  /** The ids of what there is in this region. */
  bonds(personId: string): Promise<readonly string[]>;
  /** Ends one, with its events. @throws {PlatformError} with status 404 when it has ended */
  end(personId: string, id: string): Promise<void>;
}

/** What a domain keeps for a session of a person, and deletes when the session is ended; one that expires keeps it. */
export interface SessionDeletionHook {
  dropForSession(writer: Writer, personId: string, sessionId: string): Promise<void>;
  /** Of all sessions but one, if any is kept. */
  dropForOtherSessions(writer: Writer, personId: string, keptId: string | undefined): Promise<void>;
}

/** What a domain ends together with connections. */
export interface ConnectionDeletionHook {
  /**
   * Called in the transaction that ends connections of one service, which holds their locks. The caller raises the events
   * before those of the connections.
   */
  connectionsEnding(
    writer: Writer,
    service: { readonly companyId: string; readonly serviceId: string },
    connectionIds: readonly string[],
  ): Promise<{ events: readonly RaisedEvent[]; onAccounts: readonly AccountEvent[] }>;
}

/** What a domain gives to a login of a company, and takes back when that may change nothing any more, or is gone. */
export interface LoginEndingHook {
  /** Runs in the transaction of the change, which holds the lock of the company. */
  takeBack(writer: Writer, companyId: string, loginId: string): Promise<void>;
}

/** What a domain does when one of these ends. */
export interface EndsWith {
  readonly company?: CompanyDeletionHook;
  readonly login?: LoginEndingHook;
  readonly person?: PersonDeletionHook;
  readonly session?: SessionDeletionHook;
  readonly connection?: ConnectionDeletionHook;
}

/** What all domains do when one of these ends, in their order. */
export type Endings = { readonly [Kind in keyof EndsWith]-?: readonly NonNullable<EndsWith[Kind]>[] };

/** Those who use plugins: flows, request rows and claims of sign-in apps. */
export interface PluginUses {
  /** What of a company uses which of its plugins. */
  of(reader: Reader, companyId: string): Promise<readonly (PluginUse & { readonly plugin_id: string })[]>;
}
