import { sealed } from '@symbolon/testkit/actors/actors';
import { type BenchService, createService, dataToken } from './support/actors.ts';
import { Calls } from './support/calls.ts';
import { dataFolder, Platform } from './support/platform.ts';
import { atMost, type Benchmark, figure, runAlone } from './support/report.ts';
import { connectMany, openSeed } from './support/seed.ts';
import { rounds, sized, warmUps } from './support/setting.ts';
import { median, pairedRatio } from './support/stats.ts';

const SIZES = sized([1_000, 100_000], [200, 400]);
const PAGE = 100;
const ROUNDS = rounds(9);
/** Requests of a round, for each page of each size. */
const REQUESTS = sized(20, 2);

/**
 * What one page of the connection list costs among few connections and among many. Both services live in one database, as
 * they would; the second is walked from its start to its end first, as a client reaches a page by paging.
 */
export const listScale: Benchmark = async () => {
  await using folder = await dataFolder();
  await using platform = await Platform.start(folder.path);
  const services: { size: number; service: BenchService; token: string }[] = [];
  for (const size of SIZES) {
    const service = await createService(platform);
    services.push({ size, service, token: await dataToken(platform, service) });
  }
  const value = await sealed('lovelace@example.com');
  {
    await using seed = await openSeed(folder.path);
    for (const { size, service } of services) await connectMany(seed, service, size, () => value);
  }

  const calls = new Calls(platform.url, 1);
  const page = (token: string, offset: number) =>
    calls.must('GET', `/api/company-data/connections?limit=${PAGE}&offset=${offset}`, { token });
  const walks: number[] = [];
  for (const { size, token } of services) {
    const from = performance.now();
    for (let offset = 0; offset < size; offset += PAGE) {
      const { total, items } = await page(token, offset);
      if (total !== size || items.length !== PAGE) throw new Error(`The page at ${offset} is not full.`);
    }
    walks.push((performance.now() - from) / (size / PAGE));
  }

  // Offsets that were never asked for: the platform knows no page that ends there.
  let jumps = 0;
  const places = [
    { name: 'first', asked: true, offsetOf: () => 0 },
    { name: 'middle', asked: true, offsetOf: (size: number) => size / 2 },
    { name: 'last', asked: true, offsetOf: (size: number) => size - PAGE },
    { name: 'last, jumped to', asked: false, offsetOf: (size: number) => size - PAGE - 1 - (jumps++ % 500) },
  ];
  const cells = places.map((place) => ({ ...place, times: SIZES.map(() => [] as number[]) }));
  for (let round = -warmUps(1); round < ROUNDS; round++) {
    for (const { offsetOf, times } of cells) {
      // The two sizes take turns request by request, so that whatever else runs meets both.
      const took = SIZES.map(() => [] as number[]);
      for (let request = 0; request < REQUESTS; request++) {
        for (const [index, { size, token }] of services.entries()) {
          await page(token, offsetOf(size));
          took[index]?.push(calls.ms);
        }
      }
      if (round >= 0) for (const [index, ms] of took.entries()) times[index]?.push(median(ms));
    }
  }
  await calls.close();

  return {
    title: 'Connection list at scale',
    how: `One page of ${PAGE} connections with 5 answers each, request to last byte over one keep-alive connection, ${ROUNDS} interleaved rounds of ${REQUESTS} requests a cell, medians. Every page was reached by paging before, but those jumped to.`,
    table: {
      head: ['page', ...SIZES.map((size) => `ms at ${figure(size, 0)}`), 'ratio'],
      rows: [
        ...cells.map(({ name, times: [few = [], many = []] }) => [
          name,
          figure(median(few)),
          figure(median(many)),
          figure(pairedRatio(many, few)),
        ]),
        [
          'any, on the first walk',
          ...walks.map((ms) => figure(ms)),
          figure((walks[1] ?? 0) / (walks[0] ?? 0)),
        ],
      ],
    },
    bars: cells
      .filter(({ asked }) => asked)
      .map(({ name, times: [few = [], many = []] }) =>
        atMost(`${name} page, many to few`, pairedRatio(many, few), 1.5),
      ),
  };
};

if (import.meta.main) await runAlone(listScale);
