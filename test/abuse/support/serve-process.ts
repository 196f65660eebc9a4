/** The platform as a process of its own that tells how long work has held its thread. Asked by a message from its parent. */
import { readConfig } from '../../../packages/server/src/core/config.ts';
import { serve } from '../../../packages/server/src/serve.ts';

/*
 * The thread's own processor time between two turns of a timer: what others waited for it. How busy the machine is, which
 * wall-clock time would measure too, does not count.
 */
const usedMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

const platform = await serve(readConfig(process.env));
let longestMs = 0;
let lastMs = usedMs();
setInterval(() => {
  const nowMs = usedMs();
  longestMs = Math.max(longestMs, nowMs - lastMs);
  lastMs = nowMs;
}, 1);

process.on('message', () => {
  process.send?.({ longestMs, rss: process.memoryUsage.rss() });
  longestMs = 0;
});
process.once('disconnect', async () => {
  await platform.stop();
  process.exit();
});
process.send?.({ url: platform.url });
