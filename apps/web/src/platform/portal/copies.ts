import type { CryptoKey } from '@symbolon/crypto';
import type { CompanyConnection, Document, FlowRun, FlowRunDocument, Service } from '@symbolon/protocol';
import { type PersonFileContent, type Signer, SymbolonError } from '@symbolon/sdk/device';
import { useSyncExternalStore } from 'react';
import type { Submitted } from '../flows/step.ts';
import { actsOf } from '../inner/worker-acts.ts';
import type { Proof } from '../presence.ts';
import { numberOf, type Query } from '../queries.ts';
import type { Report } from '../uploads.ts';
import type { FlowPlace } from './flows.ts';
import { portalActing, portalTokenOf, watchedPortalCall } from './inner/api.ts';
import type { CopyActs, NewCopy, NewRun, OpenCopy, OpenKey, RunAct } from './inner/copies.worker.ts';
import { portalKeys } from './keys.ts';
import { runAt, runsOf } from './runs.ts';
import { whenSignedOutOfPortal } from './session.ts';

export type { OpenCopy, OpenKey };

const beside = actsOf<CopyActs>(
  () => new Worker(new URL('./inner/copies.worker.ts', import.meta.url), { type: 'module' }),
  watchedPortalCall,
);

/** How long a key that was opened stays so. */
const OPEN_MS = 10 * 60_000;
/** Keys of services that were opened, until their time is over, the login signs out or the page is closed. They cannot be read, only used. */
const keys = new Map<string, OpenKey>();
const watchers = new Set<() => void>();
whenSignedOutOfPortal(() => {
  keys.clear();
  tellWatchers();
});
export const hasKey = (serviceId: string) => keys.has(serviceId);

/** Whether the key of a service is open, on a page that changes with it. */
export const useHasKey = (serviceId: string) => useServiceKey(serviceId) !== undefined;

/** The key of a service while it is open. */
export const useServiceKey = (serviceId: string) => useSyncExternalStore(watch, () => keys.get(serviceId));

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

function tellWatchers(): void {
  for (const watcher of watchers) watcher();
}

export function lockServiceKey(serviceId: string): void {
  keys.delete(serviceId);
  tellWatchers();
}

/** Opens the key of a service, as its encrypted PEM has it. @throws SymbolonError */
export async function openServiceKey(serviceId: string, pem: File, passphrase: string): Promise<void> {
  const open = await beside('openKey', { pem: await pem.text(), passphrase });
  keys.set(serviceId, open);
  tellWatchers();
  setTimeout(() => {
    if (keys.get(serviceId) === open) lockServiceKey(serviceId);
  }, OPEN_MS);
}

/** The answers of a customer by their slugs, once the key is open; null for one that was sealed to another key. */
export const answersQuery = (
  serviceId: string,
  customer: CompanyConnection,
): Query<Readonly<Record<string, string | null>>> => ({
  key: portalKeys.openAnswers(serviceId, numberOf(customer)),
  read: () => {
    const values: Record<string, string> = {};
    for (const [slug, { value }] of Object.entries(customer.values))
      if (value !== undefined) values[slug] = value;
    return openValues(serviceId, values);
  },
  isFresh: true,
});

/** The file with which a customer answered, opened once the key is. @param rowId of the question */
export const answerFileQuery = (
  serviceId: string,
  { connection_id: id, ...customer }: CompanyConnection,
  { rowId, slug }: { rowId: string; slug: string },
  report: Report,
): Query<PersonFileContent> => ({
  key: portalKeys.answerFile(serviceId, id, rowId, customer.values[slug]?.updated_at ?? ''),
  read: () => {
    const address = `/api/services/${serviceId}/customers/${id}/slots/${rowId}/file`;
    return beside('openAnswerFile', { address, key: keyOf(serviceId) }, report);
  },
  isFresh: true,
});

/** Opens what is sealed to a service, by names, once its key is open; null for what another key opens. */
export const openValues = (serviceId: string, values: Readonly<Record<string, string>>) =>
  beside('openValues', { values, key: keyOf(serviceId) });

const keyOf = (serviceId: string): CryptoKey => openKeyOf(serviceId).key;

/**
 * Refuses a former key: what is sealed to it, the backend does not open.
 * @throws SymbolonError `page.former_service_key`
 */
export function requireCurrentKey({ id, public_key: publicKey }: Pick<Service, 'id' | 'public_key'>): string {
  const ownKey = publicKeyOf(id);
  if (ownKey === publicKey) return ownKey;
  throw new SymbolonError({ errorKey: 'page.former_service_key', message: 'This key is a former one.' });
}

/** The public half of the key that was opened: the platform is not asked for it. */
export const publicKeyOf = (serviceId: string): string => openKeyOf(serviceId).publicKey;

function openKeyOf(serviceId: string): OpenKey {
  const open = keys.get(serviceId);
  if (open === undefined) throw new Error('The key of the service is not open.');
  return open;
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
  key: portalKeys.copy(place.serviceId, place.flowId, place.runId, key, status ?? ''),
  read: () => openCopy(place, key, report),
  isFresh: true,
});

/** The sealed PDF of a document that a customer signed, opened once the key is. */
export const sealedCopyQuery = (serviceId: string, documentId: string, report: Report): Query<OpenCopy> => ({
  key: portalKeys.sealedCopy(serviceId, documentId),
  read: () => openAt(serviceId, `/api/services/${serviceId}/documents/${documentId}/sealed-file`, report),
  isFresh: true,
});

function openCopy(place: CopyPlace, outputKey: string, report: Report): Promise<OpenCopy> {
  const address = `${runAt(place, place.runId)}/documents/${encodeURIComponent(outputKey)}/file`;
  return openAt(place.serviceId, address, report);
}

/** Reads a file that is sealed to a service, and opens it. @throws SymbolonError `crypto.wrapper_tampered` by the key of another service */
function openAt(serviceId: string, address: string, report: Report): Promise<OpenCopy> {
  return beside('openCopy', { address, key: keyOf(serviceId) }, report).catch((error: unknown) => {
    // Another file may be the right one.
    if (isWrongKey(error)) lockServiceKey(serviceId);
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

/** Seals a document to one customer, beside the page, and sends it. @throws SymbolonError */
export const sendDocument = (copy: Omit<NewCopy, 'token'>, report?: Report): Promise<Document> =>
  portalActing(beside('sendDocument', { token: portalTokenOf(), ...copy }, report));

type OfRun = Pick<RunAct, 'run' | 'key'>;

/** Answers a run that waits for the company, beside the page. @throws SymbolonError */
export const answerBeside = (
  place: FlowPlace,
  of: OfRun,
  { answers, files }: Submitted,
  report: Report,
): Promise<FlowRun> =>
  portalActing(
    beside('answerRun', { token: portalTokenOf(), runs: runsOf(place), ...of, answers, files }, report),
  );

/** Opens a file that answers a field of a run, beside the page. @throws SymbolonError */
export const openFileBeside = (
  place: FlowPlace,
  of: OfRun & { slug: string },
  report: Report,
): Promise<PersonFileContent> => beside('openRunFile', { runs: runsOf(place), ...of }, report);

/** What the texts of a new run would say of its customers, by tag; beside the page. @throws SymbolonError */
export const sharedTagsBeside = (start: Omit<NewRun, 'token'>): Promise<Record<string, string>> =>
  beside('sharedTags', start);

/** Starts a run, beside the page. @throws SymbolonError */
export const startBeside = (start: Omit<NewRun, 'token'>): Promise<FlowRun> =>
  portalActing(beside('startRun', { token: portalTokenOf(), ...start }));

/** Makes the documents of a run, beside the page. @throws SymbolonError */
export const makeBeside = (place: FlowPlace, of: OfRun): Promise<void> =>
  portalActing(beside('makeDocuments', { token: portalTokenOf(), runs: runsOf(place), ...of }));
