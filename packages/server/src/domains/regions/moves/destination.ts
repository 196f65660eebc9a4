import type { Peers } from '../directory/peers.ts';
import type { TableDigest } from './digest.ts';

/** What the destination must support before anything is copied. */
export interface Announcement {
  readonly company_id: string;
  readonly from: string;
  /** The columns of each table. */
  readonly tables: Readonly<Record<string, string>>;
  /** Field types that the company's rows name. */
  readonly types: readonly string[];
  /** Versions of the server's keys that its secrets are encrypted or hashed under. */
  readonly keys: readonly number[];
}

/** Rows of one table, in the order of their keys. */
export interface Chunk {
  readonly table: string;
  /** Counted from 1 in each table. */
  readonly chunk: number;
  /** JSON: rows, each an array. */
  readonly content: string;
}

/** Chunks that travel together: most tables of most companies have few rows. */
export interface Chunks {
  readonly attempt: number;
  readonly chunks: readonly Chunk[];
}

/** What the destination must find once all chunks are in their tables. */
export interface Manifest {
  readonly attempt: number;
  readonly card_version: number;
  readonly tables: Readonly<Record<string, TableDigest & { readonly chunks: number }>>;
  /** How many of the oldest rows of a webhook's queue are parked. */
  readonly parked: Readonly<Record<string, number>>;
}

export type ArrivalState = 'none' | 'staging' | 'active' | 'done' | 'undone';

/** The state of the move at the destination after a request. */
export interface MoveAnswer {
  readonly state: ArrivalState;
  /** Why nothing was done. */
  readonly refused?: string;
  /** Of a refusal: what is missing is on its way from a third region, so ask again soon. */
  readonly soon?: boolean;
}

/** The region a company moves to. Every request may be repeated. @throws {PlatformError} region.unavailable */
export interface Destination {
  prepare(moveId: string, announcement: Announcement): Promise<MoveAnswer>;
  /** From then on requests of earlier attempts are refused. */
  startAttempt(moveId: string, attempt: number): Promise<MoveAnswer>;
  stage(moveId: string, chunks: Chunks): Promise<MoveAnswer>;
  /** Makes the destination fetch the blobs it does not have. */
  fetchBlobs(moveId: string, hashes: readonly string[]): Promise<MoveAnswer>;
  /** Makes it the company's home, or refuses and changes nothing. */
  activate(moveId: string, manifest: Manifest): Promise<MoveAnswer>;
  /** Deletes what was staged and refuses the move for good, unless the company is at home there. */
  undo(moveId: string, move: { company_id: string; from: string }): Promise<MoveAnswer>;
  /** The source has deleted its rows. */
  finish(moveId: string): Promise<MoveAnswer>;
}

const REQUEST_MS = 60_000;
/** The destination inserts and compares all rows in one request. */
const ACTIVATE_MS = 600_000;

/** Another region, through its peer routes. */
export function peerDestination(peers: Peers, region: string): Destination {
  const ask = (moveId: string, what: string, body: unknown, timeoutMs = REQUEST_MS) =>
    peers.ask<MoveAnswer>(
      { region },
      { method: 'POST', path: `/internal/moves/${moveId}/${what}`, body, timeoutMs },
    );
  return {
    prepare: (moveId, announcement) => ask(moveId, 'prepare', announcement),
    startAttempt: (moveId, attempt) => ask(moveId, 'start-attempt', { attempt }),
    stage: (moveId, chunks) => ask(moveId, 'stage', chunks),
    fetchBlobs: (moveId, hashes) => ask(moveId, 'blobs', { hashes }, ACTIVATE_MS),
    activate: (moveId, manifest) => ask(moveId, 'activate', manifest, ACTIVATE_MS),
    undo: (moveId, move) => ask(moveId, 'undo', move),
    finish: (moveId) => ask(moveId, 'finish', {}),
  };
}
