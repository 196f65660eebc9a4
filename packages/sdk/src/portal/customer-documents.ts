import { type CryptoKey, openText } from '@symbolon/crypto';
import type { FieldTypeRegistry } from '@symbolon/field-types';
import type {
  CodeMailed,
  CompanyIdentity,
  CustomerConnection,
  CustomerDocument,
  CustomerFlowRun,
} from '@symbolon/protocol';
import {
  acceptRequest,
  cancelRequest,
  type OpenDocument as Opened,
  type Signer,
  signRequest,
} from '../documents/acts.ts';
import { documentContent } from '../documents/document-content.ts';
import { customerViewer } from '../flows/customer-viewer.ts';
import { type Comparison, requireSameCopy } from '../flows/document-answers.ts';
import { type OpenFlowRun, openRun } from '../flows/open-run.ts';
import { type Api, path } from '../http/api.ts';
import { DecryptionError, NotFoundError } from '../http/errors.ts';
import { type Transfer, transferOf } from '../http/progress.ts';
import type { PortalLogin, PresentLogin } from './portal-login.ts';

/** A document is addressed within the connection to the company that issued it. */
export type DocumentRef = { connectionId: string; documentId: string };

/** A document that the company has as a customer, and who issued it. */
export type ReceivedDocument = { ref: DocumentRef; company: CompanyIdentity; document: CustomerDocument };

/** One with what it holds, opened. */
export type OpenReceivedDocument = Opened<CustomerDocument> & {
  ref: DocumentRef;
  /** Reads and opens the run that made it, with the same key: its answers are compared with the document. */
  openRun: (id: string) => Promise<OpenFlowRun<CustomerFlowRun>>;
};

/**
 * What other companies' services gave to the company as their customer (wire 11): `customerDocuments` of a portal client. Its
 * owner signs and accepts, and opens the copies with the account key on this device.
 */
export class CustomerDocuments {
  readonly #api: Api;
  readonly #login: PortalLogin;
  readonly #fieldTypes: () => Promise<FieldTypeRegistry>;

  constructor(api: Api, login: PortalLogin, fieldTypes: () => Promise<FieldTypeRegistry>) {
    this.#api = api;
    this.#login = login;
    this.#fieldTypes = fieldTypes;
  }

  async list(): Promise<ReceivedDocument[]> {
    const call = { method: 'GET', path: '/api/company-connections' } as const;
    const { connections } = await this.#api.json<{ connections: CustomerConnection[] }>(call);
    return connections.flatMap(documentsOf);
  }

  /**
   * Reads a document and opens what it holds; the sealed PDF, once it is sealed. The bytes of a file are compared with the
   * digest that the platform stored.
   *
   * @param accountKey by `openAccountKey` of the client
   * @throws NotFoundError `documents.not_found`, `documents.file_not_found` before its upload, `connections.not_found`;
   * DecryptionError `sdk.unreadable`; TransportError `sdk.digest_mismatch`
   */
  async open(ref: DocumentRef, accountKey: CryptoKey, transfer?: Transfer): Promise<OpenReceivedDocument> {
    const address = path`/api/company-connections/${ref.connectionId}`;
    const connection = await this.#api.json<CustomerConnection>({ method: 'GET', path: address });
    const found = documentsOf(connection).find(({ document }) => document.id === ref.documentId);
    if (found === undefined)
      throw new NotFoundError({ errorKey: 'documents.not_found', message: 'There is no such document.' });
    const parts = {
      ...{ api: this.#api, key: () => accountKey, address: addressOf(ref) },
      ...{ asEnvelope: true, transfer },
    };
    return {
      ref,
      document: found.document,
      content: await documentContent(parts, found.document),
      openRun: (id) => this.#openRun(ref, id, accountKey),
    };
  }

  /**
   * Has a code mailed to the login's address for one act, as the `mailedCode` of its proof.
   *
   * @param act by `documentActs`
   * @throws ConflictError `account.mailed_code_unavailable` where there is something better
   */
  mailCode(act: string): Promise<CodeMailed> {
    const address = '/api/account/2fa/presence/mailed-code';
    return this.#api.json({ method: 'POST', path: address, json: { act } });
  }

  /**
   * Signs what was opened. The signature that completes a file hands it to the platform, which seals it and keeps no plain copy:
   * afterwards `open` gives the sealed PDF. Repeating a signature changes nothing.
   *
   * A document that a flow made is compared with the answers of its run first: `how` says by which reader of PDF files, or that it
   * was done. Another party said what it is filled with, and the platform cannot check that.
   *
   * @param proof for the act `documentActs.sign(opened)`: a passkey, or the password with a code; the password alone does not sign
   * @throws ForbiddenError `auth.role_forbidden` for who is not the owner; ConflictError `sdk.document_differs` with `answers`,
   * `sdk.document_not_compared`, `documents.not_signable`, `documents.content_mismatch`; InvalidRequestError `documents.pdf_unsupported`; UnavailableError
   * `documents.seal_unavailable`; AuthenticationError `auth.two_factor_required`
   */
  async sign(
    opened: OpenReceivedDocument,
    signer: Signer,
    proof: PresentLogin,
    how: Partial<Comparison> & Transfer = {},
  ): Promise<CustomerDocument> {
    await requireSameCopy(opened, { openRun: opened.openRun, by: how });
    const json = await signRequest(opened, signer, (act) => this.#login.prove(act, proof));
    return this.#act(opened, 'sign', json, transferOf(how));
  }

  /** Accepts what was opened, otherwise as `sign`. @throws ConflictError `documents.not_acceptable`, and what `sign` throws */
  async accept(
    opened: OpenReceivedDocument,
    proof?: PresentLogin,
    how: Partial<Comparison> & Transfer = {},
  ): Promise<CustomerDocument> {
    await requireSameCopy(opened, { openRun: opened.openRun, by: how });
    const prove = proof === undefined ? undefined : (act: string) => this.#login.prove(act, proof);
    return this.#act(opened, 'accept', await acceptRequest(opened, prove), transferOf(how));
  }

  /**
   * Cancels a contract: at once, or at the date that it names (wire 11.4).
   *
   * @param note which the company that issued it reads
   * @throws ConflictError `documents.not_cancellable`
   */
  cancel(ref: DocumentRef, note?: string): Promise<CustomerDocument> {
    const json = cancelRequest(note);
    return this.#api.json({ method: 'POST', path: `${addressOf(ref)}/cancel`, json, idempotent: true });
  }

  async #openRun(
    { connectionId }: DocumentRef,
    id: string,
    accountKey: CryptoKey,
  ): Promise<OpenFlowRun<CustomerFlowRun>> {
    const address = path`/api/company-connections/${connectionId}/flow-runs/${id}`;
    const run = await this.#api.json<CustomerFlowRun>({ method: 'GET', path: address });
    return openRun(run, {
      viewer: customerViewer(run),
      fieldTypes: await this.#fieldTypes(),
      open: (wrapper) => opened(wrapper, accountKey),
    });
  }

  #act(
    { ref }: OpenReceivedDocument,
    act: 'sign' | 'accept',
    json: object,
    transfer?: Transfer,
  ): Promise<CustomerDocument> {
    return this.#api.json({ method: 'POST', path: `${addressOf(ref)}/${act}`, json, ...transfer });
  }
}

/** @throws DecryptionError `sdk.unreadable` */
async function opened(wrapper: string, accountKey: CryptoKey): Promise<string> {
  try {
    return await openText(wrapper, accountKey);
  } catch (cause) {
    const message = 'The account key does not open an answer of this run.';
    throw new DecryptionError({ errorKey: 'sdk.unreadable', message, cause });
  }
}

const addressOf = ({ connectionId, documentId }: DocumentRef) =>
  path`/api/company-connections/${connectionId}/documents/${documentId}`;

function documentsOf({ id, company, services, documents }: CustomerConnection): ReceivedDocument[] {
  return [...services.flatMap((link) => link.documents), ...documents].map((document) => ({
    ref: { connectionId: id, documentId: document.id },
    company,
    document,
  }));
}
