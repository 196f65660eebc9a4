import type { TestPlatform } from './platform.ts';

/** Reads what waits on a feed and confirms it by word: none of it comes again, whatever the clock does. */
export async function drainAll(
  platform: TestPlatform,
  path: string,
  token: string,
): Promise<Record<string, unknown>[]> {
  const after = async (id: string) =>
    (await platform.must('GET', `${path}?after=${id}`, { token })).changes as { id: string }[];
  const changes = await after('');
  const last = changes.at(-1);
  if (last !== undefined) await after(last.id);
  return changes;
}
