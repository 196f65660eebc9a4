import assert from 'node:assert/strict';
import { before, describe } from 'node:test';
import type { FlowDefinition, FlowPlugin, Plugin } from '@symbolon/protocol';
import { PersonClient } from '@symbolon/sdk/person';
import {
  connect,
  createField,
  createService,
  dataToken,
  PASSWORD,
  registerCompany,
  registerPerson,
  type TestService,
} from '@symbolon/testkit/actors/actors';
import { leasePdf } from '@symbolon/testkit/actors/files';
import { leaf, publishFlow, submitOf } from '@symbolon/testkit/actors/flow-runs';
import { checkPage, picture } from '@symbolon/testkit/browser/looks';
import { personAt, typeSignIn } from '@symbolon/testkit/browser/people';
import { browserTests, skip } from '@symbolon/testkit/browser/world';
import type { Page } from 'playwright-core';

/** A customer orders a bicycle; one that is to carry a lot is asked once more; the company decides. */
const order: FlowDefinition = {
  name: 'Order a bicycle',
  output_mode: 'data_only',
  entry: 'wish',
  parties: [
    { key: 'rider', label: 'Rider' },
    { key: 'shop', label: 'Shop', type: 'owner' },
  ],
  nodes: [
    {
      key: 'wish',
      party: 'rider',
      title: 'Your bicycle',
      elements: [
        {
          kind: 'text',
          body: 'Tell us what you need.\nSee [a href=https://bikes.example/sizes]our sizes[/a].',
        },
        { kind: 'field', slug: 'colour', field_type: 'text', label: 'Colour', required: true },
        {
          kind: 'field',
          slug: 'load',
          field_type: 'integer',
          label: 'Load in kg',
          required: true,
          min: 1,
          max: 300,
        },
        {
          kind: 'field',
          slug: 'frame',
          field_type: 'select',
          label: 'Frame',
          required: true,
          options: [
            { value: 'city', label: 'City', available_if: { op: 'le', field: 'load', value: 100 } },
            { value: 'cargo', label: 'Cargo' },
          ],
        },
        {
          kind: 'field',
          slug: 'extras',
          field_type: 'multiselect',
          label: 'Extras',
          required: false,
          options: [
            { value: 'bell', label: 'A bell' },
            { value: 'lock', label: 'A lock' },
          ],
        },
        { kind: 'field', slug: 'paper', field_type: 'pdf_document', label: 'Proof of work', required: false },
      ],
    },
    {
      key: 'heavy',
      party: 'rider',
      title: 'A heavy load',
      elements: [
        { kind: 'text', body: 'You will carry {{ load }} kg, on a {{ colour }} bicycle.' },
        { kind: 'field', slug: 'goods', field_type: 'text', label: 'What will you carry?', required: true },
      ],
    },
    {
      key: 'decide',
      party: 'shop',
      title: 'Decision',
      elements: [{ kind: 'field', slug: 'price', field_type: 'decimal', label: 'Price', required: true }],
    },
  ],
  edges: [
    { from: 'wish', to: 'heavy', condition: { op: 'gt', field: 'load', value: 100 }, sort: 0 },
    { from: 'wish', to: 'decide', condition: null, sort: 1 },
    { from: 'heavy', to: 'decide', condition: null },
  ],
};

describe('flows in the browser', { skip }, () => {
  const { world, test } = browserTests();
  let service: TestService;
  let token: string;
  let flowId: string;
  before(async () => {
    if (skip) return;
    const { platform } = world();
    const company = await registerCompany(platform, 'Acme Bikes');
    service = await createService(platform, company);
    token = await dataToken(platform, service);
    flowId = await publishFlow(platform, service, order);
  });

  /** A person whose browser shows the flows, connected to the shop. */
  const rider = async (page: Page, email: string) => {
    const person = await personAt(world(), page, '/me/flows', email);
    // A device that chose the company knows its key from then on.
    const device = await PersonClient.login({ baseUrl: world().url, email, password: PASSWORD });
    const { connection_id: connectionId } = await device.connect(service.company.code, service.code, {});
    return { ...person, connectionId };
  };
  const start = ({ connectionId, id }: Awaited<ReturnType<typeof rider>>, flow = flowId) =>
    world().platform.must('POST', `/api/company-data/flows/${flow}/runs`, {
      token,
      body: {
        target: { connection_id: connectionId },
        bindings: { rider: id, shop: service.company.id },
      },
    });
  const read = (id: string) => world().platform.must('GET', `/api/company-data/flow-runs/${id}`, { token });
  const opened = async (id: string) => {
    const { answers } = await read(id);
    const entries = answers.map(async ({ slug, value }: { slug: string; value: string }) => [
      slug,
      value.startsWith('{"_enc_file"') ? 'file' : await service.open(value),
    ]);
    return Object.fromEntries(await Promise.all(entries));
  };

  test('an answer that does not fit says how it is written, as the form of a value does', async (visit) => {
    const field = (label: string, type: string) => ({
      kind: 'field' as const,
      slug: label.toLowerCase(),
      field_type: type,
      label,
      required: true,
    });
    const elements = [field('Anzahl', 'integer'), field('Preis', 'number'), field('Telefon', 'phone')];
    const flow = await publishFlow(world().platform, service, {
      ...order,
      name: 'Zahlen',
      nodes: [{ key: 'wish', party: 'rider', title: 'Zahlen', elements }, ...order.nodes.slice(2)],
      edges: [{ from: 'wish', to: 'decide', condition: null }],
    });
    const page = await visit({ locale: 'de-DE' });
    const { id } = await start(await rider(page, 'unfit@example.org'), flow);
    await page.goto(`/me/flows/${id}`);
    const step = page.getByRole('region', { name: 'Zahlen' });
    for (const [label, typed] of [
      ['Anzahl', 'viele'],
      ['Preis', 'viel'],
      ['Telefon', '1'],
    ] as const)
      await step.getByRole('textbox', { name: label }).fill(typed);
    await step.locator('button[type=submit]').click();
    const unfit = 'Das passt nicht. Prüfen Sie die Schreibweise.';
    for (const example of ['12', '12,5', '+49 30 901820'])
      await step
        .getByText(`${unfit} Schreiben Sie es zum Beispiel so: ${example}`, { exact: true })
        .waitFor();
    await checkPage(page);
    await page.goto('/me/fields?add=number');
    await page.getByRole('textbox').last().fill('viel');
    await page.getByRole('dialog').locator('button[type=submit]').click();
    await page.getByText('Schreiben Sie es zum Beispiel so: 12,5', { exact: true }).waitFor();
  });

  test('what was given reads as everywhere: of a card its last digits, and the whole to who asks for it', async (visit) => {
    const elements = [
      ['card', 'creditcard', 'Card'],
      ['day', 'date', 'First day'],
    ].map(([slug = '', field_type = '', label = '']) => ({
      kind: 'field' as const,
      slug,
      field_type,
      label,
      required: true,
    }));
    const flow = await publishFlow(world().platform, service, {
      ...order,
      name: 'Rent a bicycle',
      nodes: [
        { key: 'wish', party: 'rider', title: 'Payment', elements },
        {
          key: 'more',
          party: 'rider',
          title: 'More',
          elements: [{ kind: 'field', slug: 'goods', field_type: 'text', label: 'Goods', required: true }],
        },
        ...order.nodes.slice(2),
      ],
      edges: [
        { from: 'wish', to: 'more', condition: null },
        { from: 'more', to: 'decide', condition: null },
      ],
    });
    const page = await visit();
    const { id } = await start(await rider(page, 'card@example.org'), flow);
    await page.goto(`/me/flows/${id}`);
    const step = page.getByRole('region', { name: 'Payment' });
    const card = step.getByRole('group', { name: 'Card' });
    for (const [label, text] of [
      ['Number', '4242\u00a04242 4242-4242'],
      ['Expiry (MM/YY)', '09/31'],
      ['Card check number', '123'],
      ['Name', 'Ada Berg'],
    ] as const)
      await card.getByRole('textbox', { name: label, exact: true }).fill(text);
    await step.getByLabel('First day').fill('2020-02-03');
    await step.getByRole('button', { name: 'Send 2 answers' }).click();
    await page.getByRole('region', { name: 'More' }).waitFor();
    const given = page.getByRole('group', { name: 'Payment' });
    await given.getByText('2 answers given').click();
    await given.getByText('February 3, 2020').waitFor();
    await given.getByText('•••• 4242', { exact: true }).waitFor();
    assert.doesNotMatch(await given.innerText(), /123|4242424242424242/);
    await checkPage(page);
    await given.getByRole('button', { name: 'Show Card' }).click();
    await given.getByText('4242424242424242, 09/31, 123, Ada Berg').waitFor();
    await given.getByRole('button', { name: 'Hide Card' }).click();
    await given.getByText('•••• 4242', { exact: true }).waitFor();
  });

  test('a person answers step by step, goes on after closing the page, and sees how it ends', async (visit) => {
    const page = await visit({ phone: true });
    const person = await rider(page, 'rider@example.org');
    await page.getByText('Nothing to go through').waitFor();
    await checkPage(page);
    const field = { type: 'text', label: 'My colour', slug: 'colour', value: 'green' };
    await createField(world().platform, person, field);
    const { id } = await start(person);
    const row = page.getByRole('link', { name: /^Order a bicycle/ });
    await row.getByText('Your turn').waitFor();
    await page.getByRole('link', { name: 'Home 1 waiting' }).waitFor();
    await checkPage(page);
    await picture(page, 'flows');
    await row.click();
    const step = page.getByRole('region', { name: 'Your bicycle' });
    await step.getByText('(bikes.example)').waitFor();
    await step.getByText('Rider (you), Shop (Acme Bikes)').waitFor();
    await step.getByRole('button', { name: 'Go on' }).click();
    assert.equal(await step.getByText('This is needed.').count(), 3);
    await checkPage(page);

    await step.getByRole('combobox', { name: 'Take Colour from my data' }).click();
    await page.getByRole('option', { name: 'My colour' }).click();
    assert.equal(await step.getByLabel('Colour', { exact: true }).inputValue(), 'green');
    await step.getByLabel('Load in kg').fill('400');
    await step.getByText('This is too much.').waitFor();
    await step.getByLabel('Load in kg').fill('120');
    await step.getByRole('combobox', { name: 'Frame' }).click();
    // A city frame does not carry that much.
    assert.deepEqual(await page.getByRole('listbox').getByRole('option').allInnerTexts(), ['Cargo']);
    await page.getByRole('option', { name: 'Cargo' }).click();
    await step.getByRole('checkbox', { name: 'A bell' }).check();

    await page.getByText('Step 1 of about 2').waitFor();
    // What sends is in sight, wherever one reads.
    const sends = step.getByRole('button', { name: /^Send/ });
    await page.evaluate(() => scrollTo(0, 0));
    const { bottom, height } = await sends.evaluate((button) => ({
      bottom: button.getBoundingClientRect().bottom,
      height: innerHeight,
    }));
    assert.ok(bottom < height, `the button ends at ${bottom} of ${height}`);

    // The person leaves, and comes back to what was typed.
    await page.getByRole('link', { name: /^Home/ }).click();
    const waits = page.getByRole('region', { name: 'Waiting for you' });
    const further = waits.getByRole('link', { name: /^Acme Bikes asks for your answers: Order a bicycle/ });
    await further.getByText('Step 1 of about 2').waitFor();
    await further.click();
    assert.equal(await step.getByLabel('Load in kg').inputValue(), '120');
    // So does another device: the page shows the step again when the platform has it.
    const other = await visit();
    await other.goto(`/sign-in?next=${encodeURIComponent(`/me/flows/${id}`)}`);
    await typeSignIn(other, 'rider@example.org');
    assert.equal(await other.getByLabel('Load in kg').inputValue(), '120');
    assert.ok(await other.getByRole('checkbox', { name: 'A bell' }).isChecked());
    await other.close();
    const kept = await page.evaluate(() => JSON.stringify(localStorage));
    assert.ok(kept.includes('symbolon.draft') && !kept.includes('cargo'), 'what was typed is sealed');
    assert.ok(await step.getByRole('checkbox', { name: 'A bell' }).isChecked());
    const file = { name: 'work.pdf', mimeType: 'application/pdf', buffer: leasePdf() };
    await step.locator('input[type=file]').last().setInputFiles(file);
    await step.getByText('work.pdf').waitFor();
    await checkPage(page);
    await picture(page, 'flow-step');
    await step.getByRole('button', { name: 'Send 5 answers' }).click();

    const heavy = page.getByRole('region', { name: 'A heavy load' });
    await heavy.getByText('You will carry 120 kg, on a green bicycle.').waitFor();
    await page.getByText('Step 2 of about 2').waitFor();
    // What is given is folded away.
    const given = page.getByRole('group', { name: 'Your bicycle' });
    assert.equal(await given.getByText('A file').isVisible(), false);
    await given.getByText('5 answers given').click();
    await given.getByText('A file').waitFor();
    await checkPage(page);
    await heavy.getByLabel('What will you carry?', { exact: true }).fill('Books');
    await heavy.getByRole('button', { name: 'Send 1 answer' }).click();
    await page.getByText('It is the turn of: Shop').waitFor();
    await checkPage(page);
    assert.deepEqual(
      await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('symbolon.draft'))),
      [],
    );
    assert.deepEqual(await opened(id), {
      colour: 'green',
      load: '120',
      frame: 'cargo',
      extras: '["bell"]',
      paper: 'file',
      goods: 'Books',
    });
    const paper = `/api/company-data/flow-runs/${id}/slots/paper/file`;
    const { value } = await world().platform.must('GET', paper, { token });
    assert.match(await service.open(value), /"original_name":"work.pdf"/);

    const bindings = { rider: person.id, shop: service.company.id };
    await world().platform.must('POST', `/api/company-data/flow-runs/${id}/answers`, {
      token,
      body: await submitOf({ bindings }, { price: '990' }, leaf),
    });
    await page.getByText('Done. Acme Bikes has what it asked for.').waitFor();
    await checkPage(page);
  });

  test('by the keyboard alone, in German and in the dark; declining ends it for everybody', async (visit) => {
    const page = await visit({ colorScheme: 'dark', locale: 'de-DE' });
    await page.addInitScript(() => localStorage.setItem('symbolon.language', 'en'));
    const person = await rider(page, 'german@example.org');
    const { id } = await start(person);
    const other = await page.context().newPage();
    await other.addInitScript(() => localStorage.setItem('symbolon.language', 'de'));
    await other.goto(`/me/flows/${id}`);
    const step = other.getByRole('region', { name: 'Your bicycle' });
    await step.getByLabel('Colour').focus();
    const { keyboard } = other;
    await keyboard.type('blue');
    await keyboard.press('Tab');
    await keyboard.type('20');
    await keyboard.press('Tab');
    await keyboard.type('Ci');
    await other.getByRole('option', { name: 'City' }).waitFor();
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await checkPage(other);
    await step.getByLabel('Load in kg').focus();
    await keyboard.press('Enter');
    await other.getByText('An der Reihe ist: Shop').waitFor();
    assert.deepEqual(await opened(id), { colour: 'blue', load: '20', frame: 'city' });
    await checkPage(other);
    await other.getByRole('button', { name: 'Order a bicycle ablehnen' }).click();
    await other.getByText('Der ganze Ablauf endet').waitFor();
    await checkPage(other);
    await other.getByRole('button', { name: 'Order a bicycle ablehnen' }).click();
    await other.getByText('Abgebrochen. Es wird nichts mehr gefragt').waitFor();
    assert.equal((await read(id)).status, 'cancelled');
  });

  test('a party that was not there before gets nothing until the person has taken it', async (visit) => {
    const { platform } = world();
    const flow = await publishFlow(platform, service, {
      ...order,
      parties: [...order.parties, { key: 'mate', label: 'Mate' }],
      nodes: order.nodes.map((node) => (node.key === 'heavy' ? { ...node, party: 'mate' } : node)),
    });
    const page = await visit();
    const person = await rider(page, 'with-a-mate@example.org');
    const [mate, stranger] = await Promise.all([registerPerson(platform), registerPerson(platform)]);
    await connect(platform, mate, service);
    const { id } = await platform.must('POST', `/api/company-data/flows/${flow}/runs`, {
      token,
      body: {
        target: { connection_id: person.connectionId },
        bindings: { rider: person.id, mate: mate.id, shop: service.company.id },
      },
    });
    await page.goto(`/me/flows/${id}`);
    const step = page.getByRole('region', { name: 'Your bicycle' });
    await step.waitFor();
    // From now on the platform names somebody else as the mate.
    await page.route(`**/api/person/flow-runs/${id}`, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, body: (await answer.text()).replaceAll(mate.id, stranger.id) });
    });
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/answers')) sent.push(request.postData() ?? '');
    });
    await page.reload();
    await step.getByLabel('Colour').fill('green');
    await step.getByLabel('Load in kg').fill('20');
    await step.getByRole('combobox', { name: 'Frame' }).click();
    await page.getByRole('option', { name: 'City' }).click();
    await step.getByRole('button', { name: /^Send/ }).click();
    const alert = step.getByRole('alert').filter({ hasText: 'Others take part now' });
    await alert.getByText('these did not take part: Mate').waitFor();
    await checkPage(page);
    assert.equal(sent.length, 0);
    const sending = page.waitForRequest((request) => request.url().endsWith('/answers'));
    await alert.getByRole('button', { name: 'Share with them too' }).click();
    assert.ok((await sending).postData()?.includes(stranger.id));
    assert.equal(sent.length, 1);
  });

  test('plugins of a step are searched and compute with earlier answers, through the forwarder', async (visit) => {
    const { platform } = world();
    const { token: portal } = service.company;
    const asked = async (key: string, type: string, own: Pick<FlowPlugin, 'slug' | 'label'>) => {
      const path = `/api/account/plugins/builtin/${key}`;
      const { plugin } = (await platform.must('POST', path, { token: portal })) as { plugin: Plugin };
      const described = plugin.field_types.find((each) => each.key === type);
      assert.ok(described);
      const { label, blocks, inputs, outputs } = described;
      const snapshot = { plugin_name: plugin.name ?? key, host: key, label, blocks, inputs, outputs };
      const used = { plugin_id: plugin.id, field_type: type, snapshot };
      return { kind: 'plugin' as const, required: true, ...own, plugin: used };
    };
    const place = await asked('address_lookup', 'place', { slug: 'place', label: 'Where to?' });
    const sum = await asked('calculator', 'formula', { slug: 'sum', label: 'What it costs' });
    const parcels = {
      kind: 'field' as const,
      slug: 'parcels',
      field_type: 'integer',
      label: 'Parcels',
      required: true,
    };
    const flow = await publishFlow(platform, service, {
      ...order,
      name: 'Deliver parcels',
      entry: 'where',
      nodes: [
        { key: 'where', party: 'rider', title: 'Where to', elements: [parcels, place] },
        {
          key: 'cost',
          party: 'rider',
          title: 'The cost',
          elements: [
            { kind: 'text', body: 'To {{ place.country }}:' },
            { ...sum, plugin: { ...sum.plugin, inputs: { a: 'parcels' } } },
          ],
        },
        ...order.nodes.filter(({ key }) => key === 'decide'),
      ],
      edges: [
        { from: 'where', to: 'cost', condition: { op: 'eq', field: 'place.country_code', value: 'CH' } },
        { from: 'cost', to: 'decide', condition: null },
      ],
    });
    const page = await visit();
    const { id } = await start(await rider(page, 'plugins@example.org'), flow);
    await page.getByRole('link', { name: /^Deliver parcels/ }).click();
    const first = page.getByRole('region', { name: 'Where to' });
    await first.getByLabel('Parcels').fill('3');
    const where = first.getByRole('group', { name: 'Where to?' });
    await where.getByLabel('City or town').fill('zerma');
    await page.getByRole('option', { name: 'Zermatt, Valais, Switzerland' }).click();
    await where.getByText('Country: Switzerland').waitFor();
    await checkPage(page);
    await page.reload();
    await where.getByText('Country: Switzerland').waitFor();
    await first.getByRole('button', { name: 'Send 2 answers' }).click();
    const second = page.getByRole('region', { name: 'The cost' });
    await second.getByText('To Switzerland:').waitFor();
    await second.getByLabel(/^Formula/).fill('a * 2.5');
    await second.getByRole('button', { name: 'Go on' }).click();
    await second.getByText('This is needed.').waitFor();
    await second.getByRole('button', { name: 'Compute What it costs' }).click();
    await second.getByText('Result: 7.5').waitFor();
    await second.getByRole('button', { name: 'Send 1 answer' }).click();
    await page.getByText('It is the turn of: Shop').waitFor();
    const answers = await opened(id);
    assert.deepEqual(
      [answers.parcels, JSON.parse(answers.sum).outputs[0].value, JSON.parse(answers.place).outputs.length],
      ['3', 7.5, place.plugin.snapshot.outputs.length],
    );
  });
});
