/** What a company has booked, lowest first; the operator sets it. */
export const companyLevels = ['free', 'basic', 'pro', 'enterprise'] as const;
export type CompanyLevel = (typeof companyLevels)[number];

/** From which level on a feature may be used (wire 4.5). */
export const levelGates = {
  /** Registering a data client, and everything that is done with it. */
  dataClient: 'basic',
  /** Enrolling a person for the second factor; an enrolment that stands keeps working. */
  twoFactorEnrolment: 'pro',
} as const satisfies Record<string, CompanyLevel>;

/** Whether a level is the one asked for, or above it. */
export function levelAtLeast(level: CompanyLevel, least: CompanyLevel): boolean {
  return companyLevels.indexOf(level) >= companyLevels.indexOf(least);
}
