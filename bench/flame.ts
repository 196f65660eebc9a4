import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { argumentsOf, refuse } from '../scripts/usage.ts';
import { drawFlames } from './support/flame-graph.ts';
import { type CpuProfile, framesOf, layersOf } from './support/profile.ts';
import { figure, markdownTable } from './support/report.ts';

/*
 * Draws a processor profile as a flame graph, and says how much of it each layer takes:
 *
 *   BENCH_PROFILE=/tmp/profiles npm run bench token-route
 *   node bench/flame.ts /tmp/profiles/platform-4711.cpuprofile 35 docs/pictures/flame-token.svg
 *
 * The number is what a request takes, in microseconds, as the benchmark measured it; without a file nothing is drawn.
 */
const USAGE = 'node bench/flame.ts PROFILE [MICROSECONDS [PICTURE]]';
const [file, micros = '100', picture] = argumentsOf(USAGE);
if (file === undefined) refuse('Name the profile.', USAGE);
const root = framesOf(JSON.parse(await readFile(file, 'utf8')) as CpuProfile);
const perRequest = Number(micros);
console.log(
  markdownTable({
    head: ['layer', 'µs', '%'],
    rows: layersOf(root).map(({ layer, share }) => [
      layer,
      figure(share * perRequest, 1),
      figure(share * 100, 1),
    ]),
  }),
);
if (picture !== undefined) {
  await writeFile(picture, drawFlames(root, { title: basename(picture, '.svg'), micros: perRequest }));
}
