import type { DeclineRequest } from '@symbolon/protocol';
import { type Api, path } from '../http/api.ts';
import { ConflictError, NotFoundError } from '../http/errors.ts';
import { codeOf, connectionOf } from '../known-keys/confirmed-keys.ts';
import { type ConnectLink, checkLink } from '../known-keys/connect-link.ts';
import { ShownOwners } from '../known-keys/shown-owners.ts';
import type { Asked, RequestRow } from './decisions.ts';

/** The types in which people and companies differ as customers of a service. */
export type CustomerTypes<Row> = {
  answer: object;
  decision: object;
  lookup: Asked<Row>;
  connection: object;
  consent: Asked<Row> & { id: string; connection_id: string; service_link_id?: string };
  /** What the platform returns when answers change. */
  answered: object;
};

/** By the service's request slug. */
type Answers<T extends { answer: object }> = Readonly<Record<string, T['answer']>>;

/** The addresses in which they differ. */
export type CustomerPaths = { lookup: string; connections: string; consents: string };

/** What people and companies do alike as customers of a service. Answers are sealed to the service's key here. */
export abstract class CustomerSide<Row extends RequestRow, T extends CustomerTypes<Row>> {
  protected readonly api: Api;
  readonly #shown = new ShownOwners();
  readonly #paths: CustomerPaths;

  protected constructor(api: Api, paths: CustomerPaths) {
    this.api = api;
    this.#paths = paths;
  }

  /**
   * What a service is and asks for.
   *
   * @throws NotFoundError `profile.not_found`; ForbiddenError `company_connections.persons_only`
   */
  lookup(companyCode: string, serviceCode: string): Promise<T['lookup']> {
    return this.get(this.#paths.lookup + path`/${companyCode}/${serviceCode}`);
  }

  /**
   * Connects to a service.
   *
   * @example
   * await person.connect('ACME', 'SHOP', { email: { field: 'my_email' }, size: { value: '42' } });
   * await company.connect('ACME', 'SHOP', { vat: { value: 'DE123456789' } });
   * @throws InvalidRequestError `sdk.answer_unknown`, `contact_data.mandatory_missing`, `contact_data.type_mismatch`,
   * `contact_data.verification_required`, `company_connections.own_service`; ConflictError `connections.exists`; ValueError;
   * UnconfirmedKeyError `sdk.service_key_changed`, `sdk.owner_changed` when the codes led to another service before
   */
  async connect(
    companyCode: string,
    serviceCode: string,
    answers: Answers<T> = {},
  ): Promise<T['connection']> {
    return this.#connect({ companyCode, serviceCode }, await this.lookup(companyCode, serviceCode), answers);
  }

  /**
   * Connects to the service that a company's link or QR code leads to. Nothing is sealed unless the service's key is the one
   * whose fingerprint stands in the link.
   *
   * @param link by `readConnectLink`
   * @throws UnconfirmedKeyError `sdk.link_key_differs`; and as {@link connect}
   */
  async connectByLink(link: ConnectLink, answers: Answers<T> = {}): Promise<T['connection']> {
    const { companyCode, serviceCode } = link;
    const asked = await this.lookup(companyCode, serviceCode);
    await checkLink(link, asked.service.public_key);
    return this.#connect(link, asked, answers);
  }

  async connections(): Promise<T['connection'][]> {
    type List = { connections: T['connection'][] };
    return (await this.get<List>(this.#paths.connections)).connections;
  }

  /** @throws NotFoundError `connections.not_found` */
  connection(id: string): Promise<T['connection']> {
    return this.get(this.#paths.connections + path`/${id}`);
  }

  /** Ends a connection. @throws ConflictError `company_connections.active_contract` */
  disconnect(id: string): Promise<void> {
    return this.api.done({ method: 'DELETE', path: this.#paths.connections + path`/${id}` });
  }

  /** What services have asked for since they were connected. */
  async consents(): Promise<T['consent'][]> {
    const consents = await this.#consents();
    for (const consent of consents) this.#shown.show(consent.id, ownerOf(consent).id);
    return consents;
  }

  /**
   * Answers some or all rows of a consent.
   *
   * @throws NotFoundError `consents.not_found`; UnconfirmedKeyError `sdk.owner_changed` when it is of another connection than {@link consents} has shown; and as {@link connect}
   */
  async provideConsent(id: string, answers: Answers<T>): Promise<T['answered']> {
    const consent = await this.#consent(id);
    const asked = {
      ...consent,
      isNew: false,
      of: ownerOf(consent),
    };
    return this.sendAnswers('POST', this.#paths.consents + path`/${id}/provide`, asked, answers);
  }

  /** Declines all rows of a consent, or those with these slugs. @throws NotFoundError `consents.not_found` */
  async declineConsent(id: string, slugs?: readonly string[]): Promise<T['answered']> {
    const rows = slugs && (await this.#consent(id)).request_fields;
    const named = rows?.filter(({ slug }) => slugs?.includes(slug)).map((row) => row.id);
    const json: DeclineRequest = named ? { request_field_ids: named } : {};
    return this.api.json({ method: 'POST', path: this.#paths.consents + path`/${id}/decline`, json });
  }

  /** Seals the answers. */
  protected abstract decisions(answers: Answers<T>, asked: Asked<Row>): Promise<T['decision'][]>;

  /** Seals and sends answers; once more with the present values when another device saved one in the meantime. */
  protected async sendAnswers<R>(
    method: 'POST' | 'PUT',
    path: string,
    asked: Asked<Row>,
    answers: Answers<T>,
    members: object = {},
  ): Promise<R> {
    for (let attempt = 1; ; attempt++) {
      try {
        const json = { ...members, decisions: await this.decisions(answers, asked) };
        return await this.api.json<R>({ method, path, json });
      } catch (error) {
        const changed = error instanceof ConflictError && error.errorKey === 'contact_data.field_changed';
        if (!changed || attempt === ATTEMPTS) throw error;
      }
    }
  }

  /** Remembers whose a connection is that was made. @throws UnconfirmedKeyError `sdk.owner_changed` */
  protected abstract connected(asked: Asked<Row>, connection: T['connection']): Promise<T['connection']>;

  async #connect(
    { companyCode, serviceCode, keyPrefix }: ConnectLink,
    asked: T['lookup'],
    answers: Answers<T>,
  ): Promise<T['connection']> {
    const of = codeOf(companyCode, serviceCode);
    const chosen = { ...asked, isNew: true, isProven: keyPrefix !== undefined, of };
    const codes = { company_code: companyCode, service_code: serviceCode };
    const made = await this.sendAnswers<T['connection']>(
      'POST',
      this.#paths.connections,
      chosen,
      answers,
      codes,
    );
    return this.connected(chosen, made);
  }

  protected get<R>(path: string): Promise<R> {
    return this.api.json({ method: 'GET', path });
  }

  async #consents(): Promise<T['consent'][]> {
    return (await this.get<{ consents: T['consent'][] }>(this.#paths.consents)).consents;
  }

  async #consent(id: string): Promise<T['consent']> {
    const consent = (await this.#consents()).find((candidate) => candidate.id === id);
    if (consent) {
      this.#shown.check(id, ownerOf(consent).id, 'consent');
      return consent;
    }
    throw new NotFoundError({ errorKey: 'consents.not_found', message: 'There is no such open consent.' });
  }
}

/** Who asks for the consent, as the keys of owners are kept. */
const ownerOf = (consent: { connection_id: string; service_link_id?: string }) =>
  connectionOf(consent.connection_id, consent.service_link_id);

/** How often answers are sent when the fields they come from keep changing. */
const ATTEMPTS = 4;
