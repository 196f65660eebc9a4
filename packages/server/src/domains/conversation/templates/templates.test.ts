import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits, type ReplyTemplate } from '@symbolon/protocol';
import { createService, registerCompany } from '@symbolon/testkit/actors/actors';
import { addDelegate } from '@symbolon/testkit/actors/portal-logins';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { refused } from '@symbolon/testkit/evidence/refusals';
import { onEachEngine } from '@symbolon/testkit/platform/platform';

onEachEngine('texts that staff sends again', (platform) => {
  const setUp = async () => {
    const company = await registerCompany(platform());
    const service = await createService(platform(), company);
    const at = `/api/services/${service.id}/reply-templates`;
    const list = async (token = company.token): Promise<ReplyTemplate[]> =>
      (await platform().must('GET', at, { token })).templates;
    return { company, service, at, list };
  };

  test('are kept by name, changed and deleted by whoever answers', async () => {
    const { company, at, list } = await setUp();
    const { token } = await addDelegate(platform(), company, 'support');
    const late = await platform().must('POST', at, {
      token,
      body: { name: 'Late', body: 'Dear {name}, we are late.' },
    });
    await platform().must('POST', at, { token, body: { name: 'Closed', body: 'We are closed.' } });
    assert.deepEqual(
      (await list()).map(({ name, body }) => [name, body]),
      [
        ['Closed', 'We are closed.'],
        ['Late', 'Dear {name}, we are late.'],
      ],
    );
    platform().clock.advance(1000);
    const changed = await platform().must('PUT', `${at}/${late.id}`, {
      token,
      body: { name: 'A delay', body: 'Sorry.' },
    });
    assert.deepEqual([changed.id, Date.parse(changed.updated_at)], [late.id, platform().clock.now()]);
    assert.deepEqual(
      (await list()).map(({ name }) => name),
      ['A delay', 'Closed'],
    );
    await platform().must('DELETE', `${at}/${late.id}`, { token });
    assert.deepEqual(
      (await list()).map(({ name }) => name),
      ['Closed'],
    );
    proves(
      'route:GET /api/services/{id}/reply-templates',
      'route:POST /api/services/{id}/reply-templates',
      'route:PUT /api/services/{id}/reply-templates/{templateId}',
      'route:DELETE /api/services/{id}/reply-templates/{templateId}',
    );
  });

  test('are of one service, and are not changed by who only views or by others', async () => {
    const { company, at, list } = await setUp();
    const body = { name: 'Closed', body: 'We are closed.' };
    const { id } = await platform().must('POST', at, { token: company.token, body });
    const stranger = await registerCompany(platform());
    const viewer = await addDelegate(platform(), company, 'viewer');
    const other = await createService(platform(), company);
    const missing = [404, 'messages.template_not_found'] as const;
    const elsewhere = `/api/services/${other.id}/reply-templates/${id}`;
    await refused(platform(), [404, 'services.not_found'], 'GET', at, { token: stranger.token });
    await refused(platform(), [404, 'services.not_found'], 'POST', at, { token: stranger.token, body });
    for (const [path, token] of [
      [`${at}/${id}`, stranger.token],
      [elsewhere, company.token],
    ] as const) {
      await refused(platform(), missing, 'PUT', path, { token, body });
      await refused(platform(), missing, 'DELETE', path, { token });
    }
    await refused(platform(), [403, 'auth.role_forbidden'], 'POST', at, { token: viewer.token, body });
    for (const wrong of [
      { ...body, name: ' ' },
      { ...body, name: 'x'.repeat(limits.replyTemplateNameMost + 1) },
      { ...body, body: 'x'.repeat(limits.replyTemplateTextMost + 1) },
      { ...body, more: 1 },
    ])
      await refused(platform(), [400, 'request.invalid'], 'POST', at, { token: company.token, body: wrong });
    assert.deepEqual(
      (await list(viewer.token)).map((each) => [each.id, each.name]),
      [[id, 'Closed']],
    );
    proves('error:messages.template_not_found', 'limit:replyTemplateNameMost', 'limit:replyTemplateTextMost');
  });

  test('are a hundred at most, also when they come at once', async () => {
    const { company, at, list } = await setUp();
    const add = (number: number) =>
      platform().call('POST', at, { token: company.token, body: { name: `t${number}`, body: 'x' } });
    for (let number = 5; number < limits.replyTemplatesMost; number++)
      assert.equal((await add(number)).status, 201);
    const answers = await Promise.all(Array.from({ length: 10 }, (_, number) => add(number)));
    const refusals = answers.filter(({ status }) => status !== 201);
    assert.deepEqual(
      refusals.map(({ body }) => body.error_key),
      Array(5).fill('messages.templates_limit'),
    );
    assert.equal((await list()).length, limits.replyTemplatesMost);
    proves('error:messages.templates_limit', 'limit:replyTemplatesMost');
  });
});
