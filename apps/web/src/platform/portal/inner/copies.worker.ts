import {
  buildFileEnvelope,
  type CryptoKey,
  decryptPem,
  derivePublicKey,
  encodeBase64,
  encodeHex,
  importPrivateKey,
  openText,
  parseFileEnvelope,
  sealValue,
  type Wrapper,
} from '@symbolon/crypto';
import type { CreateDocumentRequest, Document, FlowRun, FlowRunDocument } from '@symbolon/protocol';
import {
  FlowFileHandle,
  jsonOf,
  type OpenDocumentFile,
  openFileAnswer,
  type PersonFileContent,
  type Progress,
  type Signer,
  SymbolonError,
  sharedTags,
  startRun,
} from '@symbolon/sdk/device';
import { drawnAnew } from '../../chosen-file.ts';
import { withEnvelopes } from '../../flows/envelopes.ts';
import type { Submitted } from '../../flows/step.ts';
import { serve } from '../../inner/worker-side.ts';
import type { Proof } from '../../presence.ts';
import type { Report } from '../../uploads.ts';
import { portalCall, portalFileCall, setPortalToken } from './api.ts';
import { keyOfCustomer } from './people-keys.ts';
import { flowsAt } from './run-flows.ts';
import { type StartPlace, startOf } from './run-start.ts';

/** The key of a service: it opens what is sealed to it, and cannot be read. Its public half is made of it here. */
export interface OpenKey {
  readonly key: CryptoKey;
  readonly publicKey: string;
}

/** A copy as the owner sees it, with the digest of what is seen. */
export interface OpenCopy {
  readonly file: OpenDocumentFile;
  readonly sha256: string;
}

/** What the owner does with a copy. An acceptance has no name under it. */
export interface CopyAct {
  readonly token: string | undefined;
  /** Of the copy. */
  readonly address: string;
  readonly act: 'sign' | 'accept';
  readonly copy: OpenCopy;
  readonly signer?: Signer;
  readonly proof: Proof;
}

/** A document for one customer. */
export interface NewCopy {
  readonly token: string | undefined;
  readonly serviceId: string;
  readonly to: { readonly connectionId: string; readonly userId: string };
  readonly document: Pick<
    CreateDocumentRequest,
    'kind' | 'name' | 'requires_signature' | 'requires_acceptance' | 'metadata'
  >;
  readonly file: OpenDocumentFile;
}

/** A run that waits for the company. */
export interface RunAct {
  readonly token: string | undefined;
  /** The address of the runs of its flow. */
  readonly runs: string;
  readonly run: FlowRun;
  readonly key: OpenKey;
}

/** A run that is to be started with a customer. */
export interface NewRun {
  readonly token: string | undefined;
  readonly place: StartPlace;
  readonly run: {
    readonly connectionId: string;
    /** The connections of other parties, by the keys of the parties. */
    readonly bindings: Readonly<Record<string, { readonly connectionId: string }>>;
    readonly reference?: string;
    /** Texts in place of what the customers share, by tag. */
    readonly tags?: Readonly<Record<string, string>>;
  };
  /** Undefined where the flow takes nothing of what is shared. */
  readonly key: OpenKey | undefined;
}

/** What is sealed to a service: copies of documents of runs, and answers. Its key is opened here, and cannot be read by the page. */
const acts = {
  async openKey({ pem, passphrase }: { pem: string; passphrase: string }): Promise<OpenKey> {
    const pkcs8 = await decryptPem(pem, passphrase);
    const [key, publicKey] = await Promise.all([importPrivateKey(pkcs8), derivePublicKey(pkcs8)]);
    return { key, publicKey };
  },
  async openCopy({ address, key }: { address: string; key: CryptoKey }, report: Report): Promise<OpenCopy> {
    const answer = await portalFileCall({
      method: 'GET',
      path: address,
      accept: 'application/json',
      onProgress: following('down', report),
    });
    const { value } = jsonOf(answer) as { value: Wrapper | string };
    const envelope = parseFileEnvelope(await openText(value, key));
    if (envelope.kind !== 'file')
      throw new SymbolonError({ errorKey: 'sdk.unreadable', message: 'This copy is no single file.' });
    const { originalName: name = 'document.pdf', mimeType } = envelope.file;
    const bytes = envelope.file.bytes();
    return { file: { name, mimeType, bytes }, sha256: await digestOf(bytes) };
  },
  async openAnswerFile(
    { address, key }: { address: string; key: CryptoKey },
    report: Report,
  ): Promise<PersonFileContent> {
    const onProgress = following('down', report);
    const answer = await portalFileCall({ method: 'GET', path: address, accept: '*/*', onProgress });
    return openFileAnswer(answer, () => key);
  },
  /** @param values wrappers by name. @returns their texts; null for one that does not open */
  async openValues({ values, key }: { values: Readonly<Record<string, string>>; key: CryptoKey }) {
    const opened = Object.entries(values).map(
      async ([name, value]) => [name, await openText(value, key).catch(() => null)] as const,
    );
    return Object.fromEntries(await Promise.all(opened)) as Record<string, string | null>;
  },
  async actOnCopy(
    { token, address, act, copy, signer, proof }: CopyAct,
    report: Report,
  ): Promise<FlowRunDocument> {
    setPortalToken(token);
    const json = {
      content_sha256: copy.sha256,
      ...(signer && { first_name: signer.firstName, last_name: signer.lastName }),
      proof,
      // The last act of all completes the file, and the platform seals it in that moment.
      pdf: encodeBase64(copy.file.bytes),
    };
    const onProgress = following('up', report);
    return jsonOf(
      await portalFileCall({ method: 'POST', path: `${address}/${act}`, json, onProgress }),
    ) as FlowRunDocument;
  },
  /** Answers the step of a run that waits for the company: sealed to every party, with the way that the answers decide. */
  async answerRun(
    { token, runs, run, key, answers, files }: RunAct & Pick<Submitted, 'answers' | 'files'>,
    report: Report,
  ): Promise<FlowRun> {
    setPortalToken(token);
    const flows = flowsAt(runs, key);
    const onProgress = following('up', report);
    const open = await flows.open(run);
    return (await flows.answer(open, withEnvelopes(answers, files), { onProgress })).run;
  },
  /** What the texts of a new run would say of its customers, by tag. */
  async sharedTags({ place, run, key }: Omit<NewRun, 'token'>): Promise<Record<string, string>> {
    return sharedTags(...(await startOf(place, key)), run);
  },
  /** Starts a run: what its customers share is sealed to all who take part. */
  async startRun({ token, place, run, key }: NewRun): Promise<FlowRun> {
    setPortalToken(token);
    return (await startRun(...(await startOf(place, key)), run)).started;
  },
  /** A file that answers a field of a run. */
  async openRunFile(
    { runs, run, key, slug }: Omit<RunAct, 'token'> & { slug: string },
    report: Report,
  ): Promise<PersonFileContent> {
    const flows = flowsAt(runs, key);
    const answer = flows.answers(await flows.open(run))[slug];
    if (answer instanceof FlowFileHandle) return answer.open({ onProgress: following('down', report) });
    throw new SymbolonError({ errorKey: 'flows.file_not_found', message: 'This answer is no file.' });
  },
  /** Makes the documents of a run whose last step the company answered. */
  async makeDocuments({ token, runs, run, key }: RunAct): Promise<void> {
    setPortalToken(token);
    // A picture that cannot be decoded must not keep the documents from being made.
    const flows = flowsAt(runs, key, (bytes) =>
      drawnAnew(new Blob([new Uint8Array(bytes)])).catch(() => undefined),
    );
    await flows.generate(await flows.open(run));
  },
  /** Seals a file to one customer and sends it. Of a file that does not arrive no document is left. */
  async sendDocument({ token, serviceId, to, document, file }: NewCopy, report: Report): Promise<Document> {
    setPortalToken(token);
    const { name: originalName, mimeType, bytes } = file;
    const envelope = buildFileEnvelope({ file: { originalName, mimeType, bytes } });
    const value = JSON.stringify(await sealValue(envelope, await keyOfCustomer(to.connectionId, to.userId)));
    const plain_sha256 = await digestOf(bytes);
    const all = `/api/services/${serviceId}/documents`;
    const target = { connection_id: to.connectionId };
    const made: CreateDocumentRequest = { ...document, payload_kind: 'file', target, plain_sha256 };
    const { id } = await portalCall<Document>('POST', all, made);
    try {
      const json = { value, plain_sha256 };
      const onProgress = following('up', report);
      return jsonOf(
        await portalFileCall({ method: 'POST', path: `${all}/${id}/file`, json, onProgress }),
      ) as Document;
    } catch (error) {
      await portalCall('DELETE', `${all}/${id}`).catch(() => undefined);
      throw error;
    }
  },
};

export type CopyActs = typeof acts;

async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return encodeHex(new Uint8Array(await globalThis.crypto.subtle.digest('SHA-256', bytes)));
}

const following =
  (way: Progress['direction'], report: Report) =>
  ({ direction, bytes, total }: Progress) => {
    if (direction === way && total !== undefined && total > 0) report(bytes / total);
  };

serve(acts);
