import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type FlowDefinition, limits } from '@symbolon/protocol';
import {
  connect,
  createService,
  dataToken,
  registerCompany,
  registerPerson,
} from '@symbolon/testkit/actors/actors';
import { zipOf } from '@symbolon/testkit/actors/flow-packages';
import { isAtLength, someOf } from '@symbolon/testkit/thoroughness';
import { type AbusedPlatform, calmest, greatest, startAbused } from './support/abused-platform.ts';

/** What others may wait for one request. */
const HELD_MOST_MS = 50;
const BYTES = limits.flowDefinitionBytes - 4096;

/** Of a step: with fewer, there would be more steps than a flow may have. */
const FIELDS = 6;

/** A flow of as many fields as there is room for. */
function longFlow(label: string): FlowDefinition {
  const field = { kind: 'field', field_type: 'text', label, required: false } as const;
  const step = (index: number): FlowDefinition['nodes'][number] => ({
    ...{ key: `step_${index}`, party: 'client', title: label },
    elements: Array.from({ length: FIELDS }, (_, at) => ({ ...field, slug: `said_${index}_${at}` })),
  });
  const bytes = Buffer.byteLength(JSON.stringify(step(10_000))) + 1;
  return {
    name: 'Long',
    output_mode: 'data_only',
    entry: 'step_0',
    parties: [{ key: 'client', label: 'Client' }],
    nodes: Array.from({ length: Math.floor(BYTES / bytes) }, (_, index) => step(index)),
    edges: [],
    constants: [],
  };
}

/** A way through as many steps and fields as a service may have. */
function longWay(): FlowDefinition {
  const { nodes, ...flow } = longFlow('F');
  const key = (index: number) => `step_${index}`;
  const field = { kind: 'field', field_type: 'text', label: 'F', required: false } as const;
  const [first] = nodes;
  assert.ok(first);
  return {
    ...flow,
    nodes: Array.from({ length: limits.flowElementsOfServiceMost }, (_, index) => ({
      ...{ ...first, key: key(index), title: 'F'.repeat(190) },
      elements: [{ ...field, slug: `said_${index}` }],
    })),
    edges: Array.from({ length: limits.flowElementsOfServiceMost - 1 }, (_, index) => ({
      ...{ from: key(index), to: key(index + 1), sort: 1 },
    })),
  };
}

/** As many bytes as there may be: a head, the repetition of something, and a tail. */
const filled = (head: string, unit: string, tail: string) =>
  `${head}${unit.repeat(Math.floor((BYTES - head.length - tail.length) / unit.length))}${tail}`;

/** Definitions as JSON, by what takes long in them, and whether each is one. */
const DEFINITIONS: Readonly<Record<string, readonly [status: 201 | 400 | 413 | 422, () => string]>> = {
  'as many fields as fit': [201, () => JSON.stringify(longFlow('F'))],
  'fields with large characters': [201, () => JSON.stringify(longFlow('Φ'))],
  'fields with escapes': [201, () => JSON.stringify(longFlow('!!!!!!')).replaceAll('!!!!!!', '\\u0046')],
  'as many elements as there may be': [
    422,
    () => filled('{"x":"\\u0041","nodes":[', `[],${' '.repeat(10)}`, '[]]}'),
  ],
  'more elements than there may be': [413, () => filled('{"nodes":[', '0,', '0]}')],
  'as many members as there may be': [
    422,
    () => `{${Array.from({ length: 280_000 }, (_, index) => `"m${index}":0`).join()}}`,
  ],
  'one long text': [422, () => `{"name":"${'é'.repeat(BYTES / 2 - 20)}"}`],
  'a long text of escapes': [422, () => filled('{"name":"', '\\u0041', '"}')],
  '__proto__ at the end': [400, () => filled('{"nodes":[', `"abcd",`, '""],"__proto__":{}}')],
};

let abused: AbusedPlatform;
let token: string;
let path: string;

before(async () => {
  abused = await startAbused();
  const company = await registerCompany(abused);
  const service = await createService(abused, company);
  token = company.token;
  path = `/api/services/${service.id}/flows`;
});
after(() => abused?.end());

test('the first run of a version delays no other caller', { skip: !isAtLength && 'with --all' }, async () => {
  const company = await registerCompany(abused);
  const service = await createService(abused, company);
  const person = await registerPerson(abused);
  const connection_id = await connect(abused, person, service);
  const ofService = await dataToken(abused, service);
  const flows = `/api/services/${service.id}/flows`;
  const definition = longWay();
  assert.ok(JSON.stringify(definition).length > 0.9 * BYTES);
  const { id } = await abused.must('POST', flows, { token: company.token, body: { definition } });
  let revision = 1;
  // Another version each time: those that were read are held.
  const start = async () => {
    const name = `Long ${revision}`;
    await abused.must('PUT', `${flows}/${id}`, { token: company.token, body: { revision, name } });
    await abused.must('POST', `${flows}/${id}/publish`, { token: company.token });
    revision++;
    const body = { target: { connection_id }, bindings: { client: person.id } };
    await abused.must('POST', `/api/company-data/flows/${id}/runs`, { token: ofService, body });
  };
  const { heldMs } = await calmest(HELD_MOST_MS, () => abused.during(start));
  if (process.env.ABUSE_TABLE) console.log(`| first run | 201 | ${heldMs.toFixed(0)} | |`);
  assert.ok(heldMs <= HELD_MOST_MS, `${Math.round(heldMs)} ms`);
});

const send = async (method: string, at: string, type: string, body: string | Buffer) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': type };
  const response = await fetch(`${abused.url}${at}`, { method, headers, body: body as BodyInit });
  return { status: response.status, body: (await response.json()) as { id: string; error_key?: string } };
};

test('no definition keeps other callers waiting', async () => {
  const slow: string[] = [];
  const look = async (name: string, expected: number, ask: () => ReturnType<typeof send>) => {
    const { result, heldMs, waitsMs } = await calmest(HELD_MOST_MS, () => abused.during(ask));
    assert.equal(result.status, expected, `${name}: ${JSON.stringify(result.body).slice(0, 300)}`);
    if (process.env.ABUSE_TABLE)
      console.log(`| ${name} | ${expected} | ${heldMs.toFixed(0)} | ${greatest(waitsMs).toFixed(0)} |`);
    if (heldMs > HELD_MOST_MS) slow.push(`${name} (${Math.round(heldMs)} ms)`);
    return result.body;
  };
  // What happens once, as compiling the route's schema, is no attack.
  const { id } = (await send('POST', path, 'application/json', '{"name":"Short"}')).body;
  for (const [name, [status, make]] of someOf(Object.entries(DEFINITIONS))) {
    const definition = make();
    const made: string[] = [];
    const ask = async (method: string, at: string, type: string, body: string | Buffer) => {
      const answer = await send(method, at, type, body);
      if (answer.status === 201) made.push(answer.body.id);
      return answer;
    };
    const json = 'application/json';
    await look(`create: ${name}`, status, () => ask('POST', path, json, `{"definition":${definition}}`));
    const zip = await zipOf({ 'flow.json': `{"format_version":1,"definition":${definition}}` });
    // What is wrong with its text is reported as the package's own mistake.
    const unread = status === 413 ? 400 : status;
    await look(`import: ${name}`, unread, () => ask('POST', `${path}/import`, 'application/zip', zip));
    for (const flow of made) await abused.must('DELETE', `${path}/${flow}`, { token });
    await look(`save: ${name}`, status === 201 ? 200 : status, async () => {
      const { revision } = await abused.must('GET', `${path}/${id}`, { token });
      return ask('PUT', `${path}/${id}`, json, `{"revision":${revision},"definition":${definition}}`);
    });
  }
  const beside = filled('{"definition":{},"more":[', `"abcd",`, '""]}');
  await look('much beside the definition', 400, () => send('POST', path, 'application/json', beside));
  assert.deepEqual(slow, []);
});
