import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
  createField,
  openSealed,
  registerCompany,
  registerPerson,
  sealed,
  type TestCompany,
  type TestPerson,
} from '@symbolon/testkit/actors/actors';
import { createApp, decide, opened, openRequest, type TestApp, told } from '@symbolon/testkit/actors/consent';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { onPlatform, type TestPlatform } from '@symbolon/testkit/platform/platform';
import { withRegions } from '@symbolon/testkit/platform/regions';
import { PluginCaller } from '@symbolon/testkit/servers/plugin-server';

/** The platform's calculator, as a plugin of a company. */
const calculatorOf = async (platform: TestPlatform, { token }: TestCompany) => {
  const { plugin } = await platform.must('POST', '/api/account/plugins/builtin/calculator', { token });
  return plugin;
};
const claimsWith = (plugin_id: string, more: object = {}) =>
  JSON.stringify([
    { name: 'sum', type: 'plugin', required: true, plugin: { plugin_id, field_type: 'formula' }, ...more },
  ]);

onPlatform('claims that plugins answer', (platform) => {
  let company: TestCompany;
  let person: TestPerson;
  let app: TestApp;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  let plugin: any;
  before(async () => {
    company = await registerCompany(platform());
    person = await registerPerson(platform());
    app = await createApp(platform(), company);
    plugin = await calculatorOf(platform(), company);
  });
  const pass = (who: TestPerson, body: object) =>
    platform().call('POST', '/api/person/plugin-pass', { token: who.token, body });

  test('the page shows what the plugin asks, the person calls it, and the app gets the sealed answer', async () => {
    const parameters = { mode: 'one_time', claims: claimsWith(plugin.id), state: 'a state' };
    const request = await opened(platform(), app, parameters);
    const [type] = plugin.field_types;
    const snapshot = {
      plugin_name: 'Calculator',
      host: '',
      label: type.label,
      blocks: type.blocks,
      inputs: type.inputs,
      outputs: type.outputs,
    };
    const named = { plugin_id: plugin.id, plugin_name: 'Calculator', field_type: 'formula', snapshot };
    assert.deepEqual((request as { claims?: { plugin: unknown }[] }).claims?.[0]?.plugin, named);

    const codes = { client_id: app.id, state: 'a state' };
    assert.equal((await pass(person, codes)).body.error_key, 'oauth.request_not_found');
    await decide(platform(), person, 'begin', request);
    const mine = await pass(person, codes);
    assert.equal(mine.status, 200, mine.text);
    const { plugin_name: _, ...spec } = named;
    assert.deepEqual(mine.body.specs, { sum: { ...spec, inputs: {} } });
    for (const other of [{ state: 'another' }, { state: undefined }, { client_id: 'nobody' }])
      assert.equal((await pass(person, { ...codes, ...other })).body.error_key, 'oauth.request_not_found');
    const stranger = await registerPerson(platform());
    assert.equal((await pass(stranger, codes)).body.error_key, 'oauth.request_not_found');
    assert.equal(
      (await pass(person, { ...codes, company_code: company.code })).body.error_key,
      'plugins.pass_request_invalid',
    );

    const caller = await PluginCaller.create();
    const asked = { op: 'outputs', field_type: 'formula', values: { formula: '6 * 7' } } as const;
    const reply = await platform().must('POST', '/forwarder/call', {
      body: await caller.bodyOf(mine.body, mine.body.plugins[0], asked),
    });
    const { outputs } = await caller.open(reply.reply);
    assert.deepEqual(outputs, { result: 42 });
    const answer = JSON.stringify({ plugin: 'Calculator', type: 'formula', blocks: [], outputs });
    const field_id = await createField(platform(), person, { type: 'text', slug: 'note', value: answer });
    const wrapper = await sealed(answer);
    const byField = await decide(platform(), person, 'approve', request, {
      claims: [{ name: 'sum', field_id, wrapper }],
    });
    assert.equal(byField.body.error_key, 'contact_data.type_mismatch');
    const approved = await decide(platform(), person, 'approve', request, {
      claims: [{ name: 'sum', wrapper }],
    });
    assert.equal(approved.status, 200, approved.text);
    const row = await platform()
      .context.database.reader.selectFrom('sign_ins')
      .select('claims')
      .where('client_id', '=', app.id)
      .executeTakeFirstOrThrow();
    assert.equal(await openSealed(JSON.parse(row.claims).sum), answer);
    assert.equal((await pass(person, codes)).body.error_key, 'oauth.request_not_found');
  });

  test('a claim that no plugin can answer is refused', async () => {
    const other = await calculatorOf(platform(), await registerCompany(platform()));
    const { id: plugin_id } = plugin;
    const many = Array.from({ length: 15 }, (_, index) => ({
      name: `sum ${index}`,
      type: 'plugin',
      plugin: { plugin_id, field_type: 'formula' },
    }));
    for (const claims of [
      claimsWith(other.id),
      claimsWith('nothing'),
      claimsWith(plugin_id, { plugin: { plugin_id, field_type: 'other' } }),
      claimsWith(plugin_id, { plugin: undefined }),
      claimsWith(plugin_id, { plugin: null }),
      claimsWith(plugin_id, { type: 'text' }),
      claimsWith(plugin_id, { verified: true }),
    ]) {
      const answer = await openRequest(platform(), app, { mode: 'one_time', claims });
      assert.equal(told(answer.body.redirect_to).error, 'invalid_request', claims);
    }
    const fits = await openRequest(platform(), app, { mode: 'one_time', claims: JSON.stringify(many) });
    assert.ok(fits.body.request_id, fits.text);
    // A request travels with what the plugins say.
    const wordy = plugin.field_types.map((type: { blocks: object[] }) => ({
      ...type,
      blocks: Array.from({ length: 50 }, (_, index) => ({
        ...type.blocks[0],
        key: `block_${index}`,
        label: 'x'.repeat(100),
      })),
    }));
    const { database } = platform().context;
    const write = (field_types: string) =>
      database.write((writer) =>
        writer.updateTable('plugins').set({ field_types }).where('id', '=', plugin_id).execute(),
      );
    await write(JSON.stringify(wordy));
    const long = await openRequest(platform(), app, { mode: 'one_time', claims: JSON.stringify(many) });
    await write(JSON.stringify(plugin.field_types));
    assert.match(told(long.body.redirect_to).error_description ?? '', /describe too much/);
  });

  test('a plugin stays as long as a claim of it can be answered', async () => {
    const another = await registerCompany(platform());
    const { id } = await calculatorOf(platform(), another);
    const itsApp = await createApp(platform(), another);
    const parameters = {
      mode: 'one_time',
      claims: claimsWith(id),
      response_mode: 'detached',
      state: 'x'.repeat(20),
    };
    const request = await opened(platform(), itsApp, parameters);
    const remove = () => platform().call('DELETE', `/api/account/plugins/${id}`, { token: another.token });
    const refused = await remove();
    assert.deepEqual(
      [refused.body.error_key, refused.body.in_use],
      ['plugins.in_use', [{ kind: 'claim', id: itsApp.id, name: 'sum', service_id: null }]],
    );
    const codes = { client_id: itsApp.id, state: parameters.state };
    assert.equal((await pass(person, codes)).body.error_key, 'oauth.request_not_found');
    await decide(platform(), person, 'begin', request);
    assert.equal((await pass(person, codes)).status, 200);
    await decide(platform(), person, 'refuse', request);
    assert.equal((await remove()).status, 204);
    proves('error:plugins.in_use');
  });
});

withRegions('plugin claims of an app of another region', ['eu', 'us'], (regions) => {
  test('the pass is made where the request is', async () => {
    const [eu, us] = [regions().region('eu'), regions().region('us')];
    const company = await registerCompany(us, 'There');
    const app = await createApp(us, company);
    const { id } = await calculatorOf(us, company);
    await regions().settle();
    const person = await registerPerson(eu);
    const request = await opened(us, app, { mode: 'one_time', claims: claimsWith(id), state: 's' });
    await decide(eu, person, 'begin', request);
    const ask = (state: string) =>
      eu.call('POST', '/api/person/plugin-pass', {
        token: person.token,
        body: { client_id: app.id, state },
      });
    const pass = await ask('s');
    assert.equal(pass.status, 200, pass.text);
    proves('route:POST /api/person/plugin-pass');
    assert.equal(pass.body.specs.sum.plugin_id, id);
    assert.equal((await ask('t')).body.error_key, 'oauth.request_not_found');
  });
});
