import { mkdir, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { authentication } from './authentication.ts';
import { broadcasts } from './broadcasts.ts';
import { challenges } from './challenges.ts';
import { codeExchange } from './code-exchange.ts';
import { consentPage } from './consent-page.ts';
import { deviceSignals } from './device-signals.ts';
import { durability } from './durability.ts';
import { feedDrain } from './feed-drain.ts';
import { flowRuns } from './flow-runs.ts';
import { flows } from './flows.ts';
import { forwarder } from './forwarder.ts';
import { generation } from './generation.ts';
import { listScale } from './list-scale.ts';
import { sdkSync } from './sdk-sync.ts';
import { seal } from './seal.ts';
import { start } from './start.ts';
import { machine } from './support/machine.ts';
import { type Benchmark, toMarkdown } from './support/report.ts';
import { tokenRoute } from './token-route.ts';
import { uploads } from './uploads.ts';
import { webhooks } from './webhooks.ts';

const BENCHMARKS: Readonly<Record<string, Benchmark>> = {
  'token-route': tokenRoute,
  'code-exchange': codeExchange,
  'feed-drain': feedDrain,
  'sdk-sync': sdkSync,
  'list-scale': listScale,
  durability,
  start,
  authentication,
  webhooks,
  challenges,
  'device-signals': deviceSignals,
  broadcasts,
  uploads,
  'consent-page': consentPage,
  seal,
  generation,
  flows,
  'flow-runs': flowRuns,
  forwarder,
};

/*
 * `npm run bench` runs all of them and writes results/latest.md; `npm run bench token-route start` runs those named and
 * prints only. They run one after the other: each has the machine for itself.
 */
const named = process.argv.slice(2);
const unknown = named.filter((name) => !Object.hasOwn(BENCHMARKS, name));
if (unknown.length > 0) {
  console.error(
    `There is no benchmark ${unknown.join(', ')}. There are: ${Object.keys(BENCHMARKS).join(', ')}.`,
  );
  process.exitCode = 1;
} else {
  const { cpu, cores, memoryGb, node, os } = machine();
  const date = new Date().toISOString().slice(0, 10);
  const parts = [
    '# Benchmarks',
    `Written by \`npm run bench\` on ${date}. Machine: ${cpu}, ${cores} cores, ${memoryGb} GB, Node ${node}, ${os}. All on the embedded SQLite, over real HTTP, rate limits off, logs as in service; servers, clients and load generator in processes of their own on the one machine.`,
  ];
  for (const [name, benchmark] of Object.entries(BENCHMARKS)) {
    if (named.length > 0 && !named.includes(name)) continue;
    // Above zero, other work had part of the machine: rates are then low, and ratios of rates less sure.
    const load = loadavg()[0] ?? 0;
    const report = toMarkdown(await benchmark());
    const text = `${report}\n\`node bench/${name}.ts\`; load of the machine before: ${load.toFixed(1)}`;
    console.log(`${text}\n`);
    parts.push(text);
  }
  if (named.length === 0) {
    const folder = new URL('./results/', import.meta.url);
    await mkdir(folder, { recursive: true });
    await writeFile(new URL('latest.md', folder), `${parts.join('\n\n')}\n`);
  }
}
