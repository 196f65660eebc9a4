import type { Key } from '../queries.ts';

const operator = (noun: string, ...about: readonly unknown[]): Key => ['operator', noun, ...about];

/** The names under which answers to the operator are kept. */
export const operatorKeys = {
  adminActs: operator('acts'),
  adminBackupState: operator('backup-state'),
  adminBackups: operator('backups'),
  adminCompanies: operator('companies'),
  adminCompany: (id: string) => operator('company', id),
  adminFieldTypes: operator('field-types'),
  adminJobs: operator('jobs'),
  adminKeys: operator('keys'),
  adminMaintenance: operator('maintenance'),
  adminMessages: operator('messages'),
  adminMessaging: (companyId: string) => operator('messaging', companyId),
  adminMoves: operator('moves'),
  adminPeople: operator('people'),
  adminReadiness: operator('readiness'),
  adminRegions: operator('regions'),
  adminSigningKeys: operator('signing-keys'),
  adminStatistics: operator('statistics'),
};
