import { encodeBase64, encodeHex } from '@symbolon/crypto';
import type {
  AcceptDocumentRequest,
  CodeMailed,
  FlowRunDocument,
  SignDocumentRequest,
} from '@symbolon/protocol';
import { documentActs, type Signer } from '../documents/acts.ts';
import { type PdfText, requireSameAnswers } from '../flows/document-answers.ts';
import type { OpenFlowRun } from '../flows/open-run.ts';
import { type Api, path } from '../http/api.ts';
import { type Transfer, transferOf } from '../http/progress.ts';
import type { PortalLogin, PresentLogin } from './portal-login.ts';

/** The company's own copy of a document is addressed within the run. */
export type RunDocumentRef = { serviceId: string; flowId: string; runId: string; documentId: string };

/** How the document is compared with what the parties answered. */
export type RunComparison = { open: OpenFlowRun; textOf: PdfText } | { compared: true };

/**
 * The company's own copies of documents of its runs (wire 13.14): `runDocuments` of a portal client. Its owner signs and accepts
 * what the key of the service opened, for example `flows.documentFile` of a data client.
 */
export class RunDocuments {
  readonly #api: Api;
  readonly #login: PortalLogin;

  constructor(api: Api, login: PortalLogin) {
    this.#api = api;
    this.#login = login;
  }

  /**
   * What a proof for signing is made for: the `act` of `mailCode`.
   *
   * @param pdf the opened copy
   */
  async signAct({ documentId: id }: RunDocumentRef, pdf: Uint8Array<ArrayBuffer>): Promise<string> {
    return documentActs.sign({ document: { id }, content: { sha256: await digestOf(pdf) } });
  }

  /** Has a code mailed to the login's address for one act, as the `mailedCode` of its proof. */
  mailCode(act: string): Promise<CodeMailed> {
    const address = '/api/account/2fa/presence/mailed-code';
    return this.#api.json({ method: 'POST', path: address, json: { act } });
  }

  /**
   * Signs the company's own copy. With the last act of all parties the platform seals every copy, and keeps no plain one.
   *
   * @param pdf the opened copy, as it was read
   * @param proof a passkey, or the password with a code; the password alone does not sign
   * @param open the run as the key of the service opened it, with `textOf`: what the PDF says is compared with it. The platform
   *   cannot do that, and another party may have had it made; `compared: true` when you compared them yourself
   * @throws ConflictError `sdk.document_differs` with `answers`, `sdk.document_not_compared`; ForbiddenError `auth.role_forbidden` for who is not the owner; ConflictError `documents.not_signable` before its turn
   *   in the line, `documents.content_mismatch`; NotFoundError `flows.no_document`; AuthenticationError
   *   `auth.two_factor_required`; UnavailableError `documents.seal_unavailable`
   */
  async sign(
    ref: RunDocumentRef,
    pdf: Uint8Array<ArrayBuffer>,
    { signer, proof, ...more }: { signer: Signer; proof: PresentLogin } & RunComparison & Transfer,
  ): Promise<FlowRunDocument> {
    await requireSame(ref, pdf, more);
    const json: SignDocumentRequest = {
      content_sha256: await digestOf(pdf),
      first_name: signer.firstName,
      last_name: signer.lastName,
      proof: await this.#login.prove(await this.signAct(ref, pdf), proof),
      pdf: encodeBase64(pdf),
    };
    return this.#act(ref, { act: 'sign', json, ...transferOf(more) });
  }

  /** Accepts the company's own copy, otherwise as `sign`. @throws ConflictError `documents.not_acceptable`, and what `sign` throws */
  async accept(
    ref: RunDocumentRef,
    pdf: Uint8Array<ArrayBuffer>,
    more: RunComparison & Transfer,
  ): Promise<FlowRunDocument> {
    await requireSame(ref, pdf, more);
    const json: AcceptDocumentRequest = { content_sha256: await digestOf(pdf), pdf: encodeBase64(pdf) };
    return this.#act(ref, { act: 'accept', json, ...transferOf(more) });
  }

  #act(
    { serviceId, flowId, runId, documentId }: RunDocumentRef,
    { act, json, ...transfer }: { act: 'sign' | 'accept'; json: object } & Transfer,
  ): Promise<FlowRunDocument> {
    const run = path`/api/services/${serviceId}/flows/${flowId}/runs/${runId}`;
    const address = `${run}${path`/documents/${documentId}`}/${act}`;
    return this.#api.json({ method: 'POST', path: address, json, ...transfer });
  }
}

async function requireSame(
  { documentId }: RunDocumentRef,
  pdf: Uint8Array,
  how: RunComparison,
): Promise<void> {
  if ('compared' in how) return;
  const { open, textOf } = how;
  await requireSameAnswers(documentId, pdf, { open: async () => open, by: { textOf } });
}

async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return encodeHex(new Uint8Array(await globalThis.crypto.subtle.digest('SHA-256', bytes)));
}
