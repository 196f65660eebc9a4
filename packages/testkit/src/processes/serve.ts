/**
 * The platform as a process of its own, for tests that kill it. Prints its address once it serves, and when it stood still.
 * How webhooks are timed comes from SYMBOLON_FAULTS_PACE, which only this script reads; with it, it also prints when the
 * database was slow. With SYMBOLON_FAULTS_NEWER it is of a version with one more migration.
 */
import { flushCompileCache } from 'node:module';
import { readConfig, serve } from '@symbolon/server';
import { webhookPace } from '../../../server/src/domains/delivery/webhooks/pace.ts';
import { beNewer } from '../platform/newer.ts';
import { SLOW_DATABASE, STALLED, watchDatabase, watchStalls } from '../platform/stalls.ts';

const { DATABASE_URL, SYMBOLON_FAULTS_NEWER, SYMBOLON_FAULTS_PACE } = process.env;
if (SYMBOLON_FAULTS_NEWER !== undefined) beNewer();
const platform = await serve(readConfig(process.env), {
  webhookPace: { ...webhookPace, ...JSON.parse(SYMBOLON_FAULTS_PACE ?? '{}') },
});
const tell = (what: string) => (ms: number) => console.log(`${what}${Math.round(ms)}`);
const stopWatching =
  SYMBOLON_FAULTS_PACE === undefined || DATABASE_URL === undefined
    ? async () => {}
    : watchDatabase(DATABASE_URL, tell(SLOW_DATABASE));
process.once('SIGTERM', () => void Promise.all([platform.stop(), stopWatching()]));
watchStalls(tell(STALLED));
console.log(platform.url);
// Whoever is killed would leave nothing compiled to the next.
flushCompileCache();
