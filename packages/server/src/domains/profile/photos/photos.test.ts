import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { limits, type Photo } from '@symbolon/protocol';
import {
  createAccountClient,
  createService,
  registerCompany,
  registerPerson,
  type TestCompany,
} from '@symbolon/testkit/actors/actors';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { onPlatform, type TestPlatform } from '@symbolon/testkit/platform/platform';
import sharp from 'sharp';
import { Photos } from './photos.ts';
import {
  bombByHeader,
  dataUri,
  disguised,
  GIF,
  imageOf,
  noiseOf,
  photographed,
  SECRET,
  SVG,
} from './testing/images.ts';

const PATH = '/api/photos';

async function bytesOf(platform: TestPlatform, path: string, token: string, headers = {}) {
  const response = await fetch(`${platform.url}${path}`, {
    headers: { authorization: `Bearer ${token}`, ...headers },
  });
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
}

/** How many files the blob folder has. */
async function fileCount(platform: TestPlatform): Promise<number> {
  const found = await readdir(join(platform.dataDir, 'blobs'), { recursive: true }).catch(() => []);
  return found.filter((name) => /[0-9a-f]{64}\./.test(name)).length;
}

onPlatform('photos', (platform) => {
  let company: TestCompany;
  before(async () => {
    company = await registerCompany(platform());
  });
  const call = (method: string, path: string, body?: unknown, token = company.token) =>
    platform().call(method, path, { token, ...(body === undefined ? {} : { body }) });
  const must = (method: string, path: string, body?: unknown, token = company.token) =>
    platform().must(method, path, { token, ...(body === undefined ? {} : { body }) });
  const refused = async (
    expected: readonly [number, string],
    method: string,
    path: string,
    body?: unknown,
  ) => {
    const answer = await call(method, path, body);
    assert.deepEqual([answer.status, answer.body?.error_key], expected, answer.text.slice(0, 300));
    return answer;
  };
  let colour = 0;
  /** A photo like no other. */
  const upload = async (label?: string): Promise<Photo> => {
    const file = await imageOf('png', 60, 40, `#${(++colour).toString(16).padStart(6, '0')}`);
    return must('POST', PATH, { file: file.toString('base64'), label });
  };

  test('are uploaded as data URI or base64, and served as they were made again', async () => {
    const taken = await photographed('jpeg');
    const photo = await must('POST', PATH, { file: dataUri('image/jpeg', taken), label: 'The shop' });
    const { id, size, sha256, ...rest } = photo;
    proves('route:POST /api/photos');
    assert.deepEqual(rest, {
      label: 'The shop',
      media_type: 'image/jpeg',
      width: 80,
      height: 120,
      url: `/api/photos/${id}/file`,
      thumb_url: `/api/photos/${id}/thumb`,
      is_profile: false,
      created_at: '2026-01-31T09:30:00.000Z',
    });
    assert.deepEqual(await must('GET', `${PATH}/${id}`), photo);

    for (const [path, type] of [
      [photo.url, 'image/jpeg'],
      [photo.thumb_url, 'image/webp'],
    ]) {
      const { response, bytes } = await bytesOf(platform(), path, company.token, {
        accept: 'application/xml',
      });
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('content-type'), type);
      assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
      assert.equal(response.headers.get('content-security-policy'), "default-src 'none'; sandbox");
      assert.equal(response.headers.get('cache-control'), 'private, no-cache');
      assert.equal(response.headers.get('etag'), `"${hash('sha256', bytes, 'hex')}"`);
      assert.equal(`image/${(await sharp(bytes).metadata()).format}`, type);
      assert.ok(!bytes.includes(SECRET));
      if (path === photo.url) assert.deepEqual([bytes.length, hash('sha256', bytes, 'hex')], [size, sha256]);
      const etag = response.headers.get('etag') ?? '';
      const again = await bytesOf(platform(), path, company.token, { 'if-none-match': `W/${etag}` });
      assert.deepEqual([again.response.status, again.bytes.length], [304, 0]);
    }

    proves('route:GET /api/photos/{id}/file', 'route:GET /api/photos/{id}/thumb');
    for (const format of ['png', 'webp'] as const) {
      const plain = await must('POST', PATH, { file: (await imageOf(format)).toString('base64') });
      assert.deepEqual([plain.media_type, plain.label], [`image/${format}`, null]);
    }
    const { photos } = await must('GET', PATH);
    assert.equal(photos.length, 3);
    proves('route:GET /api/photos', 'route:GET /api/photos/{id}');
    assert.deepEqual(photos[0], photo);
  });

  test('no file of the platform keeps the metadata of the photo', async () => {
    await must('POST', PATH, { file: dataUri('image/webp', await photographed('webp')) });
    const folder = join(platform().dataDir, 'blobs');
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const kept = entries.filter((entry) => entry.isFile());
    assert.ok(kept.length > 0);
    for (const entry of kept) {
      const bytes = await readFile(join(entry.parentPath, entry.name));
      const { exif, xmp, iptc, icc } = await sharp(bytes).metadata();
      assert.deepEqual([exif, xmp, iptc, icc], Array(4).fill(undefined));
    }
  });

  test('what is no photo is refused, and nothing is kept', async () => {
    const files = await fileCount(platform());
    const jpeg = await imageOf('jpeg');
    const send = (file: string) => ({ file });
    const base64 = (bytes: Buffer) => send(bytes.toString('base64'));
    await refused([400, 'photos.file_invalid'], 'POST', PATH, send('not base64!'));
    await refused([400, 'photos.file_invalid'], 'POST', PATH, send('data:image/png,hello'));
    await refused([400, 'photos.file_invalid'], 'POST', PATH, send('data:;base64,AAAA'));
    await refused([400, 'photos.file_invalid'], 'POST', PATH, send(`${jpeg.toString('base64')}\n`));
    await refused([400, 'photos.bad_mime'], 'POST', PATH, send(dataUri('image/png', jpeg)));
    await refused([400, 'photos.bad_mime'], 'POST', PATH, send(dataUri('text/html', jpeg)));
    await refused([400, 'photos.bad_mime'], 'POST', PATH, send(dataUri('image/svg+xml', SVG)));
    await refused([400, 'photos.bad_mime'], 'POST', PATH, send(dataUri('image/png', SVG)));
    await refused([400, 'photos.bad_mime'], 'POST', PATH, base64(SVG));
    await refused([400, 'photos.bad_mime'], 'POST', PATH, base64(GIF));
    for (const file of disguised) await refused([400, 'photos.invalid_image'], 'POST', PATH, base64(file));
    const cut = jpeg.subarray(0, jpeg.length >> 1);
    await refused([400, 'photos.invalid_image'], 'POST', PATH, base64(cut));
    proves(
      'error:photos.bad_mime',
      'error:photos.file_invalid',
      'error:photos.invalid_image',
      'error:photos.too_many_pixels',
    );
    await refused([400, 'photos.too_many_pixels'], 'POST', PATH, base64(bombByHeader()));
    await refused([400, 'request.invalid'], 'POST', PATH, send(''));
    await refused([400, 'request.invalid'], 'POST', PATH, {
      file: (await imageOf('png')).toString('base64'),
      label: '',
    });
    assert.equal(await fileCount(platform()), files);
  });

  test('a photo may be larger than other bodies, up to its own limit', async () => {
    const large = await noiseOf('jpeg', 2400, 1200);
    assert.ok(large.length > limits.jsonBodyBytes, String(large.length));
    const photo = await must('POST', PATH, { file: large.toString('base64') });
    assert.equal(photo.width, 2400);
    const tooLarge = Buffer.alloc(limits.fileBytes + 3, 0xff).toString('base64');
    proves('error:photos.too_large', 'limit:fileBytes', 'limit:uploadBodyBytes');
    await refused([413, 'photos.too_large'], 'POST', PATH, { file: tooLarge });
    const body = JSON.stringify({ file: 'A'.repeat(limits.uploadBodyBytes) });
    const headers = { 'content-type': 'application/json' };
    const answer = await platform().call('POST', PATH, { token: company.token, body, headers });
    assert.deepEqual([answer.status, answer.body?.error_key], [413, 'request.too_large']);
    // Every other route still takes what it took.
    const label = 'x'.repeat(limits.jsonBodyBytes);
    await refused([413, 'request.too_large'], 'PUT', `${PATH}/${photo.id}`, { label });
    await refused([413, 'request.too_large'], 'PUT', '/api/profile', { display_name: label });
  });

  test('who may not upload does not get to send', async () => {
    const body = { file: 'A'.repeat(2 * limits.jsonBodyBytes) };
    const { token } = await registerPerson(platform());
    const answer = await call('POST', PATH, body, token);
    assert.deepEqual([answer.status, answer.body.error_key], [403, 'auth.forbidden']);
  });

  test('say what they show, and can be changed', async () => {
    const { id } = await upload('Old');
    assert.equal((await must('PUT', `${PATH}/${id}`, { label: 'New' })).label, 'New');
    assert.equal((await must('PUT', `${PATH}/${id}`, { label: null })).label, null);
    proves('route:PUT /api/photos/{id}');
    assert.equal((await must('GET', `${PATH}/${id}`)).label, null);
  });

  test('that are deleted are gone, their bytes too once nothing else has them', async () => {
    const twice = (await imageOf('png', 17, 19, '#123456')).toString('base64');
    const first = await must('POST', PATH, { file: twice });
    const second = await must('POST', PATH, { file: twice });
    assert.equal(first.sha256, second.sha256);
    const files = await fileCount(platform());
    proves('route:DELETE /api/photos/{id}');
    assert.equal((await call('DELETE', `${PATH}/${first.id}`)).status, 204);
    for (const path of ['', '/file', '/thumb']) {
      await refused([404, 'photos.not_found'], 'GET', `${PATH}/${first.id}${path}`);
    }
    await refused([404, 'photos.not_found'], 'DELETE', `${PATH}/${first.id}`);
    const { blobs } = platform().context;
    platform().clock.advance(16 * 60_000);
    await blobs.sweep();
    assert.equal(await fileCount(platform()), files);
    assert.equal((await bytesOf(platform(), second.url, company.token)).response.status, 200);
    await must('DELETE', `${PATH}/${second.id}`);
    await blobs.sweep();
    assert.equal(await fileCount(platform()), files - 2);
  });

  test('one of them is the profile photo, which people see', async () => {
    const service = await createService(platform(), company);
    const [first, second] = [await upload('Logo'), await upload()];
    const set = (photo_id: string | null) => must('PUT', `${PATH}/profile`, { photo_id });
    assert.deepEqual(await set(first.id), { photo: { ...first, is_profile: true } });
    assert.deepEqual(await set(second.id), { photo: { ...second, is_profile: true } });
    assert.equal((await must('GET', `${PATH}/${first.id}`)).is_profile, false);
    await set(first.id);
    assert.equal((await must('GET', '/api/profile')).photo.id, first.id);

    const person = await registerPerson(platform());
    const lookup = `/api/person/lookup/${company.code}/${service.code}`;
    const { company: seen } = await must('GET', lookup, undefined, person.token);
    assert.deepEqual(seen.photo, {
      label: 'Logo',
      media_type: 'image/png',
      width: 60,
      height: 40,
      url: `/api/person/photos/${first.id}/file`,
      thumb_url: `/api/person/photos/${first.id}/thumb`,
    });
    for (const path of [seen.photo.url, seen.photo.thumb_url]) {
      const { response, bytes } = await bytesOf(platform(), path, person.token);
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
      assert.equal((await sharp(bytes).metadata()).width, 60);
    }
    proves('route:GET /api/person/photos/{id}/file', 'route:GET /api/person/photos/{id}/thumb');
    const hidden = await call('GET', `/api/person/photos/${second.id}/file`, undefined, person.token);
    assert.deepEqual([hidden.status, hidden.body.error_key], [404, 'photos.not_found']);

    await refused([404, 'photos.not_found'], 'PUT', `${PATH}/profile`, { photo_id: 'nothing' });
    assert.deepEqual(await set(null), { photo: null });
    await set(first.id);
    await must('DELETE', `${PATH}/${first.id}`);
    assert.equal((await must('GET', '/api/profile')).photo, null);
    proves('route:PUT /api/photos/profile');
    assert.equal((await must('GET', lookup, undefined, person.token)).company.photo, null);
  });

  test('choosing the profile photo twice at once leaves one', async () => {
    const chosen = await Promise.all([upload(), upload(), upload()]);
    await Promise.all(chosen.map(({ id }) => must('PUT', `${PATH}/profile`, { photo_id: id })));
    const { photos } = await must('GET', PATH);
    assert.equal(photos.filter((photo: Photo) => photo.is_profile).length, 1);
  });

  test('belong to one company', async () => {
    const { id } = await upload();
    const stranger = await registerCompany(platform());
    proves('error:photos.not_found');
    for (const [method, path, body] of [
      ['GET', `${PATH}/${id}`],
      ['GET', `${PATH}/${id}/file`],
      ['GET', `${PATH}/${id}/thumb`],
      ['PUT', `${PATH}/${id}`, { label: 'Mine' }],
      ['PUT', `${PATH}/profile`, { photo_id: id }],
      ['DELETE', `${PATH}/${id}`],
    ] as const) {
      const answer = await call(method, path, body, stranger.token);
      assert.deepEqual(
        [answer.status, answer.body.error_key],
        [404, 'photos.not_found'],
        `${method} ${path}`,
      );
    }
    assert.deepEqual(await must('GET', PATH, undefined, stranger.token), { photos: [] });
  });

  test('open to account clients with the group, and to no others', async () => {
    const inside = await createAccountClient(platform(), company, ['company_profile_fields']);
    const body = { file: (await imageOf('webp')).toString('base64') };
    const photo = await must('POST', PATH, body, inside.token);
    assert.equal((await bytesOf(platform(), photo.url, inside.token)).response.status, 200);
    const outside = await createAccountClient(platform(), company, ['service_management']);
    const answer = await call('GET', PATH, undefined, outside.token);
    assert.deepEqual([answer.status, answer.body.error_key], [403, 'auth.client_endpoint_forbidden']);
  });

  test('are as many as there may be, even when two come at once', async () => {
    const full = await registerCompany(platform());
    const { database, ids } = platform().context;
    const rows = Array.from({ length: limits.photosMost - 1 }, () => ({
      company_id: full.id,
      id: ids.uuid(),
      label: null,
      media_type: 'image/png',
      width: 1,
      height: 1,
      size: 1,
      hash: 'none',
      thumb_hash: 'none',
      is_profile: 0 as const,
      created_at: 0,
    }));
    await database.write((writer) => writer.insertInto('photos').values(rows).execute());
    const body = { file: (await imageOf('png')).toString('base64') };
    const answers = await Promise.all([1, 2, 3].map(() => call('POST', PATH, body, full.token)));
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 409, 409]);
    const answer = await call('POST', PATH, body, full.token);
    proves('error:photos.limit_reached', 'limit:photosMost');
    assert.deepEqual([answer.status, answer.body.error_key], [409, 'photos.limit_reached']);
  });

  test('an upload is refused with Retry-After when no more images can wait for their turn', async () => {
    const company = await registerCompany(platform());
    const file = (await noiseOf('png', 450, 450)).toString('base64');
    const upload = () => platform().call('POST', PATH, { token: company.token, body: { file } });
    const answers = await Promise.all(Array.from({ length: 40 }, upload));
    const refused = answers.find((answer) => answer.status === 503);
    proves('error:photos.busy');
    assert.equal(refused?.body.error_key, 'photos.busy');
    assert.equal(refused?.headers.get('retry-after'), '5');
  });

  test('images of one company that take long hold up that company alone', async () => {
    const photos = new Photos(platform().context);
    const greedy = await registerCompany(platform(), 'Greedy');
    const other = await registerCompany(platform(), 'Other');
    const large = (await noiseOf('png', 1200, 1200)).toString('base64');
    const small = (await imageOf('png', 16, 16)).toString('base64');
    const done: string[] = [];
    const upload = async ({ id }: TestCompany, file: string) => {
      await photos.upload(id, { kind: 'portal', id }, { file });
      done.push(id);
    };
    // All of the first company's come before the one of the second.
    const all = Array.from({ length: 9 }, () => upload(greedy, large));
    await Promise.all([...all, upload(other, small)]);
    assert.ok(done.indexOf(other.id) <= 2, `it was number ${done.indexOf(other.id) + 1} of ${done.length}`);
  });

  test('an upload that ends makes room for the next, also when its image cannot be read', async () => {
    const { context } = platform();
    const { id } = await registerCompany(platform());
    const photos = new Photos({ ...context, waitingMost: 0 });
    const image = await imageOf('png');
    const upload = (file: Buffer) =>
      photos.upload(id, { kind: 'portal', id }, { file: file.toString('base64') });
    const broken = Buffer.concat([image.subarray(0, 60), Buffer.alloc(60)]);
    for (let time = 1; time <= 2; time++) {
      await assert.rejects(upload(broken), { key: 'photos.invalid_image' });
      assert.ok((await upload(image)).id);
    }
  });

  test('go with their company', async () => {
    platform().clock.advance(16 * 60_000);
    await platform().context.blobs.sweep();
    const files = await fileCount(platform());
    const leaving = await registerCompany(platform());
    const body = { file: (await imageOf('png', 33, 44)).toString('base64') };
    const { id } = await must('POST', PATH, body, leaving.token);
    const { context } = platform();
    await context.database.write(async (writer) => {
      await context.photos.dropForCompany(writer, leaving.id);
      await writer.deleteFrom('companies').where('id', '=', leaving.id).execute();
    });
    assert.equal((await call('GET', `${PATH}/${id}`, undefined, leaving.token)).status, 404);
    // One that was under way meanwhile does not come after all.
    const answer = await call('POST', PATH, body, leaving.token);
    assert.deepEqual([answer.status, answer.body.error_key], [401, 'auth.invalid']);
    assert.equal(await fileCount(platform()), files + 2);
    platform().clock.advance(16 * 60_000);
    await context.blobs.sweep();
    assert.equal(await fileCount(platform()), files);
  });
});

onPlatform(
  'photos of a company that may have one megabyte',
  (platform) => {
    test('take up exactly as much, and not a byte more', async () => {
      const { token, id } = await registerCompany(platform());
      const { database } = platform().context;
      const file = (await imageOf('png')).toString('base64');
      const upload = () => platform().call('POST', PATH, { token, body: { file } });
      const first = await upload();
      assert.equal(first.status, 201, first.text);
      const [row] = await database.reader
        .selectFrom('photos')
        .selectAll()
        .where('company_id', '=', id)
        .execute();
      const stored = Number(row?.size);
      const beside = async (size: number) =>
        database.write((writer) =>
          writer.updateTable('photos').set({ size }).where('company_id', '=', id).execute(),
        );
      // The second is as large as the first.
      await beside(1024 * 1024 - stored + 1);
      const over = await upload();
      assert.deepEqual(
        [over.status, over.body.error_key, over.body.most],
        [409, 'account.storage_full', 1024 * 1024],
      );
      await beside(1024 * 1024 - stored);
      assert.equal((await upload()).status, 201);
    });
  },
  { SYMBOLON_COMPANY_STORAGE_MB: '1' },
);
