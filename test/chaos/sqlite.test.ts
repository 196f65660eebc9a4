import { chaosOn } from './testing.ts';

chaosOn('sqlite', {
  one: [
    'processes are killed',
    'receivers of webhooks fail',
    'answers to clients are cut',
    'the disk of the database is full',
    'processes are stopped in order',
  ],
  regions: [
    'processes of regions and the front door are killed',
    'regions are cut off from each other, connections refused',
    'connections between regions go silent',
    'the company moves, while the network between the regions breaks',
  ],
});
