import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { generateOneTimeKey, sealBundle, sealValue, serializeWrapper } from '@symbolon/crypto';
import type { FlowDefinition } from '@symbolon/protocol';
import { PersonClient } from '@symbolon/sdk/person';
import type { Page } from 'playwright-core';
import {
  createService,
  dataToken,
  registerCompany,
  type TestService,
} from '../../packages/server/src/testing/actors.ts';
import { SoftwareAuthenticator } from '../../packages/server/src/testing/authenticator.ts';
import { bytesIn, digestOf } from '../../packages/server/src/testing/contracts.ts';
import { packageOf, textPdf } from '../../packages/server/src/testing/flow-packages.ts';
import { leaf, to } from '../../packages/server/src/testing/flow-runs.ts';
import { addPasskey, passkeyProof } from '../../packages/server/src/testing/passkeys.ts';
import { browserWorld, checkPage, drawnPhoto, picture, skip } from './support/browser.ts';
import { isDrawn } from './support/documents.ts';
import { PASSWORD, proveByMail, registerAt } from './support/people.ts';

/** The shop offers a bicycle, the rider takes it; both sign. */
const rental: FlowDefinition = {
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

describe('contracts of flows in the browser', { skip }, () => {
  const world = browserWorld();
  let service: TestService;
  let token: string;
  let owner: SoftwareAuthenticator;
  before(async () => {
    if (skip) return;
    const { platform, url } = world();
    const company = await registerCompany(platform, 'Acme Bikes');
    service = await createService(platform, company);
    token = await dataToken(platform, service);
    const authenticator = new SoftwareAuthenticator(url);
    ({ authenticator: owner } = await addPasskey(platform, company, {
      at: '/api/account/passkeys',
      authenticator,
    }));
  });

  const published = async (definition: FlowDefinition): Promise<string> => {
    const path = `/api/services/${service.id}/flows`;
    const { token: portal } = service.company;
    const { status, body, text } = await world().platform.call('POST', `${path}/import`, {
      token: portal,
      body: await packageOf({ definition, assets: { contract: template } }),
      headers: { 'content-type': 'application/zip' },
    });
    assert.equal(status, 201, text);
    await world().platform.must('POST', `${path}/${body.id}/publish`, { token: portal });
    return body.id;
  };
  /** Registers at the page, connects to the shop, and begins a run. */
  const begin = async (page: Page, email: string, flowId: string) => {
    await registerAt(page, '/register?next=%2Fme%2Fflows', email);
    await page.waitForURL('**/me/flows');
    const device = await PersonClient.login({ baseUrl: world().url, email, password: PASSWORD });
    const { connection_id } = await device.connect(service.company.code, service.code);
    const bindings = { rider: device.person.person_user_id, shop: service.company.id };
    const { id } = await world().platform.must('POST', `/api/company-data/flows/${flowId}/runs`, {
      token,
      body: { target: { connection_id }, bindings },
    });
    return { id: id as string, person: device.person };
  };
  type Begun = Awaited<ReturnType<typeof begin>>;
  const ofRun = (id: string, path = '') => `/api/company-data/flow-runs/${id}${path}`;
  const call = (method: string, path: string, body?: object) =>
    world().platform.must(method, path, { token, ...(body && { body }) });
  const answer = async ({ id, person }: Begun, text: string, slug: string, route: object) => {
    const copyFor = async (user: string, key: string) => ({
      for_user_id: user,
      value: serializeWrapper(await sealValue(text, key)),
    });
    const values = [
      await copyFor(person.person_user_id, person.public_key),
      await copyFor(service.company.id, service.publicKey),
    ];
    await call('POST', ofRun(id, '/answers'), { answers: [{ slug, values }], ...route });
  };
  const madePdf = async (runId: string) =>
    Buffer.from(await bytesIn(await call('GET', ofRun(runId, '/documents/contract/file'))));
  const ownerSigns = async (flowId: string, runId: string) => {
    const run = await call('GET', ofRun(runId));
    const { documents } = run.participants.find(
      ({ party_key }: { party_key: string }) => party_key === 'shop',
    );
    const [{ document_id: id }] = documents;
    const pdf = await madePdf(runId);
    const { token: portal } = service.company;
    const act = `sign document ${id} ${digestOf(pdf)}`;
    const proof = await passkeyProof(world().platform, portal, act, owner, '/api/account/2fa/presence');
    const path = `/api/services/${service.id}/flows/${flowId}/runs/${runId}/documents/${id}/sign`;
    await world().platform.must('POST', path, {
      token: portal,
      body: {
        content_sha256: digestOf(pdf),
        ...{ first_name: 'Grace', last_name: 'Hopper', proof },
        pdf: pdf.toString('base64'),
      },
    });
  };

  test('two parties answer, the person has the contract made, both sign, and it is sealed', async () => {
    const visitor = await world().visitor({ phone: true });
    const page = await visitor.newPage();
    const flowId = await published(rental);
    const begun = await begin(page, 'renter@example.org', flowId);
    const row = page.getByRole('link', { name: /^Rent a bicycle/ });
    await row.getByText('Waiting for others').waitFor();
    await row.click();
    await page.getByText('It is the turn of: Shop').waitFor();
    await answer(begun, '90', 'rent', to('rider', 'rider'));

    const step = page.getByRole('region', { name: 'About you' });
    await step.getByText('Acme Bikes asks 90 a month.').waitFor();
    await step.getByLabel('Full name', { exact: true }).fill('Anna Maria Berg');
    const photo = { name: 'anna.png', mimeType: 'image/png', buffer: await drawnPhoto(page) };
    await step.locator('input[type=file]').last().setInputFiles(photo);
    await step.getByText('anna.png').waitFor();
    await step.getByRole('button', { name: 'Send 2 answers' }).click();

    await page.getByText('The documents wait for signatures.').waitFor();
    await checkPage(page);
    await picture(page, 'flow-to-sign');
    assert.ok((await madePdf(begun.id)).includes('/Image'), 'the photo stands in the contract');
    await page.getByRole('link', { name: 'Read and sign Rental contract' }).click();
    await isDrawn(page, 'Page 1 of 1');
    const act = page.getByRole('region', { name: 'Sign Rental contract' });
    await page.getByText('All answers that it should show stand in the document').waitFor();
    await page.getByText('Between Acme Bikes and Anna Maria Berg.').waitFor({ state: 'attached' });
    await page.getByText('The rent is 90 a month, 1080 a year.').waitFor({ state: 'attached' });
    await checkPage(page);
    await act.getByRole('button', { name: 'Go on to signing' }).click();
    await proveByMail(world().platform, act, 'renter@example.org');
    await act.getByRole('button', { name: 'Sign Rental contract' }).click();
    await page.getByText('Signed by Anna Berg').first().waitFor();
    await checkPage(page);

    await page.goto(`/me/flows/${begun.id}`);
    await page.getByText('You have done your part').waitFor();
    await checkPage(page);
    await ownerSigns(flowId, begun.id);
    await page.getByText('Done. Acme Bikes has what it asked for.').waitFor();
    await checkPage(page);
    await page.getByRole('link', { name: 'Open Rental contract' }).click();
    const seal = page.getByRole('region', { name: 'The seal of this file' });
    await seal.getByText('Sealed, and unchanged since').waitFor();
    await seal.getByText('Grace Hopper').waitFor();
    await checkPage(page);
    assert.deepEqual(world().problems(), []);
    await visitor.close();
  });

  test('what the other party put into the contract otherwise is marked, and declining ends the signatures', async () => {
    const visitor = await world().visitor({ colorScheme: 'dark' });
    const page = await visitor.newPage();
    const [offer, rider] = rental.nodes as [FlowDefinition['nodes'][number], FlowDefinition['nodes'][number]];
    const { outputs = [], ...early } = rider;
    const flowId = await published({
      ...rental,
      entry: 'rider',
      nodes: [early, { ...offer, outputs }],
      edges: [{ from: 'rider', to: 'offer', condition: null }],
    });
    const begun = await begin(page, 'careful@example.org', flowId);
    await page.getByRole('link', { name: /^Rent a bicycle/ }).click();
    const step = page.getByRole('region', { name: 'About you' });
    await step.getByLabel('Full name', { exact: true }).fill('Anna Berg');
    await step.getByRole('button', { name: 'Send 1 answer' }).click();
    await page.getByText('It is the turn of: Shop').waitFor();
    await answer(begun, '90', 'rent', leaf);
    await page.getByText('The documents are being made by who answered last.').waitFor();
    const otk = generateOneTimeKey();
    const values = { rider_name: 'Anna Berg', rent: '900', rent_of_year: '1080' };
    await call('POST', ofRun(begun.id, '/generate'), {
      otk,
      values: await sealBundle(JSON.stringify(values), otk),
    });
    await page.getByRole('link', { name: 'Read and sign Rental contract' }).click();
    const marked = page.getByRole('alert', { name: 'These answers do not stand in the document' });
    await marked.getByText('Rent: 90').waitFor();
    assert.equal(await marked.getByRole('listitem').count(), 1);
    await checkPage(page);
    await picture(page, 'flow-differs');
    await page.goto(`/me/flows/${begun.id}`);
    await page.getByRole('button', { name: 'Decline Rent a bicycle' }).click();
    await page.getByRole('button', { name: 'Decline Rent a bicycle' }).click();
    await page.getByText('Cancelled. Nothing more is asked').waitFor();
    await page.getByRole('link', { name: 'Open Rental contract' }).click();
    await page.getByText('Ended', { exact: true }).waitFor();
    assert.equal(await page.getByRole('region', { name: 'Sign Rental contract' }).count(), 0);
    assert.deepEqual(world().problems(), []);
    await visitor.close();
  });
});
