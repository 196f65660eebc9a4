import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { limits, type Photo, type PhotoLink } from '@symbolon/protocol';
import {
  connect,
  createAccountClient,
  createService,
  registerCompany,
  registerPerson,
  type TestCompany,
  type TestService,
} from '@symbolon/testkit/actors/actors';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { onPlatform } from '@symbolon/testkit/platform/platform';
import { imageOf } from '../../profile/photos/testing/images.ts';

onPlatform('share photos', (platform) => {
  let company: TestCompany;
  let photos: Photo[];
  before(async () => {
    company = await registerCompany(platform());
    photos = [];
    for (const background of ['#100000', '#200000', '#300000']) {
      const file = (await imageOf('png', 60, 40, background)).toString('base64');
      const body = { file, label: background };
      photos.push(await platform().must('POST', '/api/photos', { token: company.token, body }));
    }
  });
  const idOf = (index: number) => photos[index]?.id ?? '';
  const call = (method: string, path: string, body?: unknown, token = company.token) =>
    platform().call(method, path, { token, ...(body === undefined ? {} : { body }) });
  const must = (method: string, path: string, body?: unknown, token = company.token) =>
    platform().must(method, path, { token, ...(body === undefined ? {} : { body }) });
  const pathOf = (service: TestService) => `/api/services/${service.id}/photos`;
  const shown = async (service: TestService) =>
    (await must('GET', pathOf(service))).photos.map((photo: Photo) => photo.id);
  const refused = async (
    expected: readonly [number, string],
    method: string,
    path: string,
    body?: unknown,
  ) => {
    const answer = await call(method, path, body);
    assert.deepEqual([answer.status, answer.body?.error_key], expected, answer.text);
  };

  test('are attached, arranged and detached', async () => {
    const service = await createService(platform(), company);
    const path = pathOf(service);
    assert.deepEqual(await must('GET', path), { photos: [] });
    proves('route:POST /api/services/{id}/photos');
    assert.deepEqual(await must('POST', path, { photo_id: idOf(0) }), { photos: [photos[0]] });
    await must('POST', path, { photo_id: idOf(1) });
    await must('POST', path, { photo_id: idOf(0) });
    assert.deepEqual(await shown(service), [idOf(0), idOf(1)]);
    const arranged = await must('PUT', path, { photo_ids: [idOf(2), idOf(1), idOf(0)] });
    assert.deepEqual(arranged, { photos: [photos[2], photos[1], photos[0]] });
    assert.deepEqual(await must('GET', path), arranged);
    proves('route:DELETE /api/services/{id}/photos/{photoId}');
    assert.equal((await call('DELETE', `${path}/${idOf(1)}`)).status, 204);
    assert.deepEqual(await shown(service), [idOf(2), idOf(0)]);
    await refused([404, 'photos.not_found'], 'DELETE', `${path}/${idOf(1)}`);
    proves('route:GET /api/services/{id}/photos', 'route:PUT /api/services/{id}/photos');
    assert.deepEqual(await must('PUT', path, { photo_ids: [] }), { photos: [] });
  });

  test('each change is on record, and none where nothing changed', async () => {
    const service = await createService(platform(), company);
    for (const photo_ids of [[idOf(0)], [idOf(0)], [idOf(0), idOf(1)]]) {
      await must('PUT', pathOf(service), { photo_ids });
    }
    const { reader } = platform().context.database;
    const audit = await reader
      .selectFrom('audit_log')
      .selectAll()
      .where('target', '=', service.id)
      .where('action', '=', 'service.share_photos_changed')
      .execute();
    assert.deepEqual(
      audit.map((entry) => JSON.parse(entry.details).photo_ids.length),
      [1, 2],
    );
    const logs = await reader
      .selectFrom('service_logs')
      .select('message')
      .where('service_id', '=', service.id)
      .where('message', '=', 'Share photos changed')
      .execute();
    assert.equal(logs.length, 2);
  });

  test('need a service and photos of the company, each once', async () => {
    const service = await createService(platform(), company);
    const path = pathOf(service);
    await refused([404, 'photos.not_found'], 'POST', path, { photo_id: 'nothing' });
    await refused([404, 'photos.not_found'], 'PUT', path, { photo_ids: [idOf(0), 'nothing'] });
    await refused([400, 'request.invalid'], 'PUT', path, { photo_ids: [idOf(0), idOf(0)] });
    await refused([404, 'services.not_found'], 'GET', '/api/services/nothing/photos');
    await refused([404, 'services.not_found'], 'POST', '/api/services/nothing/photos', { photo_id: idOf(0) });
    const stranger = await registerCompany(platform());
    const foreign = await createService(platform(), stranger);
    await refused([404, 'services.not_found'], 'POST', pathOf(foreign), { photo_id: idOf(0) });
    const answer = await call('POST', pathOf(foreign), { photo_id: idOf(0) }, stranger.token);
    assert.deepEqual([answer.status, answer.body.error_key], [404, 'photos.not_found']);
    assert.deepEqual(await shown(service), []);
  });

  test('are as many as a service may show', async () => {
    const service = await createService(platform(), company);
    const { database, ids } = platform().context;
    const many = Array.from({ length: limits.sharePhotosMost }, () => ids.uuid());
    const [photo] = await database.reader
      .selectFrom('photos')
      .selectAll()
      .where('id', '=', idOf(0))
      .execute();
    await database.write(async (writer) => {
      for (const id of many) {
        await writer
          .insertInto('photos')
          .values({ ...(photo as NonNullable<typeof photo>), id })
          .execute();
      }
    });
    await must('PUT', pathOf(service), { photo_ids: many });
    await refused([409, 'photos.limit_reached'], 'POST', pathOf(service), { photo_id: idOf(0) });
    proves('limit:sharePhotosMost');
    await refused([400, 'request.invalid'], 'PUT', pathOf(service), { photo_ids: [...many, idOf(0)] });
  });

  test('are what people see of a service, before and after they connect', async () => {
    const service = await createService(platform(), company);
    const other = await createService(platform(), company);
    await must('PUT', pathOf(service), { photo_ids: [idOf(1), idOf(0)] });
    const person = await registerPerson(platform());
    const get = (path: string) => call('GET', path, undefined, person.token);
    const links = [1, 0].map((index) => ({
      label: photos[index]?.label,
      media_type: 'image/png',
      width: 60,
      height: 40,
      url: `/api/person/photos/${idOf(index)}/file`,
      thumb_url: `/api/person/photos/${idOf(index)}/thumb`,
    }));
    const lookup = `/api/person/lookup/${company.code}/${service.code}`;
    proves('route:GET /api/person/lookup/{companyCode}/{serviceCode}');
    assert.deepEqual((await get(lookup)).body.photos, links);
    const connection = await connect(platform(), person, service);
    await connect(platform(), person, other);
    proves('route:GET /api/person/connections/{id}');
    assert.deepEqual((await get(`/api/person/connections/${connection}`)).body.photos, links);
    const { connections } = (await get('/api/person/connections')).body;
    proves('route:GET /api/person/connections');
    assert.deepEqual(
      connections.map((row: { photos: PhotoLink[] }) => row.photos),
      [links, []],
    );
    for (const link of links) {
      for (const path of [link.url, link.thumb_url]) assert.equal((await get(path)).status, 200);
    }
    assert.equal((await get(`/api/person/photos/${idOf(0)}/nothing`)).status, 404);
  });

  test('of a service for companies alone are seen by those who were connected before', async () => {
    const fresh = await registerCompany(platform());
    const service = await createService(platform(), fresh);
    const body = { file: (await imageOf('jpeg')).toString('base64') };
    const { id } = await must('POST', '/api/photos', body, fresh.token);
    await must('POST', pathOf(service), { photo_id: id }, fresh.token);
    const [inside, outside] = [await registerPerson(platform()), await registerPerson(platform())];
    await connect(platform(), inside, service);
    await must('PUT', `/api/services/${service.id}/audience`, { audience: 'company' }, fresh.token);
    const get = (token: string) => call('GET', `/api/person/photos/${id}/file`, undefined, token);
    assert.equal((await get(inside.token)).status, 200);
    assert.equal((await get(outside.token)).status, 404);
    // A person's token opens no photo as a company's does.
    assert.equal((await call('GET', `/api/photos/${id}/file`, undefined, inside.token)).status, 403);
  });

  test('go with the photo and with the service', async () => {
    const body = { file: (await imageOf('webp')).toString('base64') };
    const { id } = await must('POST', '/api/photos', body);
    const [first, second] = [
      await createService(platform(), company),
      await createService(platform(), company),
    ];
    for (const service of [first, second]) await must('PUT', pathOf(service), { photo_ids: [id, idOf(0)] });
    await must('DELETE', `/api/services/${first.id}`);
    await must('DELETE', `/api/photos/${id}`);
    assert.deepEqual(await shown(second), [idOf(0)]);
    const { reader } = platform().context.database;
    const left = await reader
      .selectFrom('share_photos')
      .selectAll()
      .where((eb) => eb.or([eb('service_id', '=', first.id), eb('photo_id', '=', id)]))
      .execute();
    assert.deepEqual(left, []);
  });

  test('are managed by account clients that manage services', async () => {
    const service = await createService(platform(), company);
    const inside = await createAccountClient(platform(), company, ['service_management']);
    assert.equal((await call('POST', pathOf(service), { photo_id: idOf(0) }, inside.token)).status, 200);
    const outside = await createAccountClient(platform(), company, ['company_profile_fields']);
    const answer = await call('GET', pathOf(service), undefined, outside.token);
    assert.deepEqual([answer.status, answer.body.error_key], [403, 'auth.client_endpoint_forbidden']);
  });
});
