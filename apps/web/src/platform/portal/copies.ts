import type { CryptoKey } from '@symbolon/crypto';
import type { FlowRunDocument } from '@symbolon/protocol';
import { type Signer, SymbolonError } from '@symbolon/sdk/device';
import { actsOf } from '../inner/worker-acts.ts';
import type { Proof } from '../presence.ts';
import { keys as keyNames, type Query } from '../queries.ts';
import type { Report } from '../uploads.ts';
import type { FlowPlace } from './flows.ts';
import { portalActing, portalEndedBy, portalTokenOf } from './inner/api.ts';
import type { CopyActs, OpenCopy } from './inner/copies.worker.ts';
import { runAt } from './runs.ts';
import { whenSignedOutOfPortal } from './session.ts';

export type { OpenCopy };

const beside = actsOf<CopyActs>(
  () => new Worker(new URL('./inner/copies.worker.ts', import.meta.url), { type: 'module' }),
  portalEndedBy,
);

/** Keys of services that were opened, until the login signs out or the page is closed. They cannot be read, only used. */
const keys = new Map<string, CryptoKey>();
whenSignedOutOfPortal(() => keys.clear());
export const hasKey = (serviceId: string) => keys.has(serviceId);

/** Opens the key of a service, as its encrypted PEM has it. @throws SymbolonError */
export async function openServiceKey(serviceId: string, pem: File, passphrase: string): Promise<void> {
  keys.set(serviceId, await beside('openKey', { pem: await pem.text(), passphrase }));
}

/** A document of a run. */
export interface CopyPlace extends FlowPlace {
  readonly runId: string;
}

/** The company's own copy, opened once its key is: again when it was sealed. */
export const copyQuery = (
  place: CopyPlace,
  { output_key: key, document_status: status }: FlowRunDocument,
  report: Report,
): Query<OpenCopy> => ({
  key: keyNames.copy(place.serviceId, place.flowId, place.runId, key, status ?? ''),
  read: () => openCopy(place, key, report),
  isFresh: true,
});

/** Reads the company's own copy, and opens it. @throws SymbolonError `crypto.wrapper_tampered` by the key of another service */
function openCopy(place: CopyPlace, outputKey: string, report: Report): Promise<OpenCopy> {
  const key = keys.get(place.serviceId);
  if (key === undefined) throw new Error('The key of the service is not open.');
  const address = `${runAt(place, place.runId)}/documents/${encodeURIComponent(outputKey)}/file`;
  return beside('openCopy', { address, key }, report).catch((error: unknown) => {
    // Another file may be the right one.
    if (isWrongKey(error)) keys.delete(place.serviceId);
    throw error;
  });
}

export const isWrongKey = (error: unknown) =>
  error instanceof SymbolonError && error.errorKey === 'crypto.wrapper_tampered';

interface Given {
  readonly copy: OpenCopy;
  /** Without one it is an acceptance. */
  readonly signer?: Signer;
  readonly proof: Proof;
}

/** Signs the company's own copy, or accepts it. @throws SymbolonError */
export function actOnCopy(place: CopyPlace, documentId: string, given: Given): Promise<FlowRunDocument> {
  const address = `${runAt(place, place.runId)}/documents/${documentId}`;
  const act = given.signer === undefined ? 'accept' : 'sign';
  return portalActing(beside('actOnCopy', { token: portalTokenOf(), address, act, ...given }));
}
