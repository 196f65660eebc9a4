/**
 * The platform as a process of its own, for tests that kill it. Prints its address once it serves, and when it stood still. How webhooks are timed
 * comes from SYMBOLON_FAULTS_PACE, which only this script reads.
 */
import { readConfig, serve } from '@symbolon/server';
import { webhookPace } from '../../../packages/server/src/domains/delivery/webhooks/pace.ts';
import { STALLED, watchStalls } from './stalls.ts';

const platform = await serve(readConfig(process.env), {
  webhookPace: { ...webhookPace, ...JSON.parse(process.env.SYMBOLON_FAULTS_PACE ?? '{}') },
});
process.once('SIGTERM', () => void platform.stop());
watchStalls((ms) => console.log(`${STALLED}${Math.round(ms)}`));
console.log(platform.url);
