import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { FlowDefinition, PluginSnapshot } from '@symbolon/protocol';
import { openSealed, sealed, type TestCompany, type TestService } from '@symbolon/testkit/actors/actors';
import { connectCompany, createCustomer } from '@symbolon/testkit/actors/customers';
import { leaf, publishFlow, submitOf, to } from '@symbolon/testkit/actors/flow-runs';
import { connectedPerson, openShop } from '@symbolon/testkit/actors/scenes';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { onPlatform } from '@symbolon/testkit/platform/platform';
import { LOOPBACK_PLUGINS, TestPlugin } from '@symbolon/testkit/servers/plugin-server';
import { Passes } from '../../plugins/index.ts';

/** A customer, then the company: each has a plugin in its step and may answer with a file. */
function eachInTurn(plugin_id: string, snapshot: PluginSnapshot): FlowDefinition {
  const step = (key: string, party: string) => ({
    key,
    party,
    title: key,
    elements: [
      {
        kind: 'plugin' as const,
        slug: `${key}_street`,
        label: 'Street',
        required: false,
        plugin: { plugin_id, field_type: 'street', snapshot },
      },
      {
        kind: 'field' as const,
        slug: `${key}_paper`,
        field_type: 'pdf_document',
        label: 'Paper',
        required: false,
      },
    ],
  });
  return {
    name: 'Each in turn',
    output_mode: 'data_only',
    entry: 'tell',
    parties: [
      { key: 'client', label: 'Client' },
      { key: 'owner', label: 'Company', type: 'owner' },
    ],
    nodes: [step('tell', 'client'), step('look', 'owner')],
    edges: [{ from: 'tell', to: 'look', condition: null }],
  };
}

onPlatform(
  'the ways to a run',
  (platform) => {
    let server: TestPlugin;
    let company: TestCompany;
    let service: TestService;
    let token: string;
    let pluginId: string;
    let flowId: string;
    before(async () => {
      server = await TestPlugin.start();
      ({ company, service, token } = await openShop(platform()));
      const { plugin, pass } = await must('POST', '/api/account/plugins', company.token, {
        base_url: server.base,
      });
      await platform().must('POST', '/forwarder/registry', { body: { pass } });
      pluginId = plugin.id;
      const [street] = server.manifest.field_types ?? [];
      assert.ok(street);
      const { label, blocks, inputs, outputs } = street;
      const definition = eachInTurn(pluginId, { label, blocks, inputs, outputs });
      flowId = await publishFlow(platform(), service, definition);
    });
    after(() => server.stop());
    const call = (method: string, path: string, as: string, body?: unknown) =>
      platform().call(method, path, { token: as, ...(body === undefined ? {} : { body }) });
    const must = (method: string, path: string, as: string, body?: unknown) =>
      platform().must(method, path, { token: as, ...(body === undefined ? {} : { body }) });
    const start = (connection_id: string, client: string) =>
      must('POST', `/api/company-data/flows/${flowId}/runs`, token, {
        target: { connection_id },
        bindings: { client, owner: company.id },
      });

    /** Asks for a pass: it is for the plugin of one step, and counts the calls of a customer. */
    async function checkPass(run: string, as: string, slug: string, customerId?: string): Promise<void> {
      const { status, body, text } = await call('POST', `${run}/plugin-pass`, as);
      assert.equal(status, 200, text);
      assert.deepEqual(Object.keys(body.specs), [slug]);
      const { plugin_id, field_type } = body.specs[slug];
      assert.deepEqual([plugin_id, field_type], [pluginId, 'street']);
      assert.deepEqual(
        body.plugins.map(({ id }: { id: string }) => id),
        [pluginId],
      );
      const { clock, ids, secrets } = platform().context;
      const passes = new Passes({ clock, ids, keys: secrets.keys });
      const opened = passes.open('call', body.pass);
      assert.equal(opened?.company_id, company.id);
      assert.equal(opened?.caller, customerId && passes.callerOf(company.id, customerId));
    }

    /** Uploads a file for each of the parties; gives the answer that names them. */
    async function fileFor(run: string, as: string, slug: string, users: readonly string[]) {
      const values = users.map(async (user) => {
        const upload = { slug, for_user_id: user, value: await sealed(`${slug} for ${user}`) };
        const { status, body, text } = await call('POST', `${run}/answer-files`, as, upload);
        assert.equal(status, 201, text);
        return { for_user_id: user, value: { _enc_file: body.file as string } };
      });
      return { slug, values: await Promise.all(values) };
    }

    test('the company asks plugins and answers with a file, as a program and in the portal', async () => {
      const ways = [
        ['/api/company-data/flow-runs', token],
        [`/api/services/${service.id}/flows/${flowId}/runs`, company.token],
      ] as const;
      const { person, connectionId } = await connectedPerson(platform(), service);
      for (const [base, as] of ways) {
        const run = await start(connectionId, person.id);
        const path = `${base}/${run.id}`;
        const own = `/api/person/flow-runs/${run.id}`;
        for (const early of [
          await call('POST', `${path}/plugin-pass`, as),
          await call('POST', `${path}/answer-files`, as, {
            slug: 'look_paper',
            for_user_id: person.id,
            value: await sealed('x'),
          }),
        ])
          assert.deepEqual([early.status, early.body.error_key], [409, 'flows.not_your_turn']);
        await checkPass(own, person.token, 'tell_street', person.id);
        proves('route:POST /api/person/flow-runs/{runId}/plugin-pass');
        await must('POST', `${own}/answers`, person.token, await submitOf(run, {}, to('look', 'owner')));

        await checkPass(path, as, 'look_street');
        const answer = await fileFor(path, as, 'look_paper', [company.id, person.id]);
        const answered = await call('POST', `${path}/answers`, as, { answers: [answer], ...leaf });
        proves('route:POST /api/company-data/flow-runs/{runId}/answers');
        assert.deepEqual([answered.status, answered.body.status], [200, 'completed'], answered.text);
        const kept = await call('GET', `${path}/slots/look_paper/file`, as);
        proves(
          'route:POST /api/company-data/flow-runs/{runId}/answer-files',
          'route:POST /api/services/{id}/flows/{flowId}/runs/{runId}/answer-files',
          'route:POST /api/services/{id}/flows/{flowId}/runs/{runId}/plugin-pass',
          'route:POST /api/company-data/flow-runs/{runId}/plugin-pass',
        );
        assert.equal(await openSealed(kept.body.value), `look_paper for ${company.id}`);
        const theirs = answer.values.find(({ for_user_id }) => for_user_id === person.id);
        const read = await call('GET', `${own}/answer-files/${theirs?.value._enc_file}`, person.token);
        assert.equal(await openSealed(read.body), `look_paper for ${person.id}`);
      }
    });

    test('a company as a customer asks plugins, answers with a file, and declines', async () => {
      const customer = await createCustomer(platform());
      const { id: groupId, linkId } = await connectCompany(platform(), customer, service);
      const { id: customerId } = customer.company;
      for (const as of [customer.token, customer.company.token]) {
        const run = await start(linkId, customerId);
        const path = `/api/company-connections/${groupId}/flow-runs/${run.id}`;
        await checkPass(path, as, 'tell_street', customerId);
        const answer = await fileFor(path, as, 'tell_paper', [company.id, customerId]);
        const submit = { answers: [answer], ...to('look', 'owner') };
        const answered = await call('POST', `${path}/answers`, as, submit);
        proves('route:POST /api/company-connections/{id}/flow-runs/{runId}/answers');
        assert.deepEqual([answered.status, answered.body.status], [200, 'awaiting_owner'], answered.text);
        const [forOwner, forCustomer] = answer.values.map(({ value }) => value._enc_file);
        const read = await call('GET', `${path}/answer-files/${forCustomer}`, as);
        proves(
          'route:GET /api/company-connections/{id}/flow-runs/{runId}/answer-files/{file}',
          'route:POST /api/company-connections/{id}/flow-runs/{runId}/plugin-pass',
          'route:POST /api/company-connections/{id}/flow-runs/{runId}/answer-files',
        );
        assert.equal(await openSealed(read.body), `tell_paper for ${customerId}`);
        assert.equal((await call('GET', `${path}/answer-files/${forOwner}`, as)).status, 404);

        const declined = await call('POST', `${path}/decline`, as);
        proves('route:POST /api/company-connections/{id}/flow-runs/{runId}/decline');
        assert.deepEqual(
          [declined.status, declined.body.id, declined.body.status],
          [200, run.id, 'cancelled'],
          declined.text,
        );
        const { status } = await must('GET', `/api/company-data/flow-runs/${run.id}`, token);
        assert.equal(status, 'cancelled');
      }
    });
  },
  LOOPBACK_PLUGINS,
);
