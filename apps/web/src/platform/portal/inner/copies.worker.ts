import {
  type CryptoKey,
  decryptPem,
  encodeBase64,
  encodeHex,
  importPrivateKey,
  openText,
  parseFileEnvelope,
  type Wrapper,
} from '@symbolon/crypto';
import type { FlowRunDocument } from '@symbolon/protocol';
import {
  jsonOf,
  type OpenDocumentFile,
  type Progress,
  type Signer,
  SymbolonError,
} from '@symbolon/sdk/device';
import { serve } from '../../inner/worker-side.ts';
import type { Proof } from '../../presence.ts';
import type { Report } from '../../uploads.ts';
import { portalFileCall, setPortalToken } from './api.ts';

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

/** The company's own copies of documents of runs. The key of the service is opened here, and cannot be read by the page. */
const acts = {
  async openKey({ pem, passphrase }: { pem: string; passphrase: string }): Promise<CryptoKey> {
    return importPrivateKey(await decryptPem(pem, passphrase));
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
    const digest = await globalThis.crypto.subtle.digest('SHA-256', bytes);
    return { file: { name, mimeType, bytes }, sha256: encodeHex(new Uint8Array(digest)) };
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
};

export type CopyActs = typeof acts;

const following =
  (way: Progress['direction'], report: Report) =>
  ({ direction, bytes, total }: Progress) => {
    if (direction === way && total !== undefined && total > 0) report(bytes / total);
  };

serve(acts);
