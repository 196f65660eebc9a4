/** Environment of a test process. */
export interface Settings {
  /** The module that it was started with: its children and workers record no tests. */
  readonly entry: string;
  /** Of the test files that it runs, from the root. */
  readonly files: readonly string[];
  readonly root: string;
  /** Where it writes what it found; what its children reached stands beside it. */
  readonly result: string;
  /** Sources that are loaded instead of those of the project. */
  readonly sources: Readonly<Record<string, string>>;
  /** How many places note that they were reached; undefined when a mutant is tried. */
  readonly places?: number;
  /** Tests that pass without a mutant: only they can notice one. */
  readonly steady?: readonly string[];
  /** When these have passed, the mutant was not noticed; undefined when all tests may notice it. */
  readonly reaching?: readonly string[];
}

/** The path of the file that has them as JSON: they are too long for an environment. */
export const SETTINGS_VARIABLE = 'SYMBOLON_MUTANTS_SETTINGS';

/** What a test costs and which places it reached. */
export interface TestReach {
  readonly passed: boolean;
  /** Processor time in milliseconds. */
  readonly cost: number;
  readonly places: readonly number[];
}

export interface FileReach {
  /** Reached before, between and after the tests: by hooks, and by what runs by itself. */
  readonly outside: readonly number[];
  /** Processor time in milliseconds. */
  readonly outsideCost: number;
  readonly tests: Readonly<Record<string, TestReach>>;
}

/** Exit codes of a trial that has ended before its tests did. */
export const Ended = { noticed: 77, notNoticed: 78 } as const;

/** A call without an await is delayed by so much, in milliseconds: longer than the answer to a request takes. */
export const LATE_MS = 50;
