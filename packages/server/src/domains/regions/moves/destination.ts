import type { Peers } from '../directory/peers.ts';
import type { TableDigest } from './digest.ts';

/** What the destination must be able to take before anything is copied. */
export interface Announcement {
  readonly company_id: string;
  readonly from: string;
  readonly attempt: number;
  /** The columns of each table. */
  readonly tables: Readonly<Record<string, string>>;
  /** Field types that the company's rows name. */
  readonly types: readonly string[];
  /** Versions of the key-encryption key under which it has secrets. */
  readonly keys: readonly number[];
}

/** A stretch of a table. */
export interface Chunk {
  readonly table: string;
  readonly chunk: number;
  readonly rows: number;
  readonly sha256: string;
  /** JSON: rows, each an array. */
  readonly content: string;
}

/** What everything that was staged must come to. */
export interface Manifest {
  readonly attempt: number;
  readonly card_version: number;
  readonly tables: Readonly<Record<string, TableDigest & { readonly chunks: number }>>;
  /** So many of the oldest rows of a webhook's queue are parked. */
  readonly parked: Readonly<Record<string, number>>;
}

export type ArrivalState = 'none' | 'staging' | 'active' | 'done' | 'undone';

/** `refused`: nothing was done, and why. */
export interface Taken {
  readonly state: ArrivalState;
  readonly refused?: string;
  /** Of a refusal: what was staged is not what was sent. */
  readonly differs?: boolean;
  /** Of a refusal: what lacks is on its way, from yet another region. */
  readonly soon?: boolean;
}

/** The region a company moves to. Everything may be repeated. @throws {PlatformError} region.unavailable */
export interface Destination {
  prepare(moveId: string, announcement: Announcement): Promise<Taken>;
  stage(moveId: string, chunk: Chunk): Promise<Taken>;
  /** Has it fetch the blobs that it lacks. */
  fetchBlobs(moveId: string, hashes: readonly string[]): Promise<Taken>;
  /** Makes it the company's home, or refuses and leaves everything as it was. */
  activate(moveId: string, manifest: Manifest): Promise<Taken>;
  /** From here on it takes in nothing of an earlier attempt. */
  retract(moveId: string, attempt: number): Promise<Taken>;
  /** Forgets what was staged, for good, unless it is the company's home by now. */
  undo(moveId: string, whose: { company_id: string; from: string }): Promise<Taken>;
  /** The source is done with it. */
  finish(moveId: string): Promise<Taken>;
}

const STAGE_MS = 60_000;
/** The destination writes and compares all rows at once. */
const ACTIVATE_MS = 600_000;

/** Another region, over its peer routes. */
export function peerDestination(peers: Peers, region: string): Destination {
  const ask = (moveId: string, what: string, body: unknown, timeoutMs = STAGE_MS) =>
    peers.ask<Taken>(
      { region },
      { method: 'POST', path: `/internal/moves/${moveId}/${what}`, body, timeoutMs },
    );
  return {
    prepare: (moveId, announcement) => ask(moveId, 'prepare', announcement),
    stage: (moveId, chunk) => ask(moveId, 'stage', chunk),
    fetchBlobs: (moveId, hashes) => ask(moveId, 'blobs', { hashes }, ACTIVATE_MS),
    activate: (moveId, manifest) => ask(moveId, 'activate', manifest, ACTIVATE_MS),
    retract: (moveId, attempt) => ask(moveId, 'retract', { attempt }),
    undo: (moveId, whose) => ask(moveId, 'undo', whose),
    finish: (moveId) => ask(moveId, 'finish', {}),
  };
}
