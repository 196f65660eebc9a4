import type { FlowDefinition } from '@symbolon/protocol';
import { answers, keys } from '../queries.ts';

/** How far a party has come with the steps that are its own. */
export interface Progress {
  /** The step that waits, as the run names it. */
  readonly node: string;
  readonly step: number;
  /** On the longest way on: answers decide whether it is taken. */
  readonly about: number;
}

/**
 * @param way up to the step that waits
 * @param mine the parties that the person is
 */
export function progressOf(
  { nodes, edges }: Pick<FlowDefinition, 'nodes' | 'edges'>,
  way: readonly string[],
  mine: readonly string[],
): Progress | undefined {
  const parties = new Map(nodes.map(({ key, party }) => [key, party]));
  const own = (key: string) => (mine.includes(parties.get(key) ?? '') ? 1 : 0);
  const next = Map.groupBy(edges, ({ from }) => from);
  // No step is passed twice.
  const passed = new Set(way);
  const longest = new Map<string, number>();
  const after = (key: string): number => {
    const known = longest.get(key);
    if (known !== undefined) return known;
    passed.add(key);
    const on = (next.get(key) ?? []).filter(({ to }) => !passed.has(to));
    const most = Math.max(0, ...on.map(({ to }) => own(to) + after(to)));
    passed.delete(key);
    longest.set(key, most);
    return most;
  };
  const node = way.at(-1);
  const step = way.filter(own).length;
  return node === undefined || step === 0 ? undefined : { node, step, about: step + after(node) };
}

const keyOf = (runId: string) => [...keys.runProgress(runId), ''];

/** Keeps how far a run is, which lists of runs do not say. */
export const keepProgress = (runId: string, progress: Progress): void => {
  answers.setQueryData(keyOf(runId), progress);
};

/** How far a run is, where that was read before and is still so. */
export function keptProgress(run: { id: string; current_node: string | null }): Progress | undefined {
  const kept = answers.getQueryData<Progress>(keyOf(run.id));
  return kept?.node === run.current_node ? kept : undefined;
}
