import type { FlowRunDocument } from '@symbolon/protocol';
import type { Reader, Writer } from '../../../db/database.ts';
import type { AccountEvent, RaisedEvent } from '../../../events/outbox.ts';
import type { StandingRun } from './standing-store.ts';

/** The events that an act raises. */
export interface RaisedTogether {
  readonly events: readonly RaisedEvent[];
  readonly onAccounts: readonly AccountEvent[];
}

/** A document of a run, with the party whose copy it is. */
export interface PartyDocument extends FlowRunDocument {
  readonly party_key: string;
}

/** What runs need of the documents that are made at their ends. */
export interface RunDocuments {
  /** By the ids of the runs. */
  ofRuns(reader: Reader, runIds: readonly string[]): Promise<ReadonlyMap<string, readonly PartyDocument[]>>;
  /**
   * Ends every copy, signed ones too, in the caller's transaction, which holds the lock of the service. The caller raises
   * the events.
   */
  end(writer: Writer, run: StandingRun): Promise<RaisedTogether>;
}
