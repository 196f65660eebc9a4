import type { ApiClient, CompanyClient } from '@symbolon/sdk/account';
import { Problem } from '../problem.ts';
import type { Owned } from './owned.ts';
import type { Present } from './present.ts';
import type { WantedService } from './shape.ts';

/** A line of a plan. */
export type Line = { sign: '+' | '~' | '-'; what: string; how: readonly string[] };

/** What an act needs. */
export type Acting = {
  api: ApiClient;
  company: () => Promise<CompanyClient>;
  owned: Owned;
  /** Keeps a secret or key that is made, in the folder of `--secrets`. */
  keep: (name: string, text: string) => void;
};
/** One act of a plan: what it is, and how it is done. */
export type Act = { lines: readonly Line[]; makesSecret?: true; run: (acting: Acting) => Promise<void> };

/** A service of the file. Its id is there once it is created. */
export type Target = { wanted: WantedService; id?: string };

export type Plan = {
  acts: readonly Act[];
  /** What the file owned, has no longer and would delete with `--prune`. */
  left: readonly string[];
  /** What the file names and is as it says. */
  same: readonly string[];
};
export type Planning = { present: Present; owned: Owned; prune: boolean; folder: string };

/** What part of the plan a part of the file makes. */
export type Part = { acts: Act[]; left: string[]; same: string[] };
export const newPart = (): Part => ({ acts: [], left: [], same: [] });

/** What of the wanted members is otherwise, in words. Members that are not wanted are left alone. */
export function differences(
  wanted: Readonly<Record<string, unknown>>,
  present: Readonly<Record<string, unknown>>,
): string[] {
  return Object.entries(wanted)
    .filter(([name, value]) => !isSame(value, present[name]))
    .map(([name, value]) => `${name}: ${shown(present[name])} → ${shown(value)}`);
}

export const shown = (value: unknown): string => JSON.stringify(value ?? null);

/** Equal as JSON, whatever the order of members. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one ?? null)) === JSON.stringify(sorted(other ?? null));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  );
}

/** The id of a service that an act before this one has created. */
export function idOf({ id, wanted }: Target): string {
  if (id === undefined) throw new Problem(`The service ${wanted.code} was not created.`);
  return id;
}
