import assert from 'node:assert/strict';
import { test } from 'node:test';
import { capabilities } from '@symbolon/protocol';
import {
  connect,
  createAccountClient,
  createField,
  createService,
  dataToken,
  registerCompany,
  registerPerson,
} from '@symbolon/testkit/actors/actors';
import { onPlatform } from '@symbolon/testkit/platform/platform';
import { TABLE } from './access-table.ts';

/*
 * What a caller does not own does not exist for it (wire 5.4): every route that takes an id is called with ids that are real, and
 * another's. Whoever asks learns no more than of ids that nothing has.
 */

/** Routes that take a file look at its type before all else. */
const FILES: Readonly<Record<string, { readonly headers: Record<string, string>; readonly body: Buffer }>> = {
  'PUT /api/services/{id}/flows/{flowId}/assets/{key}': {
    headers: { 'content-type': 'application/pdf' },
    body: Buffer.from('%PDF-1.4'),
  },
  'POST /api/services/{id}/flows/import': {
    headers: { 'content-type': 'application/zip' },
    body: Buffer.from('PK'),
  },
};

onPlatform('ids of others', (platform) => {
  test('are the ids of nothing', async () => {
    const company = await registerCompany(platform());
    const service = await createService(platform(), company, [{ slug: 'name', label: 'Name', type: 'text' }]);
    const own = { token: company.token };
    const { id: webhookId } = await platform().must('POST', `/api/services/${service.id}/webhooks`, {
      ...own,
      body: { url: 'https://hooks.example.com/', format: 'json', auth_type: 'none' },
    });
    const person = await registerPerson(platform());
    const fieldId = await createField(platform(), person, { type: 'text', slug: 'name', value: 'Ada' });
    const connectionId = await connect(platform(), person, service, {
      name: { field: fieldId, value: 'Ada' },
    });
    const { client_id: clientId } = await platform().must('POST', '/api/account/clients', {
      ...own,
      body: { name: 'Automation', capabilities: [] },
    });
    const [session] = (await platform().must('GET', '/api/account/sessions', own)).items;
    const { id: fieldOfCompany } = await platform().must('POST', '/api/contact-fields', {
      ...own,
      body: { type: 'text', slug: 'motto', label: 'Motto' },
    });

    const stranger = await registerCompany(platform());
    const strangersService = await createService(platform(), stranger);
    const passerBy = await registerPerson(platform());
    const callers = {
      portal: stranger.token,
      'account client': (await createAccountClient(platform(), stranger, capabilities)).token,
      'data client': await dataToken(platform(), strangersService),
      person: passerBy.token,
    };
    const ids: readonly (readonly [prefix: string, id: string])[] = [
      ['/api/services/', service.id],
      ['/api/account/clients/', clientId],
      ['/api/account/sessions/', session.id],
      ['/api/contact-fields/', fieldOfCompany],
      ['/api/person/fields/', fieldId],
      ['/api/person/connections/', connectionId],
      ['/api/company-data/connections/', connectionId],
      ['/api/company-connections/', connectionId],
    ];
    /** What routes ask for by their query: ids that are real, too. */
    const queries: Readonly<Record<string, string>> = {
      'GET /api/services/{id}/customers': `?ids=${connectionId}`,
    };
    let met = 0;
    for (const route of Object.keys(TABLE)) {
      const [method = '', pattern = ''] = route.split(' ');
      const [, id] = ids.find(([prefix]) => pattern.startsWith(`${prefix}{`)) ?? [];
      if (id === undefined) continue;
      const address = pattern
        .replace('{webhookId}', webhookId)
        .replace('{version}', '1')
        .replace(/\{\w+\}/g, id);
      const path = `${address}${queries[route] ?? ''}`;
      for (const [caller, token] of Object.entries(callers)) {
        const sent = { token, ...FILES[route] };
        const answer = await platform().call(method, path, sent);
        const told = `${route} as a stranger’s ${caller}: ${answer.status} ${answer.text}`;
        if (answer.status === 403) continue;
        met++;
        // What is asked for is looked at first where a body is needed.
        const allowed = method === 'GET' || method === 'DELETE' ? [404] : [400, 404];
        assert.ok(allowed.includes(answer.status), told);
        const nothing = await platform().call(method, path.replaceAll(id, stranger.id), sent);
        assert.deepEqual(nothing.body, answer.body, told);
      }
    }
    assert.ok(met > 60, `${met} calls were let in`);

    // All of it stands as it stood.
    const [read, fields] = await Promise.all([
      platform().must('GET', `/api/services/${service.id}`, own),
      platform().must('GET', '/api/person/fields', { token: person.token }),
    ]);
    assert.equal(read.id, service.id);
    assert.equal(fields.fields.length, 1);
    await platform().must('GET', `/api/services/${service.id}/webhooks/${webhookId}`, own);
    await platform().must('GET', `/api/person/connections/${connectionId}`, { token: person.token });
  });
});
