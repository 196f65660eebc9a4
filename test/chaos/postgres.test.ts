import { chaosOn } from './testing.ts';

chaosOn('postgres', {
  one: [
    'processes are killed',
    'PostgreSQL restarts (immediate)',
    'the network to PostgreSQL resets, then refuses',
    'connections to PostgreSQL go silent',
    'receivers of webhooks fail',
    'backends of PostgreSQL are ended',
    'Redis is away',
    'PostgreSQL has no free connection',
    'the disk of the database is full',
    'processes are stopped in order',
  ],
});
