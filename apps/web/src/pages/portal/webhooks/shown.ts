const SHOWN = ['all', 'failed', 'tests'] as const;
export type Shown = (typeof SHOWN)[number];

/** Which attempts are listed, and the one that is unfolded: both stand in the address. */
export interface ShownAttempts {
  readonly only?: Shown | undefined;
  readonly attempt?: string | undefined;
}

export const shownOf = ({ only, attempt }: Record<string, unknown>): ShownAttempts => ({
  only: SHOWN.find((each) => each === only),
  attempt: typeof attempt === 'string' ? attempt : undefined,
});
