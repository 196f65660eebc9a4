import { statfs } from 'node:fs/promises';

/** The file system of a folder: what a process without special rights may still write, and what it holds in all, in bytes. */
export async function diskOf(folder: string): Promise<{ free: number; size: number }> {
  const { bavail, bsize, blocks } = await statfs(folder);
  return { free: bavail * bsize, size: blocks * bsize };
}
