import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { FlowDefinition } from '@symbolon/protocol';
import {
  connect,
  createService,
  dataToken,
  registerCompany,
  registerPerson,
  type TestCompany,
  type TestPerson,
  type TestService,
} from '@symbolon/testkit/actors/actors';
import { leaf, submitOf } from '@symbolon/testkit/actors/flow-runs';
import { isAtLength } from '@symbolon/testkit/thoroughness';
import { type AbusedPlatform, calmest, greatest, startAbused } from './support/abused-platform.ts';

/* Requests are small, and what they read is as large as the limits allow. Large bodies: hostile-bodies.test.ts. */

/** What others may wait for one request. */
const HELD_MOST_MS = 50;
const NODES = 10_000;
const RUNS = 12;
/** As many long answers as one submit takes for two parties. */
const ANSWERED = 8;
const ANSWER = 'x'.repeat(40_000);
/** As large as the documents of a page get: together below what all documents of a service take. */
const DOCUMENTS = 200;
const METADATA = { entries: Array.from({ length: 5000 }, (_, index) => index % 10) };

/** A way through as many steps as a flow may have, of nearly as many bytes: the first one ends it, too. */
function longWay(): FlowDefinition {
  const key = (index: number) => `step_${index}`;
  const isAsked = (index: number) => index === 0 || index > ANSWERED;
  const field = { field_type: 'text', label: 'What is to be said here', required: false } as const;
  const text = {
    kind: 'text',
    body: 'For {{ owner.company_name }}: what do you say to this? '.repeat(2),
  } as const;
  return {
    name: 'A long way',
    output_mode: 'data_only',
    entry: key(0),
    parties: [
      { key: 'client', label: 'Client' },
      { key: 'owner', label: 'Company', type: 'owner' },
    ],
    nodes: Array.from({ length: NODES }, (_, index) => ({
      ...{ key: key(index), party: index === NODES - 1 ? 'owner' : 'client', title: `Step ${index}` },
      elements: [
        ...(index === 0
          ? Array.from({ length: ANSWERED }, (_, at) => ({
              ...{ kind: 'field' as const, slug: `long_${at}`, ...field },
            }))
          : []),
        // A service has as many fields as a flow has steps.
        ...(isAsked(index) ? [{ kind: 'field' as const, slug: `said_${index}`, ...field }] : []),
        ...(index % 2 === 0 ? [text] : []),
      ],
    })),
    edges: Array.from({ length: NODES - 1 }, (_, index) => ({
      ...{ from: key(index), to: key(index + 1), sort: 1 },
      condition: { op: 'eq', field: `said_${isAsked(index) ? index : 0}`, value: 'nothing' },
    })),
    constants: [],
  };
}

let abused: AbusedPlatform;
let company: TestCompany;
let service: TestService;
let person: TestPerson;
let token: string;
let flowId: string;
let runId: string;
const definition = longWay();

const drafts = () => `/api/services/${service.id}/flows`;
const draft = () => `${drafts()}/${flowId}`;

type Ask = { as?: () => string; method?: string; path: () => string; body?: () => unknown };
const ofCompany = () => company.token;
const ofPerson = () => person.token;
const ofClient = () => token;
let revision = 1;

const REQUESTS: Readonly<Record<string, Ask>> = {
  'reads a draft': { path: draft },
  'renames a draft': { method: 'PUT', path: draft, body: () => ({ revision: revision++, name: 'Way' }) },
  'checks a draft': { method: 'POST', path: () => `${draft()}/check` },
  'publishes a draft': { method: 'POST', path: () => `${draft()}/publish` },
  'packs a draft': { path: () => `${draft()}/package` },
  'lists drafts': { path: drafts },
  'reads a version': { path: () => `${draft()}/versions/1` },
  'lists versions': { path: () => `${draft()}/versions` },
  'reads a published flow': { as: ofClient, path: () => `/api/company-data/flows/${flowId}/published` },
  'lists request fields': { as: ofClient, path: () => '/api/company-data/request-fields' },
  'reads a run': { as: ofClient, path: () => `/api/company-data/flow-runs/${runId}` },
  'lists runs': { as: ofClient, path: () => '/api/company-data/flow-runs' },
  'lists runs in the portal': { path: () => `${draft()}/runs` },
  'reads a run as a person': { as: ofPerson, path: () => `/api/person/flow-runs/${runId}` },
  'lists runs as a person': { as: ofPerson, path: () => '/api/person/flow-runs' },
  'lists documents': { as: ofClient, path: () => '/api/company-data/documents?limit=200' },
  'lists documents in the portal': { path: () => `/api/services/${service.id}/documents?limit=200` },
  'lists documents as a person': { as: ofPerson, path: () => '/api/person/documents' },
};

describe('what is stored at length', { skip: !isAtLength && 'with --all' }, () => {
  before(async () => {
    abused = await startAbused();
    company = await registerCompany(abused);
    service = await createService(abused, company);
    token = await dataToken(abused, service);
    person = await registerPerson(abused);
    const connection_id = await connect(abused, person, service);
    const path = `/api/services/${service.id}/flows`;
    ({ id: flowId } = await abused.must('POST', path, { token: company.token, body: { definition } }));
    await abused.must('POST', `${path}/${flowId}/publish`, { token: company.token });
    const answers = Object.fromEntries(Array.from({ length: ANSWERED }, (_, at) => [`long_${at}`, ANSWER]));
    for (let n = 0; n < DOCUMENTS; n++)
      await abused.must('POST', '/api/company-data/documents', {
        token,
        body: { kind: 'document', name: `Paper ${n}`, payload_kind: 'file', metadata: METADATA },
      });
    for (let n = 0; n < RUNS; n++) {
      const run = await abused.must('POST', `/api/company-data/flows/${flowId}/runs`, {
        token,
        body: { target: { connection_id }, bindings: { client: person.id, owner: company.id } },
      });
      runId = run.id;
      const body = await submitOf(run, n < 2 ? answers : {}, leaf);
      await abused.must('POST', `/api/person/flow-runs/${run.id}/answers`, { token: person.token, body });
    }
  });
  after(() => abused?.end());

  for (const format of ['json', 'xml'] as const)
    test(`delays no other caller when it is read as ${format}`, async () => {
      const slow: string[] = [];
      for (const [name, { as = ofCompany, method = 'GET', path, body }] of Object.entries(REQUESTS)) {
        const ask = async () => {
          const response = await fetch(`${abused.url}${path()}`, {
            method,
            headers: {
              accept: `application/${format}`,
              authorization: `Bearer ${as()}`,
              ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            },
            ...(body === undefined ? {} : { body: JSON.stringify(body()) }),
          });
          const text = await response.text();
          assert.ok(response.status < 300, `${name}: ${response.status} ${text.slice(0, 200)}`);
          const type = response.headers.get('content-type') ?? '';
          if (name !== 'packs a draft')
            assert.ok(type.startsWith(`application/${format}`), `${name}: ${type}`);
          return text.length;
        };
        // What happens once, as compiling the route's schema, is no attack.
        await ask();
        const { result: bytes, heldMs, waitsMs } = await calmest(HELD_MOST_MS, () => abused.during(ask));
        if (process.env.ABUSE_TABLE)
          console.log(
            `| ${name} | ${format} | ${bytes} | ${heldMs.toFixed(0)} | ${greatest(waitsMs).toFixed(0)} |`,
          );
        if (heldMs > HELD_MOST_MS) slow.push(`${name} (${Math.round(heldMs)} ms)`);
      }
      assert.deepEqual(slow, []);
    });
});
