import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { limits } from '@symbolon/protocol';
import { insertPeople } from '@symbolon/testkit/platform/rows';
import { AccessTokens } from '../packages/server/src/access/access-token.ts';
import { systemClock } from '../packages/server/src/core/clock.ts';
import { KeyRing } from '../packages/server/src/core/key-ring.ts';
import { dataFolder, Platform } from './support/platform.ts';
import { type Benchmark, figure, runAlone } from './support/report.ts';
import { openSeed } from './support/seed.ts';
import { sized } from './support/setting.ts';

/** As many as a person may have. */
const EACH = limits.eventStreamsMost;
const PEOPLE = sized(1_000, 2);
/** Every stream has had a sign of life. */
const QUIET_MS = sized((limits.eventStreamBeatSeconds + 2) * 1000, 20);

/** What a platform takes up while the pages of many people are open, each with its event stream. */
export const openStreams: Benchmark = async () => {
  await using folder = await dataFolder();
  const tokens = await tokensOf(folder.path);
  await using platform = await Platform.start(folder.path, { SYMBOLON_CONNECTIONS: '0' });
  const idle = await platform.usage();
  const sockets: Socket[] = [];
  for (const token of tokens) {
    sockets.push(...(await Promise.all(Array.from({ length: EACH }, () => listen(platform.url, token)))));
  }
  const opened = await platform.usage();
  await pause(QUIET_MS);
  const quiet = await platform.usage();
  for (const socket of sockets) socket.destroy();
  const count = sockets.length;
  const megabytes = (bytes: number) => bytes / 2 ** 20;
  const kilobytesEach = (quiet.rss - idle.rss) / 1024 / count;
  const share = (quiet.cpuMicros - opened.cpuMicros) / 1000 / QUIET_MS;
  return {
    title: 'Open event streams',
    how: `${figure(PEOPLE, 0)} people with ${EACH} streams each, opened over HTTP; then ${QUIET_MS / 1000} s in which nothing happens but the sign of life that each gets every ${limits.eventStreamBeatSeconds} s, with a look whether its session goes on. One process, from its sources.`,
    table: {
      head: ['', 'measured'],
      rows: [
        ['streams open', figure(count, 0)],
        ['memory before, MB', figure(megabytes(idle.rss), 0)],
        ['memory with all of them, MB', figure(megabytes(quiet.rss), 0)],
        ['each, kB', figure(kilobytesEach)],
        ['CPU to open one, µs', figure((opened.cpuMicros - idle.cpuMicros) / count, 0)],
        ['of one core while nothing happens, %', figure(share * 100)],
      ],
    },
    bars: [],
  };
};

/** Of new people, made as their sign-in would make them. */
async function tokensOf(dataDir: string): Promise<string[]> {
  await using seed = await openSeed(dataDir);
  const people = await insertPeople(seed, PEOPLE);
  const tokens = new AccessTokens({
    keys: new KeyRing(undefined, dataDir),
    region: 'local',
    clock: systemClock,
  });
  return people.map(({ id, epoch }) => tokens.mint('person', id, epoch));
}

/** Resolves when the stream has begun. */
async function listen(url: string, token: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(
    `GET /api/person/events HTTP/1.1\r\nhost: here\r\naccept: text/event-stream\r\nauthorization: Bearer ${token}\r\n\r\n`,
  );
  const [first] = (await once(socket, 'data')) as [Buffer];
  if (!first.toString().startsWith('HTTP/1.1 200')) throw new Error(first.toString());
  return socket.resume();
}

if (import.meta.main) await runAlone(openStreams);
