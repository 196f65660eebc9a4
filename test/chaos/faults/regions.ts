import { setTimeout as pause } from 'node:timers/promises';
import { MOVE_MOST_MS } from '@symbolon/testkit/limits';
import { both, type ChaosFault } from './fault.ts';
import { calm, killed } from './processes.ts';

const MOVE_FOR_ONE = 10;

/** Two regions with a front door. */
export const regionFaults: readonly ChaosFault[] = (
  [
    { ...calm, name: 'regions in calm' },
    {
      name: 'regions are cut off from each other, connections refused',
      engines: both,
      async run({ installation: { links } }, _random, seconds) {
        await Promise.all(links.map((link) => link.refuse()));
        await pause(seconds * 1000);
        await Promise.all(links.map((link) => link.accept()));
      },
    },
    {
      name: 'regions are cut off from each other, the network stalls',
      engines: both,
      async run({ installation: { links } }, random, seconds) {
        for (const link of links) link.stall(random.pick(['up', 'down', 'both']));
        await pause(seconds * 1000);
        for (const link of links) link.pass();
      },
    },
    {
      name: 'connections between regions go silent',
      engines: both,
      async run({ installation: { links } }, _random, seconds) {
        for (const link of links) link.silence();
        await pause(seconds * 1000);
      },
    },
    { ...killed, name: 'processes of regions and the front door are killed' },
    {
      name: 'the company moves, while the network between the regions breaks',
      engines: both,
      async run(world, random, seconds) {
        const { links } = world.installation;
        let goesOn = true;
        const breaking = (async () => {
          while (goesOn) {
            await pause(random.whole(100, 600));
            for (const link of links) link.reset();
            for (const link of links) link.stall();
            await pause(random.whole(50, 400));
            for (const link of links) link.pass();
          }
        })();
        const end = performance.now() + seconds * 1000;
        const most = Math.min(MOVE_MOST_MS, seconds * MOVE_FOR_ONE * 1000);
        const state = await world.moveCompany(most);
        goesOn = false;
        await breaking;
        if (state === 'copying' && performance.now() > end) return;
        if (state !== 'switched' && state !== 'done') await world.moveCompany(most);
      },
    },
  ] satisfies ChaosFault[]
).map((fault) => ({ ...fault, setting: 'regions' as const }));
