import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { flowLimits, limits } from '@symbolon/protocol';
import {
  createAccountClient,
  createService,
  registerCompany,
  type TestCompany,
  type TestService,
} from '@symbolon/testkit/actors/actors';
import {
  damageReport,
  examplePackages,
  leaseContract,
  olderForm,
  packageOf,
  textPdf,
  zipOf,
} from '@symbolon/testkit/actors/flow-packages';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { onPlatform, startPlatform } from '@symbolon/testkit/platform/platform';

const ZIP = { 'content-type': 'application/zip' };
const PDF = { 'content-type': 'application/pdf' };
const manifestOf = (more: object = {}) =>
  JSON.stringify({ format_version: 1, ...leaseContract.definition, ...more });
const asset = (more: object = {}) => ({ asset_key: 'lease', kind: 'pdf', file: 'assets/lease.pdf', ...more });
const LEASE = leaseContract.assets.lease as Buffer;

/** A zip whose directory says something else than what was packed: two bytes that stand twice are changed everywhere. */
function altered(zip: Buffer, from: string, to: string): Buffer {
  return Buffer.from(zip.toString('latin1').replaceAll(from, to), 'latin1');
}

/** Sets a number in the directory entry of a file. */
function inDirectory(zip: Buffer, name: string, at: number, value: number, bytes: 2 | 4): Buffer {
  const changed = Buffer.from(zip);
  const entry = changed.lastIndexOf(Buffer.from('PK\x01\x02'), changed.lastIndexOf(name));
  changed.writeUIntLE(value, entry + at, bytes);
  return changed;
}

onPlatform('packages of flows', (platform) => {
  let company: TestCompany;
  let service: TestService;
  before(async () => {
    company = await registerCompany(platform());
    service = await createService(platform(), company);
  });
  const path = () => `/api/services/${service.id}/flows`;
  const call = (method: string, at: string, body?: unknown, headers: Record<string, string> = {}) =>
    platform().call(method, at, { token: company.token, headers, ...(body === undefined ? {} : { body }) });
  const importOf = (zip: Buffer) => call('POST', `${path()}/import`, zip, ZIP);
  const bytesOf = async (at: string) => {
    const headers = { authorization: `Bearer ${company.token}` };
    const response = await fetch(`${platform().url}${at}`, { headers });
    assert.equal(response.status, 200);
    return { response, bytes: Buffer.from(await response.arrayBuffer()) };
  };
  const refused = async (expected: readonly [number, string], zip: Buffer, text?: RegExp) => {
    const { flows: before } = (await call('GET', path())).body;
    const answer = await importOf(zip);
    assert.deepEqual([answer.status, answer.body?.error_key], expected, answer.text);
    if (text !== undefined) assert.match(answer.body.error, text);
    proves('route:GET /api/services/{id}/flows');
    assert.equal((await call('GET', path())).body.flows.length, before.length);
  };

  test('a package whose expressions have `kind` in place of `type` is taken in with type', async () => {
    const kinds = manifestOf({ assets: [asset()] }).replaceAll(/"type":"(math|ref|lit)"/g, '"kind":"$1"');
    assert.match(kinds, /"kind":"math".*"kind":"ref".*"kind":"lit"/);
    // With the mark that editors of Windows write before a text.
    const zip = await zipOf({ 'flow.json': `\ufeff${kinds}`, 'assets/lease.pdf': LEASE });
    const { status, body } = await importOf(zip);
    assert.equal(status, 201);
    assert.deepEqual(body.definition.constants, leaseContract.definition.constants);
    const at = `${path()}/${body.id}`;
    assert.deepEqual((await call('POST', `${at}/publish`, {})).body, { version: 1 });
  });

  test('are imported as drafts, published, and exported as they were', async () => {
    for (const source of [damageReport, leaseContract]) {
      const zip = await packageOf(source);
      const { status, body: flow } = await importOf(zip);
      proves('route:POST /api/services/{id}/flows/import');
      assert.equal(status, 201);
      assert.deepEqual([flow.version, flow.definition], [null, source.definition]);
      proves('route:POST /api/services/{id}/flows/{flowId}/check');
      assert.deepEqual((await call('POST', `${path()}/${flow.id}/check`)).body, { issues: [], warnings: [] });
      assert.deepEqual((await call('POST', `${path()}/${flow.id}/publish`)).body, { version: 1 });
      const { response, bytes } = await bytesOf(`${path()}/${flow.id}/package?version=1`);
      proves('route:GET /api/services/{id}/flows/{flowId}/package');
      assert.equal(response.headers.get('content-type'), 'application/zip');
      assert.match(response.headers.get('content-disposition') ?? '', /^attachment; filename="/);
      const again = (await importOf(bytes)).body;
      assert.deepEqual(again.definition, source.definition);
      assert.deepEqual(
        again.assets.map(({ asset_key, original_name, size }: Record<string, unknown>) => [
          asset_key,
          original_name,
          size,
        ]),
        Object.entries(source.assets).map(([key, { length }]) => [key, `${key}.pdf`, length]),
      );
    }
  });

  test('with a tag in a PDF that nothing fills are imported, and warned of', async () => {
    const lease = textPdf(['From {{ landlord.company_name }} to {{ tenant_nmae }}, {{ tenant.first_name }}']);
    const { body: flow } = await importOf(await packageOf({ ...leaseContract, assets: { lease } }));
    const { issues, warnings } = (await call('POST', `${path()}/${flow.id}/check`)).body;
    assert.deepEqual(issues, []);
    const at = '/nodes/1/outputs/0/rules/0/asset_key';
    assert.deepEqual(
      warnings.map(({ code, path, message }: Record<string, string>) => [code, path, message]),
      [
        ['tag_unknown', at, "Nothing fills the tag 'tenant_nmae' of this PDF."],
        [
          'tag_unknown',
          at,
          "Nothing fills the tag 'tenant.first_name' of this PDF. Use it in a text of the flow too.",
        ],
      ],
    );
  });

  test('of the examples are what their sources make, and can be published', async () => {
    for (const [name, made] of Object.entries(await examplePackages())) {
      const zip = readFileSync(new URL(`../../../../../../examples/flows/${name}`, import.meta.url));
      assert.ok(zip.equals(made), `${name} is old: npm run flow-packages`);
      const flow = (await importOf(zip)).body;
      assert.deepEqual(
        flow.assets.map(({ analysis }: { analysis: { problems: unknown[] } }) => analysis.problems),
        name.endsWith('lease-contract.zip') ? [[]] : [],
      );
      assert.deepEqual((await call('POST', `${path()}/${flow.id}/publish`)).body, { version: 1 });
    }
  });

  test('in the older form get outputs of their pdfs', async () => {
    const contract = (await importOf(await packageOf(leaseContract, 'older'))).body;
    const [, offer] = contract.definition.nodes;
    assert.equal(offer.pdfs, undefined);
    assert.deepEqual(offer.outputs, [
      {
        key: 'lease',
        name: 'lease',
        rules: [
          {
            condition: null,
            asset_key: 'lease',
            tags: ['landlord_name', 'tenant_name', 'move_in', 'rent', 'rent_of_year'],
          },
        ],
        signers: [{ party: 'landlord', sign: true }],
      },
    ]);
    assert.deepEqual((await call('POST', `${path()}/${contract.id}/publish`)).body, { version: 1 });
    const report = (await importOf(await packageOf(damageReport, 'older'))).body;
    assert.deepEqual(report.definition, damageReport.definition);
    const nested = await zipOf({
      'flow.json': JSON.stringify({ format_version: 1, definition: olderForm(damageReport.definition) }),
    });
    assert.deepEqual((await importOf(nested)).body.definition, damageReport.definition);
  });

  test('that are hostile or broken are refused, and leave nothing', async () => {
    const invalid = [400, 'flows.package_invalid'] as const;
    const whole = await packageOf(leaseContract);
    await refused(invalid, Buffer.from('no zip'), /not a zip/);
    await refused(invalid, whole.subarray(0, whole.length - 40));
    await refused(invalid, await zipOf({ 'other.json': '{}' }), /flow\.json is missing/);
    await refused(invalid, await zipOf({ 'flow.json': '{' }), /JSON/);
    await refused(invalid, await zipOf({ 'flow.json': manifestOf({ format_version: 2 }) }), /format_version/);
    await refused(invalid, await zipOf({ 'flow.json': manifestOf({ assets: {} }) }), /list/);
    await refused(
      invalid,
      await zipOf({ 'flow.json': manifestOf({ assets: [asset()] }) }),
      /lease\.pdf is missing/,
    );
    const both = { 'flow.json': manifestOf({ assets: [asset(), asset()] }), 'assets/lease.pdf': LEASE };
    await refused(invalid, await zipOf(both), /stands twice/);
    const html = { 'flow.json': manifestOf({ assets: [asset()] }), 'assets/lease.pdf': '<html>' };
    await refused(invalid, await zipOf(html), /not a PDF/);
    const unnamed = { 'flow.json': manifestOf({ assets: [asset({ asset_key: 'k'.repeat(201) })] }) };
    await refused(invalid, await zipOf(unnamed), /needs an asset_key/);
    const typed = {
      'flow.json': manifestOf({ assets: [asset({ kind: 'html' })] }),
      'assets/lease.pdf': LEASE,
    };
    await refused(invalid, await zipOf(typed), /must be a PDF/);
    // Paths that lead out of the package, and one entry under the name of another.
    const packed = { 'flow.json': manifestOf({ assets: [asset()] }), 'assets/lease.pdf': LEASE };
    for (const name of ['../../lease.pdf!', '/ssets/lease.pdf', '..\\ets/lease.pdf'])
      await refused(invalid, altered(await zipOf(packed), 'assets/lease.pdf', name.slice(0, 16)));
    const twice = await zipOf({ ...packed, 'assets/other.pdf': LEASE });
    await refused(invalid, altered(twice, 'assets/other.pdf', 'assets/lease.pdf'), /stands twice/);
    const zip = await zipOf(packed);
    const link = inDirectory(zip, 'assets/lease.pdf', 38, 0xa1ff_0000, 4);
    await refused(invalid, link, /no plain file/);
    await refused(invalid, inDirectory(zip, 'assets/lease.pdf', 8, 1, 2), /encrypted/);
    // One byte too many, all of them and too few are declared; the sum does not fit.
    const sized = (bytes: number) => inDirectory(zip, 'assets/lease.pdf', 24, bytes, 4);
    await refused(invalid, sized(limits.fileBytes + 1), /lease\.pdf has more than/);
    await refused(invalid, sized(limits.fileBytes), /damaged/);
    await refused(invalid, sized(10));
    await refused(invalid, inDirectory(zip, 'assets/lease.pdf', 16, 1, 4), /damaged/);
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`assets/${index}`, '']));
    await refused(invalid, await zipOf({ ...packed, ...many }), /entries/);
    proves('error:flows.package_invalid');
    await refused([422, 'flows.definition_invalid'], await zipOf({ 'flow.json': '{"format_version":1}' }));
    const answer = await call('POST', `${path()}/import`, {});
    assert.deepEqual([answer.status, answer.body.error_key], [415, 'request.unsupported_media_type']);
  });

  test('that unpack to more than they may have are refused before they are unpacked', async () => {
    const zeros = Buffer.alloc(limits.fileBytes);
    const entries = Object.fromEntries(
      Array.from({ length: 5 }, (_, index) => [`assets/${index}.pdf`, zeros]),
    );
    const bomb = await zipOf({ 'flow.json': manifestOf(), ...entries });
    assert.ok(bomb.length < 100_000);
    await refused([400, 'flows.package_invalid'], bomb, /Unpacked/);
    proves('limit:flowPackageBytes');
  });

  test('have as many files, entries and bytes as the limits, and no more', async () => {
    const most = limits.flowAssetsMost;
    const packed = (assets: number, entries: number) => {
      const named = Array.from({ length: assets }, (_, index) =>
        asset({ asset_key: `${index}`.padEnd(flowLimits.referenceMost, 'k') }),
      );
      const others = Array.from({ length: entries - 3 }, (_, index) => [`assets/${index}`, '']);
      const manifest = manifestOf({ assets: named });
      const used = manifest.length + LEASE.length;
      const files = { 'flow.json': manifest, 'assets/lease.pdf': LEASE, 'assets/big': 'x' };
      return { used, zip: zipOf({ ...files, ...Object.fromEntries(others) }) };
    };
    const filled = async (more: number) => {
      const { used, zip } = packed(most, 4 * most);
      return inDirectory(await zip, 'assets/big', 24, limits.flowPackageBytes - used + more, 4);
    };
    const invalid = [400, 'flows.package_invalid'] as const;
    await refused(invalid, await packed(most + 1, 3).zip, /more than 50 files/);
    await refused(invalid, await packed(1, 4 * most + 1).zip, /more than 200 entries/);
    await refused(invalid, await filled(1), /Unpacked/);
    const { status, body } = await importOf(await filled(0));
    assert.deepEqual([status, body.assets?.length], [201, most], JSON.stringify(body));
  });

  test('files of a draft are stored, read, replaced and deleted; those of versions stay', async () => {
    const { id } = (await call('POST', path(), { definition: leaseContract.definition })).body;
    const file = `${path()}/${id}/assets/lease`;
    const refusedFile = async (expected: readonly [number, string], method: string, body?: Buffer) => {
      const answer = await call(method, file, body, body === undefined ? {} : PDF);
      assert.deepEqual([answer.status, answer.body?.error_key], expected, answer.text);
    };
    await refusedFile([404, 'flows.asset_not_found'], 'GET');
    await refusedFile([404, 'flows.asset_not_found'], 'DELETE');
    proves('error:flows.asset_not_found');
    await refusedFile([400, 'flows.asset_invalid'], 'PUT', Buffer.from('GIF89a'));
    proves('error:flows.asset_invalid');
    const issues = (await call('POST', `${path()}/${id}/publish`)).body.issues;
    assert.deepEqual(issues[0].code, 'reference_unknown');
    const stored = (await call('PUT', `${file}?original_name=Lease%20%C3%BC.pdf`, LEASE, PDF)).body;
    proves('route:PUT /api/services/{id}/flows/{flowId}/assets/{key}');
    assert.deepEqual(
      [stored.asset_key, stored.original_name, stored.size],
      ['lease', 'Lease ü.pdf', LEASE.length],
    );
    proves('route:POST /api/services/{id}/flows/{flowId}/publish');
    assert.deepEqual((await call('POST', `${path()}/${id}/publish`)).body, { version: 1 });
    const read = await bytesOf(file);
    proves('route:GET /api/services/{id}/flows/{flowId}/assets/{key}');
    assert.ok(read.bytes.equals(LEASE));
    assert.equal(read.response.headers.get('content-type'), 'application/pdf');
    const other = textPdf(['Other {{ tenant_name }}']);
    await call('PUT', file, other, PDF);
    const flow = (await call('GET', `${path()}/${id}`)).body;
    assert.deepEqual([flow.changed, flow.revision, flow.assets[0].size], [true, 1, other.length]);
    await call('POST', `${path()}/${id}/publish`);
    proves('route:DELETE /api/services/{id}/flows/{flowId}/assets/{key}');
    assert.equal((await call('DELETE', file)).status, 204);
    const kept = async (version: number) =>
      (await call('GET', `${path()}/${id}/versions/${version}`)).body.assets.map(
        ({ size }: { size: number }) => size,
      );
    assert.deepEqual([await kept(1), await kept(2)], [[LEASE.length], [other.length]]);
    // The bytes of both versions outlive every sweep, and go with the flow.
    platform().clock.advance(60 * 60_000);
    await platform().context.blobs.sweep();
    assert.ok((await bytesOf(`${path()}/${id}/package?version=1`)).bytes.length > LEASE.length);
    assert.equal((await call('DELETE', `${path()}/${id}`)).status, 204);
  });
});

test('a company that stores one PDF after the other must wait, by whatever client, and no other company is', async () => {
  const platform = await startPlatform('sqlite', { SYMBOLON_RATE_TEMPLATES: '2' });
  try {
    const make = async () => {
      const company = await registerCompany(platform);
      const { id } = await createService(platform, company);
      const { token } = await createAccountClient(platform, company, ['service_management']);
      return { tokens: [company.token, token], path: `/api/services/${id}/flows/import` };
    };
    const store = async ({ path, tokens }: Awaited<ReturnType<typeof make>>, by: number) => {
      const options = { token: tokens[by] ?? '', headers: ZIP, body: Buffer.from('no package') };
      return platform.call('POST', path, options);
    };
    const [busy, other] = [await make(), await make()];
    assert.deepEqual([(await store(busy, 0)).status, (await store(busy, 1)).status], [400, 400]);
    for (const by of [0, 1]) {
      const refusal = await store(busy, by);
      proves('rate:templates');
      assert.deepEqual([refusal.status, refusal.body.error_key], [429, 'rate_limit.exceeded']);
      assert.match(refusal.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    }
    assert.equal((await store(other, 0)).status, 400);
  } finally {
    await platform.stop();
  }
});
