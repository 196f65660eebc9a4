import { readFileSync } from 'node:fs';

/** Of the kernel, on every machine that it runs on. */
const TICKS_PER_SECOND = 100;

/** What the kernel has counted for a process. */
export function statOf(pid: number) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [, parent = 0] = fields;
  const seconds = (from: number) => ((fields[from] ?? 0) + (fields[from + 1] ?? 0)) / TICKS_PER_SECOND;
  return { parent, ownSeconds: seconds(11), endedSeconds: seconds(13) };
}

/** Memory of a process, in MB. */
export function residentMegabytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}
