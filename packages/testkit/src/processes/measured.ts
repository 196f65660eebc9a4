/** The platform as a process of its own that tells how long work has held its thread since it was asked last, by SIGWINCH. */
import { readConfig, serve } from '@symbolon/server';

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
const timer = setInterval(() => {
  const nowMs = usedMs();
  longestMs = Math.max(longestMs, nowMs - lastMs);
  lastMs = nowMs;
}, 1);

process.on('SIGWINCH', () => {
  console.log(`held ${longestMs} ${process.memoryUsage.rss()}`);
  longestMs = 0;
  lastMs = usedMs();
});
process.once('SIGTERM', () => {
  clearInterval(timer);
  void platform.stop();
});
console.log(platform.url);
