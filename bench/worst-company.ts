import { limits } from '@symbolon/protocol';
import {
  connect,
  createService,
  dataToken,
  registerCompany,
  registerPerson,
} from '@symbolon/testkit/actors/actors';
import { Child } from './support/child.ts';
import { LoadGenerator, lanes } from './support/load.ts';
import { dataFolder, FORWARDED, Platform } from './support/platform.ts';
import { atMost, type Benchmark, figure, runAlone } from './support/report.ts';
import { sized } from './support/setting.ts';
import { quantile } from './support/stats.ts';

const SECONDS = sized(4, 0.2);
const AT_ONCE = sized(4, 1);
const NODES = sized(9_900, 100);
/** Calls of a client in a minute, at most (wire 8.1): more would be refused. */
const CALLS_MOST = 300;
const RATIO_MOST = 3;
/** Processor time of the thread that answers, in one turn of its loop. */
const TURN_MS_MOST = 50;

/** The calls of a company, while another does what is dearest for as long as its limit lets it. */
export const worstCompany: Benchmark = async () => {
  await using folder = await dataFolder();
  await using platform = await Platform.start(folder.path, {}, 'scale-platform.ts');
  const generator = await LoadGenerator.start();
  const neighbour = await registerCompany(platform);
  const company = await registerCompany(platform);
  const service = await createService(platform, company);
  const client = await dataToken(platform, service);
  const flows = `/api/services/${service.id}/flows`;
  const definition = longWay();
  const { id } = await platform.must('POST', flows, { token: company.token, body: { definition } });
  await platform.must('POST', `${flows}/${id}/publish`, { token: company.token });
  const person = await registerPerson(platform);
  const target = { connection_id: await connect(platform, person, service) };
  const bindings = { client: person.id };
  const runs = `/api/company-data/flows/${id}/runs`;
  const { id: runId } = await platform.must('POST', runs, { token: client, body: { target, bindings } });

  const send = async (
    method: string,
    path: string,
    { token = company.token, accept = 'application/json', body = '', base = platform.url },
  ) => {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: {
        ...FORWARDED,
        accept,
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body }),
    }).catch(() => undefined);
    // A connection may end with the refusal of a body.
    await response?.arrayBuffer().catch(() => {});
  };
  const xml = { accept: 'application/xml' };
  const published = `/api/company-data/flows/${id}/published`;
  const run = `/api/company-data/flow-runs/${runId}`;
  const large = JSON.stringify({ definition });
  const photo = JSON.stringify({ file: 'A'.repeat(sized(limits.uploadBodyBytes - 2 ** 20, 2 ** 20)) });
  // What the company's own work and its bytes on the way do to the machine, whatever the platform does with them.
  const elsewhere = await Child.start<string>('bare-http.ts', [String(large.length)]);
  const acts: Record<string, () => Promise<unknown>> = {
    nothing: () => new Promise((done) => setTimeout(done, 50)),
    'reads as much elsewhere': () => send('GET', '/', { base: elsewhere.ready }),
    'sends as much elsewhere': () => send('POST', '/', { base: elsewhere.ready, body: large }),
    'reads a draft as XML': () => send('GET', `${flows}/${id}`, xml),
    'reads a draft': () => send('GET', `${flows}/${id}`, {}),
    'reads a published flow as XML': () => send('GET', published, { ...xml, token: client }),
    'reads a published flow': () => send('GET', published, { token: client }),
    'reads a run as XML': () => send('GET', run, { ...xml, token: client }),
    'reads a run': () => send('GET', run, { token: client }),
    'packs a flow': () => send('GET', `${flows}/${id}/package`, {}),
    'checks a flow': () => send('POST', `${flows}/${id}/check`, {}),
    'publishes a flow': () => send('POST', `${flows}/${id}/publish`, {}),
    'creates a flow': () => send('POST', flows, { body: large }),
    'saves a flow, refused': () => send('PUT', `${flows}/${id}`, { body: large }),
    'uploads a photo, refused': () => send('POST', '/api/photos', { body: photo }),
  };

  const taken: { name: string; calls: number; p50: number; p99: number; turn: number }[] = [];
  for (const [name, act] of Object.entries(acts)) {
    await act();
    await platform.loopDelay();
    const asking = generator.run({
      lanes: lanes(1, {
        url: `${platform.url}/api/account`,
        method: 'GET',
        headers: { ...FORWARDED, authorization: `Bearer ${neighbour.token}` },
      }),
      seconds: SECONDS,
    });
    const until = performance.now() + SECONDS * 1000;
    let calls = 0;
    const attack = async () => {
      while (performance.now() < until && calls++ < CALLS_MOST) await act();
    };
    await Promise.all(Array.from({ length: AT_ONCE }, attack));
    const { latenciesMs } = await asking;
    const { cpuMs: turn } = await platform.loopDelay();
    taken.push({ name, calls, p50: quantile(latenciesMs, 0.5), p99: quantile(latenciesMs, 0.99), turn });
  }
  await generator.stop();
  await elsewhere.stop();
  const [quiet = Number.NaN, ...controls] = taken.slice(0, 3).map(({ p99 }) => p99);
  const control = Math.max(quiet, ...controls);
  return {
    title: 'Beside a company that does its worst',
    how: `\`GET /api/account\` of one company over one connection, while another does the same for ${SECONDS} s over ${AT_ONCE}, ${CALLS_MOST} times at most; its flow has ${figure(NODES, 0)} steps. Platform and both clients share the machine: the same company that reads and sends as much at a bare server in another process is the control.`,
    table: {
      head: [
        'the other company',
        'its calls',
        'p50, ms',
        'p99, ms',
        'of quiet',
        'of control',
        'longest turn, CPU ms',
      ],
      rows: taken.map(({ name, calls, p50, p99, turn }) => [
        name,
        calls,
        figure(p50),
        figure(p99),
        figure(p99 / quiet),
        figure(p99 / control),
        figure(turn),
      ]),
    },
    bars: taken
      .slice(3)
      .flatMap(({ name, p99, turn }) => [
        atMost(`${name}: of the control`, p99 / control, RATIO_MOST),
        atMost(`${name}: longest turn, ms`, turn, TURN_MS_MOST, ''),
      ]),
  };
};

function longWay() {
  const field = { kind: 'field', field_type: 'text', label: 'What is to be said here', required: false };
  return {
    name: 'Long',
    output_mode: 'data_only',
    entry: 'step_0',
    parties: [{ key: 'client', label: 'Client' }],
    nodes: Array.from({ length: NODES }, (_, index) => ({
      ...{ key: `step_${index}`, party: 'client', title: `Step ${index}` },
      elements: [{ ...field, slug: `said_${index}` }],
    })),
    edges: Array.from({ length: NODES - 1 }, (_, index) => ({
      ...{ from: `step_${index}`, to: `step_${index + 1}`, sort: 1 },
    })),
    constants: [],
  };
}

if (import.meta.main) await runAlone(worstCompany);
