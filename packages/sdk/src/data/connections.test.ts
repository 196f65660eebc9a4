import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { sealTextSync } from '@symbolon/crypto/node';
import { DecryptionError, GoneError, NotFoundError, TransportError } from '../http/errors.ts';
import { refusal } from '../testing/fake-platform.ts';
import { attested, connectionRow, fakeService, sealed, serviceKey } from '../testing/fake-service.ts';
import { PlainDate } from '../values/plain-date.ts';
import { BinaryHandle } from './binary-handle.ts';
import { SealedValue } from './value.ts';

const LIST = '/api/company-data/connections';
const FILE = `${LIST}/c1/slots/f1/file`;

/** Serves rows after a key, as the platform does. The ids sort by their length, then by their text: c9 is before c10. */
function list(rows: () => object[]) {
  return ({ query }: { query: URLSearchParams }) => {
    const place = (id: string) => Number(id.slice(1) || -1);
    const after = place(query.get('after') ?? '');
    const all = rows() as { connection_id: string }[];
    const items = all.filter((row) => place(row.connection_id) > after).slice(0, Number(query.get('limit')));
    return { body: { total: all.length, items } };
  };
}

async function ids(connections: AsyncIterable<{ id: string }>): Promise<string[]> {
  const met: string[] = [];
  for await (const { id } of connections) met.push(id);
  return met;
}

test('an opened value has the shape of its field type', async () => {
  const types = {
    mail: 'email',
    born: 'date_of_birth',
    home: 'address',
    tags: 'tags',
    odd: 'born_on_another_day',
    form: 'plugin',
    open: 'text',
  };
  const address = { street: 'Main', city: 'Bern' };
  const plugin = { plugin: 'p', type: 't', blocks: [], outputs: [] };
  const row = connectionRow('c1', {
    mail: sealed('a@b.example'),
    born: sealed('1990-02-28'),
    home: sealed(JSON.stringify(address)),
    odd: sealed('whatever'),
    form: sealed(JSON.stringify(plugin)),
  });
  await using service = await fakeService(types, { [`GET ${LIST}/c1`]: () => ({ body: row }) });
  const { values } = await service.client.connection('c1');
  assert.equal(values.mail?.value, 'a@b.example');
  assert.ok(values.born?.value instanceof PlainDate);
  assert.equal(JSON.stringify(values.born.value), '"1990-02-28"');
  assert.deepEqual({ ...(values.home?.value as object) }, address);
  assert.equal(values.odd?.value, 'whatever', 'an unknown type is a string');
  assert.deepEqual(values.form?.value, plugin);
  assert.deepEqual([values.open?.value, values.open?.unreadable], [null, false], 'unanswered');
  assert.equal(values.constructor, undefined, 'slugs are no members of Object');
});

test('an opened date that does not exist in the calendar stays a string', async () => {
  const row = connectionRow('c1', { born: sealed('1990-02-30') });
  await using service = await fakeService({ born: 'date' }, { [`GET ${LIST}/c1`]: () => ({ body: row }) });
  assert.equal((await service.client.connection('c1')).values.born?.value, '1990-02-30');
});

test('`verified` is computed from the opened value and ends when the verification expires', async () => {
  const row = connectionRow('c1', {
    right: sealed('x', { ...attested('x'), verified_method: 'email_code' }),
    wrong: sealed('x', attested('y')),
    stale: sealed('x', { ...attested('x'), verified_expires_at: '2026-01-31T09:29:59.000Z' }),
    fresh: sealed('x', { ...attested('x'), verified_expires_at: '2026-01-31T09:30:01.000Z' }),
    plain: sealed('x'),
  });
  const types = { right: 'text', wrong: 'text', stale: 'text', fresh: 'text', plain: 'text' };
  await using service = await fakeService(types, { [`GET ${LIST}/c1`]: () => ({ body: row }) });
  const { values } = await service.client.connection('c1');
  const verified = Object.entries(values).filter(([, value]) => value.verified);
  assert.deepEqual(
    verified.map(([slug]) => slug),
    ['right', 'fresh'],
  );
  assert.equal(values.right?.verifiedMethod, 'email_code');
});

test('a value that the key does not open is unreadable, and the other values are opened', async () => {
  const { value, ...members } = sealed('a');
  const broken = { ...members, value: value.replace(/"d":"..../, '"d":"AAAA') };
  const row = connectionRow('c1', { good: sealed('b'), broken, nonsense: { ...members, value: '{}' } });
  const types = { good: 'text', broken: 'text', nonsense: 'text' };
  await using service = await fakeService(types, { [`GET ${LIST}/c1`]: () => ({ body: row }) });
  const { values } = await service.client.connection('c1');
  assert.equal(values.good?.value, 'b');
  for (const slug of ['broken', 'nonsense']) {
    assert.deepEqual(
      [values[slug]?.value, values[slug]?.unreadable, values[slug]?.verified],
      [null, true, false],
    );
  }
});

test('values stay sealed without a key or with `decrypt: false`', async () => {
  const answer = sealed('a');
  const routes = { [`GET ${LIST}/c1`]: () => ({ body: connectionRow('c1', { a: answer }) }) };
  await using keyless = await fakeService({ a: 'text' }, routes, { privateKey: undefined });
  await using keyed = await fakeService({ a: 'text' }, routes);
  const read = [
    await keyless.client.connection('c1'),
    await keyed.client.connection('c1', { decrypt: false }),
  ];
  for (const { values } of read) {
    assert.ok(values.a?.value instanceof SealedValue);
    assert.equal(values.a.value.wrapper, answer.value);
    assert.equal(values.a.unreadable, false);
  }
});

test('`connections` yields in order, opens on worker threads and fetches at most one page ahead', async () => {
  const rows = Array.from({ length: 30 }, (_, index) =>
    connectionRow(`c${index}`, { a: sealed(`a${index}`), b: sealed(`b${index}`) }),
  );
  await using service = await fakeService({ a: 'text', b: 'text' }, { [`GET ${LIST}`]: list(() => rows) });
  let read = 0;
  for await (const { id, values } of service.client.connections({ pageSize: 8 })) {
    assert.equal(id, `c${read}`);
    assert.deepEqual([values.a?.value, values.b?.value], [`a${read}`, `b${read}`]);
    const pagesBegun = 1 + Math.floor(read / 8);
    assert.ok(
      service.platform.count(LIST) <= pagesBegun + 1,
      `${service.platform.count(LIST)} pages at ${read}`,
    );
    read++;
  }
  assert.equal(read, 30);
  assert.equal(service.platform.count('/api/company-data/request-fields'), 1);
});

test('`connections` fetches nothing more after the reader stops early', async () => {
  const rows = Array.from({ length: 100 }, (_, index) => connectionRow(`c${index}`));
  await using service = await fakeService({}, { [`GET ${LIST}`]: list(() => rows) });
  for await (const { id } of service.client.connections({ pageSize: 10 })) if (id === 'c3') break;
  assert.ok(service.platform.count(LIST) <= 2);
});

test('`connections` skips and repeats no person when connections end while it runs', async () => {
  let rows = Array.from({ length: 40 }, (_, index) => connectionRow(`c${index}`));
  const serve = list(() => rows);
  await using service = await fakeService(
    {},
    {
      [`GET ${LIST}`]: (request) => {
        const answer = serve(request);
        // Rows already handed out go before the next page is asked for, the last one of the page among them.
        if (rows.length > 30) rows = [...rows.slice(3, 9), ...rows.slice(10)];
        return answer;
      },
    },
  );
  const met = await ids(service.client.connections({ pageSize: 10 }));
  assert.deepEqual(
    met,
    Array.from({ length: 40 }, (_, index) => `c${index}`),
  );
});

test('reading an unknown connection throws a NotFoundError', async () => {
  await using service = await fakeService(
    {},
    {
      [`GET ${LIST}/nobody`]: () => refusal(404, 'company_data.connection_not_found'),
    },
  );
  await assert.rejects(service.client.connection('nobody'), NotFoundError);
});

test('a file answer is a handle that opens each of the three shapes of a file', async () => {
  const pdf = Buffer.from('%PDF-1.7 hello');
  const uri = `data:application/pdf;base64,${pdf.toString('base64')}`;
  const envelope = JSON.stringify({ file: uri, original_name: 'a.pdf', document_number: '42' });
  const wrapper = JSON.stringify(sealTextSync(envelope, serviceKey.publicKey));
  const digest = (text: string | Uint8Array) => ({ 'x-platform-content-sha256': hash('sha256', text) });
  const row = connectionRow('c1', {
    paper: { live: true, updated_at: 'x', value_url: FILE, ...attested(envelope) },
  });
  await using service = await fakeService(
    { paper: 'legal_document' },
    {
      [`GET ${LIST}/c1`]: () => ({ body: row }),
      [`GET ${FILE}`]: () => ({ body: { encrypted: true, value: wrapper }, headers: digest(wrapper) }),
    },
  );
  const { values } = await service.client.connection('c1');
  const handle = values.paper?.value;
  assert.ok(handle instanceof BinaryHandle);
  assert.equal(handle.path, FILE);
  assert.equal(service.platform.count(FILE), 0, 'nothing is fetched before open');

  const encrypted = await handle.open();
  assert.deepEqual(
    [encrypted.source, encrypted.verified, encrypted.entries.document_number],
    ['encrypted', true, '42'],
  );
  assert.deepEqual([encrypted.files[0]!.name, encrypted.files[0]!.mimeType], ['a.pdf', 'application/pdf']);
  assert.deepEqual(Buffer.from(encrypted.files[0]!.bytes), pdf);

  service.platform.route(`GET ${FILE}`, () => ({
    body: { encrypted: false, value: envelope },
    headers: digest(envelope),
  }));
  const open = await handle.open();
  assert.deepEqual([open.source, open.verified, open.files.length], ['envelope', true, 1]);

  const type = { 'content-type': 'application/pdf' };
  service.platform.route(`GET ${FILE}`, () => ({ raw: pdf, headers: { ...type, ...digest(pdf) } }));
  const raw = await handle.open();
  assert.deepEqual([raw.source, raw.files[0]!.mimeType], ['raw', 'application/pdf']);
  assert.deepEqual(Buffer.from(raw.files[0]!.bytes), pdf);

  service.platform.route(`GET ${FILE}`, () => ({ raw: pdf, headers: { ...type, ...digest('other') } }));
  await assert.rejects(handle.open(), TransportError);

  const foreign = JSON.stringify({ _enc: 1, k: 'AAAA', iv: 'AAAA', d: 'AAAA' });
  service.platform.route(`GET ${FILE}`, () => ({ body: { encrypted: true, value: foreign } }));
  await assert.rejects(handle.open(), DecryptionError);

  const expired = refusal(410, 'company_data.file_expired', { details: { expired_at: 'then' } });
  service.platform.route(`GET ${FILE}`, () => expired);
  await assert.rejects(
    handle.open(),
    (error) => error instanceof GoneError && error.details.expired_at === 'then',
  );
});

test('a file handle does not follow a value_url to another host', async () => {
  for (const value_url of ['//elsewhere/x', 'https://elsewhere/x', '/\\elsewhere']) {
    const row = connectionRow('c1', { pic: { live: true, value_url } });
    await using service = await fakeService({ pic: 'photo' }, { [`GET ${LIST}/c1`]: () => ({ body: row }) });
    const handle = (await service.client.connection('c1')).values.pic?.value;
    assert.ok(handle instanceof BinaryHandle);
    await assert.rejects(handle.open(), TransportError);
  }
});
