import assert from 'node:assert/strict';
import { sealValue, serializeWrapper } from '@symbolon/crypto';
import type { FlowDefinition } from '@symbolon/protocol';
import { PersonClient } from '@symbolon/sdk/person';
import { createService, dataToken, registerCompany, type TestService } from '@symbolon/testkit/actors/actors';
import { SoftwareAuthenticator } from '@symbolon/testkit/actors/authenticator';
import { bytesIn, digestOf } from '@symbolon/testkit/actors/contracts';
import { packageOf, textPdf } from '@symbolon/testkit/actors/flow-packages';
import { addPasskey, passkeyProof } from '@symbolon/testkit/actors/passkeys';
import type { TestPlatform } from '@symbolon/testkit/platform/platform';
import type { Page } from 'playwright-core';
import { PASSWORD, registerAt } from './people.ts';

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
  constants: [
    {
      key: 'rent_of_year',
      label: 'Rent of a year',
      result_type: 'number',
      expr: {
        kind: 'math',
        op: 'mul',
        args: [
          { kind: 'ref', key: 'rent' },
          { kind: 'lit', value_type: 'number', value: 12 },
        ],
      },
    },
  ],
};

const template = textPdf([
  'Rental contract',
  '',
  'Between {{ shop.company_name }} and {{rider_name}}.',
  'The rent is {{rent}} a month, {{rent_of_year}} a year.',
  'The rider: {{face}}',
]);

type Begun = { id: string; person: PersonClient['person'] };

/** A shop that rents bicycles, at home in one region; riders use the pages at `url`. */
export class RentalShop {
  readonly service: TestService;
  readonly #platform: TestPlatform;
  readonly #url: string;
  readonly #token: string;
  readonly #owner: SoftwareAuthenticator;
  readonly #settle: () => Promise<void>;

  private constructor(parts: {
    service: TestService;
    platform: TestPlatform;
    url: string;
    token: string;
    owner: SoftwareAuthenticator;
    settle: () => Promise<void>;
  }) {
    this.service = parts.service;
    this.#platform = parts.platform;
    this.#url = parts.url;
    this.#token = parts.token;
    this.#owner = parts.owner;
    this.#settle = parts.settle;
  }

  /** @param settle lets regions tell each other what happened */
  static async open(platform: TestPlatform, url: string, settle = async () => {}): Promise<RentalShop> {
    const company = await registerCompany(platform, 'Acme Bikes');
    const service = await createService(platform, company);
    const token = await dataToken(platform, service);
    const { authenticator: owner } = await addPasskey(platform, company, {
      at: '/api/account/passkeys',
      authenticator: SoftwareAuthenticator.for({ url }),
    });
    return new RentalShop({ service, platform, url, token, owner, settle });
  }

  /** @returns the id of the flow */
  async publish(definition: FlowDefinition): Promise<string> {
    const path = `/api/services/${this.service.id}/flows`;
    const { token } = this.service.company;
    const { status, body, text } = await this.#platform.call('POST', `${path}/import`, {
      token,
      body: await packageOf({ definition, assets: { contract: template } }),
      headers: { 'content-type': 'application/zip' },
    });
    assert.equal(status, 201, text);
    await this.#platform.must('POST', `${path}/${body.id}/publish`, { token });
    return body.id;
  }

  /** Registers at the page, connects to the shop, and begins a run. */
  async begin(page: Page, email: string, flowId: string): Promise<Begun> {
    await registerAt(page, '/register?next=%2Fme%2Fflows', email);
    await page.waitForURL('**/me/flows');
    await this.#settle();
    const device = await PersonClient.login({ baseUrl: this.#url, email, password: PASSWORD });
    const { connection_id } = await device.connect(this.service.company.code, this.service.code);
    const { person } = device;
    const bindings = { rider: person.person_user_id, shop: this.service.company.id };
    const { id } = await this.#call('POST', `/api/company-data/flows/${flowId}/runs`, {
      target: { connection_id },
      bindings,
    });
    await this.#settle();
    return { id, person };
  }

  async answer(
    { id, person }: Begun,
    answers: Readonly<Record<string, string>>,
    route: object,
  ): Promise<void> {
    const keys = [
      [person.person_user_id, person.public_key],
      [this.service.company.id, this.service.publicKey],
    ] as const;
    const sent = Object.entries(answers).map(async ([slug, text]) => ({
      slug,
      values: await Promise.all(
        keys.map(async ([user, key]) => ({
          for_user_id: user,
          value: serializeWrapper(await sealValue(text, key)),
        })),
      ),
    }));
    await this.#call('POST', ofRun(id, '/answers'), { answers: await Promise.all(sent), ...route });
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
