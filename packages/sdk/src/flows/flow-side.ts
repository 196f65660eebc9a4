import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { FlowRun } from '@symbolon/protocol';
import type { Api } from '../http/api.ts';
import type { TransportOptions } from '../http/transport.ts';
import type { ConfirmedKeys, Owned } from '../known-keys/confirmed-keys.ts';

/** A file of a run: the answer of a field, or what the run was started with. */
export type FlowFileRef = { slug: string; file: string } | { source: string; file: string };

/** How one party reaches its runs: the backend of a company, a person's device, a company as a customer. */
export type FlowSide<Run extends FlowRun> = {
  api: Pick<Api, 'json' | 'send'>;
  /** Of the calls on one run. */
  address: (run: Pick<Run, 'id' | 'connection_id'>) => string;
  /** Where the copy of a file for this party is, under the address of its run. */
  fileAddress: (file: FlowFileRef) => string;
  /** Under whose id the copies for this party are. */
  viewer: (run: Run) => string;
  fieldTypes: () => Promise<FieldTypeRegistry>;
  /** Opens a wrapper, given as JSON text. @throws DecryptionError */
  open: (wrapper: string) => Promise<string>;
  /** Who beside this party gets what it answers. */
  parties: (run: Run) => Owned;
  /** Keeps and compares parties. */
  confirmed: Pick<ConfirmedKeys, 'met' | 'confirmOwners'>;
  /** The key of everybody who is bound, by user id. @throws UnconfirmedKeyError when one has changed */
  keys: (run: Run, signal?: AbortSignal) => Promise<ReadonlyMap<string, string>>;
  /** Makes a picture one that documents can hold, undefined when it is not a picture; without it, JPEG and PNG files go as they are. */
  picture?: ((bytes: Uint8Array) => Promise<Uint8Array | undefined>) | undefined;
  /** With which the forwarder of plugins is called. */
  transport?: TransportOptions | undefined;
};
