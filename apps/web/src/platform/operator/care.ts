import type {
  AdminBackup,
  AdminFieldTypeList,
  BackupState,
  FieldTypeRow,
  MaintenanceView,
  RotationResult,
  ServerKeys,
  SigningKeyView,
} from '@symbolon/protocol';
import type { Query } from '../queries.ts';
import { operatorCall } from './inner/api.ts';
import { operatorKeys } from './keys.ts';

/** What the region is kept from. */
export const maintenanceQuery: Query<MaintenanceView> = {
  key: operatorKeys.adminMaintenance,
  read: () => operatorCall('GET', '/maintenance'),
};
export type MaintenanceState = keyof MaintenanceView;
export const setMaintenance = (
  state: MaintenanceState,
  on: boolean,
  reason?: string,
): Promise<MaintenanceView> =>
  operatorCall('PUT', `/maintenance/${state.replaceAll('_', '-')}`, { on, ...(reason && { reason }) });

/** When backups were made and proven. */
export const backupStateQuery: Query<BackupState> = {
  key: operatorKeys.adminBackupState,
  read: () => operatorCall('GET', '/backup-state'),
};
/** What the schedule has made, the newest first. */
export const backupsQuery: Query<readonly AdminBackup[]> = {
  key: operatorKeys.adminBackups,
  read: async () => (await operatorCall<{ backups: AdminBackup[] }>('GET', '/backups')).backups,
};
export const askForBackup = (): Promise<BackupState> => operatorCall('POST', '/backups');

/** The versions of the server's secret, and what needs each of them. */
export const serverKeysQuery: Query<ServerKeys> = {
  key: operatorKeys.adminKeys,
  read: () => operatorCall('GET', '/keys'),
};
/** Texts that one call encrypts again: little enough for what is done to be seen. */
const BATCH = 500;
/** Changes to a newer version, and encrypts all texts under it. @param told is called with what is done and what remains */
export async function rotateServerKeys(
  told: (done: number, remaining: number) => void,
): Promise<RotationResult> {
  let done = 0;
  for (;;) {
    const result = await operatorCall<RotationResult>('POST', '/keys/rotate', { batch: BATCH });
    done += result.re_encrypted;
    told(done, result.remaining);
    if (result.remaining === 0) return { ...result, re_encrypted: done };
  }
}
export const dropServerKey = (version: number, force: boolean): Promise<void> =>
  operatorCall('DELETE', `/keys/${version}${force ? '?force=true' : ''}`);

/** The keys that sign id_tokens. */
export const signingKeysQuery: Query<readonly SigningKeyView[]> = {
  key: operatorKeys.adminSigningKeys,
  read: async () =>
    (await operatorCall<{ signing_keys: SigningKeyView[] }>('GET', '/signing-keys')).signing_keys,
};
export const rotateSigningKeys = (compromised: boolean): Promise<void> =>
  operatorCall('POST', '/signing-keys/rotate', { compromised });

export type ListedType = AdminFieldTypeList['field_types'][number];
export const adminFieldTypesQuery: Query<readonly ListedType[]> = {
  key: operatorKeys.adminFieldTypes,
  read: async () => (await operatorCall<AdminFieldTypeList>('GET', '/field-types')).field_types,
};
/** @param row as the platform takes it; it says what is wrong with it */
export const addFieldType = (row: unknown, { dryRun }: { dryRun: boolean }): Promise<FieldTypeRow> =>
  operatorCall('POST', `/field-types${dryRun ? '?dry_run=true' : ''}`, row);
export const removeFieldType = (type: string): Promise<void> =>
  operatorCall('DELETE', `/field-types/${encodeURIComponent(type)}`);
