import { atFirstUse } from '../../../core/first-use.ts';
import { pingPostgres } from '../../../db/ping-postgres.ts';
import type { Core, Domain } from '../../domain.ts';
import {
  type BackupPlace,
  checkRecipients,
  type FindProgram,
  findProgram,
  lackOfPrograms,
  MADE,
  openPlace,
  PROVED,
} from '../backup/index.ts';
import { BackupStates } from './backup-state.ts';
import { Backups } from './backups.ts';
import { ScheduledBackups } from './scheduled-backups.ts';

/** Backups of the database of a region or of a front door: when asked for, and on a schedule where a place is set. */
export function createBackups(
  core: Core,
  find: FindProgram = findProgram,
): { backups: Backups; backupStates: BackupStates; domain: Domain } {
  const backups = new Backups({ ...core, blobs: core.blobStore, find });
  const { backup, roles } = core.config;
  const makesThem = roles.has('worker') || !roles.has('region');
  if (makesThem) showBackups(core);
  if (backup.place === undefined) {
    return { backups, backupStates: new BackupStates({ ...core, place: undefined }), domain: {} };
  }
  const { place: where } = backup;
  let opened: BackupPlace | undefined;
  const place = atFirstUse(async () => {
    opened = await openPlace(where);
    return opened;
  });
  const domain: Domain = {
    async prepare() {
      await checkRecipients(backup.recipients);
      if (makesThem) await lookForPrograms(core, find);
    },
    workers: [new ScheduledBackups({ ...core, backups, place })],
    stop: async () => opened?.stop(),
  };
  return { backups, backupStates: new BackupStates({ ...core, place }), domain };
}

/** A schedule that cannot work is reported at the start, not by its first failure a day later. */
async function lookForPrograms({ config, log }: Core, find: FindProgram): Promise<void> {
  const url = config.databaseDirectUrl ?? config.databaseUrl;
  const server = url && (await pingPostgres(url).catch(() => undefined));
  const lack = server && (await lackOfPrograms(server.version, find));
  if (lack) log.error(`SYMBOLON_BACKUP_TO is set, and no backup can be made: ${lack}`);
}

function showBackups({ clock, config, instruments, settings }: Core): void {
  const begun = clock.now();
  const ageOf = (at: number) => (clock.now() - at) / 1000;
  instruments.gauges((show) => {
    const made = settings.get<number>(MADE);
    if (made !== undefined) show('symbolon.backup.age', ageOf(made), {});
    if (config.backup.place !== undefined)
      show('symbolon.backup.proof_age', ageOf(settings.get<number>(PROVED) ?? begun), {});
  });
}
