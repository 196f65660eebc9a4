import type { Callable } from './calls.ts';

/** Reads what waits on a feed and confirms it by word: it does not come again, whatever the clock does. */
export async function drainAll(
  platform: Callable,
  path: string,
  token: string,
): Promise<Record<string, unknown>[]> {
  const after = async (id: string) =>
    (await platform.must('GET', `${path}?after=${id}`, { token })).changes as { id: string }[];
  const changes: { id: string }[] = [];
  for (let page = await after(''); page.length > 0; page = await after(page.at(-1)?.id ?? ''))
    changes.push(...page);
  return changes;
}
