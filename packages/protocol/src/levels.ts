/** The levels of a company, lowest first. The operator sets the level. */
export const companyLevels = ['free', 'basic', 'pro', 'enterprise'] as const;
export type CompanyLevel = (typeof companyLevels)[number];

/** The lowest level of each feature (wire 4.5). */
export const levelGates = {
  /** Registering a data client, and all its calls. */
  dataClient: 'basic',
  /** Enrolling a person for the second factor; an existing enrolment keeps working. */
  twoFactorEnrolment: 'pro',
  /** Messages in either direction, and broadcasts (wire 12). */
  messaging: 'pro',
} as const satisfies Record<string, CompanyLevel>;

/** Whether a level is at least the required one. */
export function levelAtLeast(level: CompanyLevel, least: CompanyLevel): boolean {
  return companyLevels.indexOf(level) >= companyLevels.indexOf(least);
}
