import { mkdir, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { BENCHMARKS } from './benchmarks.ts';
import { machine } from './support/machine.ts';
import { toMarkdown } from './support/report.ts';
import { SMALL } from './support/setting.ts';

/*
 * `npm run bench` runs all of them and writes results/latest.md; `npm run bench token-route start` runs those named and
 * prints only; so does `npm run bench -- --small`, in the smallest setting, which shows that they run. They run one after the
 * other: each has the machine for itself.
 */
const named = process.argv.slice(2).filter((argument) => argument !== '--small');
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
  for (const [name, load] of Object.entries(BENCHMARKS)) {
    if (named.length > 0 && !named.includes(name)) continue;
    const benchmark = await load();
    // Above zero, other work had part of the machine: rates are then low, and ratios of rates less sure.
    const busy = loadavg()[0] ?? 0;
    const report = toMarkdown(await benchmark());
    const text = `${report}\n\`node bench/${name}.ts\`; load of the machine before: ${busy.toFixed(1)}`;
    console.log(`${text}\n`);
    parts.push(text);
  }
  if (named.length === 0 && !SMALL) {
    const folder = new URL('./results/', import.meta.url);
    await mkdir(folder, { recursive: true });
    await writeFile(new URL('latest.md', folder), `${parts.join('\n\n')}\n`);
  }
}
