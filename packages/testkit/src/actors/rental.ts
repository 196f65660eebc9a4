import type { FlowDefinition, FlowRun } from '@symbolon/protocol';
import { PersonClient } from '@symbolon/sdk/person';
import type { TestPlatform } from '../platform/platform.ts';
import {
  createService,
  dataToken,
  PASSWORD,
  registerCompany,
  type TestPerson,
  type TestService,
} from './actors.ts';
import { SoftwareAuthenticator } from './authenticator.ts';
import { bytesIn, digestOf } from './contracts.ts';
import { publishPackage } from './flow-documents.ts';
import { rentOfYear, textPdf } from './flow-packages.ts';
import { type Route, submitOf } from './flow-runs.ts';
import { addPasskey, passkeyProof } from './passkeys.ts';

/** The shop offers a bicycle, the rider takes it; both sign. */
export const rental: FlowDefinition = {
  name: 'Rent a bicycle',
  output_mode: 'document',
  entry: 'offer',
  parties: [
    { key: 'rider', label: 'Rider' },
    { key: 'shop', label: 'Shop', type: 'owner' },
  ],
  nodes: [
    {
      key: 'offer',
      party: 'shop',
      title: 'The offer',
      elements: [{ kind: 'field', slug: 'rent', field_type: 'decimal', label: 'Rent', required: true }],
    },
    {
      key: 'rider',
      party: 'rider',
      title: 'About you',
      elements: [
        { kind: 'text', body: '{{ shop.company_name }} asks {{ rent }} a month.' },
        { kind: 'field', slug: 'rider_name', field_type: 'text', label: 'Full name', required: true },
        { kind: 'field', slug: 'face', field_type: 'photo', label: 'A photo of you', required: false },
      ],
      outputs: [
        {
          key: 'contract',
          name: 'Rental contract',
          rules: [{ asset_key: 'contract', tags: ['rider_name', 'rent', 'rent_of_year', 'face'] }],
          signers: [
            { party: 'rider', sign: true },
            { party: 'shop', sign: true },
          ],
        },
      ],
    },
  ],
  edges: [{ from: 'offer', to: 'rider', condition: null }],
  constants: [rentOfYear],
};

const template = textPdf([
  'Rental contract',
  '',
  'Between {{ shop.company_name }} and {{rider_name}}.',
  'The rent is {{rent}} a month, {{rent_of_year}} a year.',
  'The rider: {{face}}',
]);

type Begun = Pick<FlowRun, 'id' | 'bindings'>;

/** A shop that rents bicycles, at home in one region. */
export class RentalShop {
  readonly service: TestService;
  readonly #platform: TestPlatform;
  readonly #token: string;
  readonly #owner: SoftwareAuthenticator;
  readonly #settle: () => Promise<void>;

  private constructor(parts: {
    service: TestService;
    platform: TestPlatform;
    token: string;
    owner: SoftwareAuthenticator;
    settle: () => Promise<void>;
  }) {
    this.service = parts.service;
    this.#platform = parts.platform;
    this.#token = parts.token;
    this.#owner = parts.owner;
    this.#settle = parts.settle;
  }

  /**
   * @param url where the pages are, which passkeys are made for
   * @param settle lets regions tell each other what happened
   */
  static async open(platform: TestPlatform, url: string, settle = async () => {}): Promise<RentalShop> {
    const company = await registerCompany(platform, 'Acme Bikes');
    const service = await createService(platform, company);
    const token = await dataToken(platform, service);
    const { authenticator: owner } = await addPasskey(platform, company, {
      at: '/api/account/passkeys',
      authenticator: SoftwareAuthenticator.for({ url }),
    });
    return new RentalShop({ service, platform, token, owner, settle });
  }

  /** @returns the id of the flow */
  publish(definition: FlowDefinition): Promise<string> {
    return publishPackage(this.#platform, this.service, { definition, assets: { contract: template } });
  }

  /** Connects a rider, and begins a run. @param home the rider's region */
  async begin(rider: TestPerson, flowId: string, home = this.#platform): Promise<Begun> {
    await this.#settle();
    // A device that chose the shop knows its key from then on.
    const device = await PersonClient.login({ baseUrl: home.url, email: rider.email, password: PASSWORD });
    const { connection_id } = await device.connect(this.service.company.code, this.service.code);
    await this.#settle();
    const bindings = { rider: rider.id, shop: this.service.company.id };
    const path = `/api/company-data/flows/${flowId}/runs`;
    const { id } = await this.#call('POST', path, { target: { connection_id }, bindings });
    await this.#settle();
    return { id, bindings };
  }

  async answer(begun: Begun, answers: Readonly<Record<string, string>>, route: Route): Promise<void> {
    await this.#call('POST', ofRun(begun.id, '/answers'), await submitOf(begun, answers, route));
    await this.#settle();
  }

  async generate({ id }: Begun, bundle: object): Promise<void> {
    await this.#call('POST', ofRun(id, '/generate'), bundle);
  }

  /** The contract, from the shop's own copy. */
  async contractOf({ id }: Begun): Promise<Buffer> {
    return Buffer.from(await bytesIn(await this.#call('GET', ofRun(id, '/documents/contract/file'))));
  }

  /** The shop signs, last of all. */
  async sign(flowId: string, begun: Begun): Promise<void> {
    const { participants } = await this.#call('GET', ofRun(begun.id));
    const own = participants.find(({ party_key }: { party_key: string }) => party_key === 'shop');
    const id = own.documents[0].document_id;
    const pdf = await this.contractOf(begun);
    const { token } = this.service.company;
    const act = `sign document ${id} ${digestOf(pdf)}`;
    const proof = await passkeyProof(this.#platform, token, act, this.#owner, '/api/account/2fa/presence');
    const path = `/api/services/${this.service.id}/flows/${flowId}/runs/${begun.id}/documents/${id}/sign`;
    await this.#platform.must('POST', path, {
      token,
      body: {
        content_sha256: digestOf(pdf),
        ...{ first_name: 'Grace', last_name: 'Hopper', proof },
        pdf: pdf.toString('base64'),
      },
    });
    await this.#settle();
  }

  #call(method: string, path: string, body?: object) {
    return this.#platform.must(method, path, { token: this.#token, ...(body && { body }) });
  }
}

const ofRun = (id: string, path = '') => `/api/company-data/flow-runs/${id}${path}`;
