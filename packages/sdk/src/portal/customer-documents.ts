import type { CryptoKey } from '@symbolon/crypto';
import type { CodeMailed, CompanyIdentity, CustomerConnection, CustomerDocument } from '@symbolon/protocol';
import {
  acceptRequest,
  cancelRequest,
  type OpenDocument as Opened,
  type Signer,
  signRequest,
} from '../documents/acts.ts';
import { documentContent } from '../documents/document-content.ts';
import { type Api, path } from '../http/api.ts';
import { NotFoundError } from '../http/errors.ts';
import type { Transfer } from '../http/progress.ts';
import type { PortalLogin, PresentLogin } from './portal-login.ts';

/** A document is addressed within the connection to the company that issued it. */
export type DocumentRef = { connectionId: string; documentId: string };

/** A document that the company has as a customer, and who issued it. */
export type ReceivedDocument = { ref: DocumentRef; company: CompanyIdentity; document: CustomerDocument };

/** One with what it holds, opened. */
export type OpenReceivedDocument = Opened<CustomerDocument> & { ref: DocumentRef };

/**
 * What other companies' services gave to the company as their customer (wire 11): `customerDocuments` of a portal client. Its
 * owner signs and accepts, and opens the copies with the account key on this device.
 */
export class CustomerDocuments {
  readonly #api: Api;
  readonly #login: PortalLogin;

  constructor(api: Api, login: PortalLogin) {
    this.#api = api;
    this.#login = login;
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
    return { ref, document: found.document, content: await documentContent(parts, found.document) };
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
   * @param proof for the act `documentActs.sign(opened)`: a passkey, or the password with a code; the password alone does not sign
   * @throws ForbiddenError `auth.role_forbidden` for who is not the owner; ConflictError `documents.not_signable`,
   * `documents.content_mismatch`; InvalidRequestError `documents.pdf_unsupported`; UnavailableError
   * `documents.seal_unavailable`; AuthenticationError `auth.two_factor_required`
   */
  async sign(
    opened: OpenReceivedDocument,
    signer: Signer,
    proof: PresentLogin,
    transfer?: Transfer,
  ): Promise<CustomerDocument> {
    const json = await signRequest(opened, signer, (act) => this.#login.prove(act, proof));
    return this.#act(opened, 'sign', json, transfer);
  }

  /** Accepts what was opened, otherwise as `sign`. @throws ConflictError `documents.not_acceptable`, and what `sign` throws */
  async accept(
    opened: OpenReceivedDocument,
    proof?: PresentLogin,
    transfer?: Transfer,
  ): Promise<CustomerDocument> {
    const prove = proof === undefined ? undefined : (act: string) => this.#login.prove(act, proof);
    return this.#act(opened, 'accept', await acceptRequest(opened, prove), transfer);
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

  #act(
    { ref }: OpenReceivedDocument,
    act: 'sign' | 'accept',
    json: object,
    transfer?: Transfer,
  ): Promise<CustomerDocument> {
    return this.#api.json({ method: 'POST', path: `${addressOf(ref)}/${act}`, json, ...transfer });
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
