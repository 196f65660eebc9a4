import assert from 'node:assert/strict';
import { test } from 'node:test';
import { capabilities } from '@symbolon/protocol';
import { createAccountClient, openSealed, registerCompany, sealed } from '@symbolon/testkit/actors/actors';
import { digestOf, signBy } from '@symbolon/testkit/actors/contracts';
import { leasePdf } from '@symbolon/testkit/actors/files';
import { addPasskey } from '@symbolon/testkit/actors/passkeys';
import { addDelegate } from '@symbolon/testkit/actors/portal-logins';
import { connectedPerson, openShopWithCustomer } from '@symbolon/testkit/actors/scenes';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { refusalOf } from '@symbolon/testkit/platform/calls';
import { onEachEngine } from '@symbolon/testkit/platform/platform';

onEachEngine('documents by the staff of a company', (platform) => {
  const stand = async () => {
    const shop = await openShopWithCustomer(platform());
    const all = `/api/services/${shop.service.id}/documents`;
    const target = { connection_id: shop.connectionId };
    const contract = {
      ...{ kind: 'agreement', name: 'Lease', payload_kind: 'file', requires_signature: true, target },
      metadata: { valid_until: '2031-02-03' },
    };
    const by =
      (token: string) =>
      (method: string, path = '', body?: object) =>
        platform().call(method, `${all}${path}`, { token, ...(body && { body }) });
    return { ...shop, all, contract, by, staff: by(shop.company.token) };
  };

  test('are issued with their file, read as the backend reads them, changed and deleted', async () => {
    const { contract, staff, token, company, person } = await stand();
    const made = await staff('POST', '', { ...contract, plain_sha256: 'a'.repeat(64) });
    assert.deepEqual([made.status, made.body.status], [201, 'ready_to_sign'], made.text);
    proves('route:POST /api/services/{id}/documents');
    const { id } = made.body;
    const uploaded = await staff('POST', `/${id}/file`, { value: await sealed('envelope') });
    assert.deepEqual([uploaded.status, uploaded.body.value], [200, { _enc_file: 'Lease' }]);
    proves('route:POST /api/services/{id}/documents/{documentId}/file');

    const read = await staff('GET', `/${id}`);
    const data = (path: string) => platform().must('GET', `/api/company-data/documents${path}`, { token });
    assert.deepEqual(read.body, await data(`/${id}`));
    assert.deepEqual(read.body, uploaded.body);
    proves('route:GET /api/services/{id}/documents/{documentId}');
    const file = await staff('GET', `/${id}/file`);
    assert.deepEqual(file.body, await data(`/${id}/file`));
    assert.equal(await openSealed(file.body.value), 'envelope');
    proves('route:GET /api/services/{id}/documents/{documentId}/file');
    const own = await platform().must('GET', `/api/person/documents/${id}`, { token: person.token });
    assert.deepEqual([own.name, own.status], ['Lease', 'ready_to_sign']);

    const changed = await staff('PUT', `/${id}`, { name: 'Lease of a bicycle' });
    assert.deepEqual([changed.status, changed.body.name], [200, 'Lease of a bicycle']);
    proves('route:PUT /api/services/{id}/documents/{documentId}');
    const deleted = await staff('DELETE', `/${id}`);
    assert.equal(deleted.status, 204);
    proves('route:DELETE /api/services/{id}/documents/{documentId}');
    assert.deepEqual(await refusalOf(staff('GET', `/${id}`)), [404, 'documents.not_found']);

    const log = await platform().must('GET', '/api/account/audit-log', { token: company.token });
    const acts = log.items.filter(({ target }: { target: string }) => target === id);
    assert.deepEqual(
      acts.map(({ action }: { action: string }) => action),
      ['document.deleted', 'document.updated', 'document.file_uploaded', 'document.issued'],
    );
    assert.equal(acts[0].actor.kind, 'portal');
  });

  test('are listed newest first, by state and by customer', async () => {
    const { contract, staff, service, person } = await stand();
    const other = await connectedPerson(platform(), service);
    const issue = async (more: object) => (await staff('POST', '', { ...contract, ...more })).body.id;
    const first = await issue({});
    const plain = await issue({
      ...{ kind: 'document', requires_signature: false },
      target: { connection_id: other.connectionId },
    });
    const list = async (query: string) => {
      const { status, body } = await staff('GET', query);
      assert.equal(status, 200);
      return [body.total, body.items.map(({ id }: { id: string }) => id)];
    };
    assert.deepEqual(await list(''), [2, [plain, first]]);
    proves('route:GET /api/services/{id}/documents');
    assert.deepEqual(await list('?status=ready_to_sign'), [1, [first]]);
    assert.deepEqual(await list(`?person_user_id=${other.person.id}`), [1, [plain]]);
    assert.deepEqual(await list(`?person_user_id=${person.id}&status=active`), [0, []]);
    assert.deepEqual(await list('?limit=1&offset=1'), [2, [first]]);
    assert.deepEqual(await refusalOf(staff('GET', '?status=lost')), [400, 'request.invalid']);
  });

  test('show what the customer signed, and nobody of the company signs for it', async () => {
    const { contract, staff, person, all, company } = await stand();
    const pdf = leasePdf();
    const digest = digestOf(pdf);
    const { id } = (await staff('POST', '', { ...contract, plain_sha256: digest })).body;
    await staff('POST', `/${id}/file`, { value: await sealed('envelope'), plain_sha256: digest });
    assert.deepEqual(await refusalOf(staff('GET', `/${id}/sealed-file`)), [404, 'documents.not_sealed']);
    for (const act of ['sign', 'accept', 'cancel']) {
      const refused = await platform().call('POST', `${all}/${id}/${act}`, { token: company.token });
      assert.equal(refused.status, 404);
    }
    const { authenticator } = await addPasskey(platform(), person);
    const signed = await signBy(platform(), person, { id, pdf, digest }, authenticator);
    assert.equal(signed.status, 200, signed.text);
    const { status, signatures } = (await staff('GET', `/${id}`)).body;
    assert.deepEqual([status, signatures[0].action], ['active', 'signed']);
    const copy = await staff('GET', `/${id}/sealed-file`);
    assert.deepEqual([copy.status, copy.body.encrypted], [200, true]);
    proves('route:GET /api/services/{id}/documents/{documentId}/sealed-file');
    assert.deepEqual(await refusalOf(staff('PUT', `/${id}`, { status: 'ended' })), [
      409,
      'documents.contract_immutable',
    ]);
  });

  test('are read by every role, and written from developers on', async () => {
    const { contract, by, company, all } = await stand();
    const { id } = (await by(company.token)('POST', '', contract)).body;
    for (const role of ['viewer', 'support'] as const) {
      const login = by((await addDelegate(platform(), company, role)).token);
      assert.equal((await login('GET')).body.total, 1);
      assert.equal((await login('GET', `/${id}`)).status, 200);
      const writes = [
        login('POST', '', contract),
        login('POST', `/${id}/file`, { value: await sealed('envelope') }),
        login('PUT', `/${id}`, { name: 'Mine' }),
        login('DELETE', `/${id}`),
      ];
      for (const write of writes) assert.deepEqual(await refusalOf(write), [403, 'auth.role_forbidden']);
    }
    const developer = by((await addDelegate(platform(), company, 'developer')).token);
    assert.equal((await developer('POST', '', contract)).status, 201);
    const machine = await createAccountClient(platform(), company, capabilities);
    const refused = await platform().call('GET', all, { token: machine.token });
    assert.deepEqual([refused.status, refused.body.error_key], [403, 'auth.client_endpoint_forbidden']);
    const { items } = (await by(company.token)('GET')).body;
    assert.deepEqual(
      items.map(({ name }: { name: string }) => name),
      ['Lease', 'Lease'],
    );
  });

  test('of another company are not there, and a wrong body changes nothing', async () => {
    const { contract, by, staff, all, service } = await stand();
    const { id } = (await staff('POST', '', contract)).body;
    const stranger = await registerCompany(platform());
    const foreign = by(stranger.token);
    const calls = [
      foreign('GET'),
      foreign('POST', '', contract),
      foreign('GET', `/${id}`),
      foreign('GET', `/${id}/file`),
      foreign('GET', `/${id}/sealed-file`),
      foreign('POST', `/${id}/file`, { value: await sealed('other') }),
      foreign('PUT', `/${id}`, { name: 'Mine' }),
      foreign('DELETE', `/${id}`),
    ];
    for (const call of calls) assert.deepEqual(await refusalOf(call), [404, 'services.not_found']);
    assert.ok(all.includes(service.id));

    for (const [body, refusal] of [
      [{ ...contract, kind: 'gift' }, [400, 'request.invalid']],
      [{ ...contract, target: null }, [400, 'documents.contract_requires_person']],
      [{ ...contract, target: { connection_id: id } }, [404, 'company_data.connection_not_found']],
      [{ ...contract, payload_kind: 'json', value: 'plain' }, [400, 'contact_data.encryption_required']],
    ] as const)
      assert.deepEqual(await refusalOf(staff('POST', '', body)), refusal);
    assert.deepEqual(await refusalOf(staff('POST', `/${id}/file`, { value: 'plain' })), [
      400,
      'contact_data.encryption_required',
    ]);
    const { total, items } = (await staff('GET')).body;
    assert.deepEqual([total, items[0].name, items[0].value], [1, 'Lease', { _pending: true }]);
  });
});
