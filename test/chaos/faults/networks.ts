import { setTimeout as pause } from 'node:timers/promises';
import { moods } from '../model/consumers.ts';
import type { World } from '../world.ts';
import { both, type ChaosFault } from './fault.ts';

const toDatabase = ({ installation: { servers, others } }: World) =>
  [...servers, ...others].flatMap((member) => member.toDatabase ?? []);
const edges = ({ installation: { servers } }: World) => servers.flatMap(({ edge }) => edge ?? []);

export const networkFaults: readonly ChaosFault[] = [
  {
    name: 'receivers of webhooks fail',
    engines: both,
    async run(world, random, seconds) {
      const end = performance.now() + seconds * 1000;
      do {
        for (const receiver of world.receivers.values()) receiver.mood = random.pick(moods);
        await pause(random.whole(200, 800));
      } while (performance.now() < end);
      for (const receiver of world.receivers.values()) receiver.mood = 'ok';
    },
  },
  {
    name: 'answers to clients are cut',
    engines: both,
    async run(world, random, seconds) {
      for (const edge of edges(world)) {
        // By reset alone: an orderly end in the middle of an answer counts as its arrival for those who drain by silence.
        edge.fate = (bytes) =>
          random.chance(0.1)
            ? { bytes: random.whole(0, bytes), how: 'reset', lateMs: random.whole(0, 2000) }
            : 'pass';
      }
      await pause(seconds * 1000);
      for (const edge of edges(world)) edge.pass();
    },
  },
  {
    name: 'the network to PostgreSQL stalls',
    engines: ['postgres'],
    async run(world, random, seconds) {
      for (const proxy of toDatabase(world)) proxy.stall(random.pick(['up', 'down', 'both']));
      await pause(seconds * 1000);
      for (const proxy of toDatabase(world)) proxy.pass();
    },
  },
  {
    name: 'the network to PostgreSQL resets, then refuses',
    engines: ['postgres'],
    async run(world, random, seconds) {
      for (const proxy of toDatabase(world)) proxy.reset();
      await pause(random.whole(200, 800));
      await Promise.all(toDatabase(world).map((proxy) => proxy.refuse()));
      await pause(seconds * 1000);
      await Promise.all(toDatabase(world).map((proxy) => proxy.accept()));
    },
  },
  {
    name: 'connections to PostgreSQL go silent',
    engines: ['postgres'],
    async run(world, _random, seconds) {
      for (const proxy of toDatabase(world)) proxy.silence();
      await pause(seconds * 1000);
    },
  },
  {
    name: 'the network to PostgreSQL is slow',
    engines: ['postgres'],
    async run(world, _random, seconds) {
      for (const proxy of toDatabase(world)) proxy.slow(40);
      await pause(seconds * 1000);
      for (const proxy of toDatabase(world)) proxy.pass();
    },
  },
];
