import {
  AdminBackupList,
  AdminJobList,
  AdminReadiness,
  BackupState,
  MailTestRequest,
  MailTestResult,
} from '@symbolon/protocol';
import type { App } from '../../../http/app.ts';
import { routesOf } from '../../../http/routes.ts';
import type { Core } from '../../domain.ts';
import type { OperatorActs } from '../../operations/index.ts';
import type { BackupStates } from './backup-state.ts';
import type { Watch } from './watch.ts';

interface Deps extends Pick<Core, 'config' | 'database' | 'mail' | 'settings'> {
  readonly watch: Watch;
  readonly backupStates: BackupStates;
  readonly acts: OperatorActs;
}

/** What operators watch, and what they try. */
export function watchRoutes(app: App, deps: Deps): void {
  const { acts, backupStates, config, database, mail, settings, watch } = deps;
  const route = routesOf(app, { tags: ['operator'], access: ['operator'] });

  route(
    'GET /api/admin/readiness',
    {
      summary: 'Whether the process that answers can do its work',
      description: 'Its checks, as /readyz on its management port has them, and the disk of its data folder.',
      ok: AdminReadiness,
    },
    async ({ principal }) => ({
      ...(await watch.readiness()),
      may_act: principal?.kind === 'operator' && principal.mayAct,
    }),
  );

  route(
    'GET /api/admin/jobs',
    { summary: 'Work that acts have left to the platform, and what fails of it', ok: AdminJobList },
    () => watch.jobs(),
  );

  route(
    'GET /api/admin/backup-state',
    { summary: 'When backups were made and proven, and when the next is due', ok: BackupState },
    () => backupStates.state(),
  );

  route(
    'GET /api/admin/backups',
    {
      errors: ['admin.backup_unavailable'],
      summary: 'The backups that the schedule has made',
      ok: AdminBackupList,
    },
    async () => ({ backups: await backupStates.list() }),
  );

  route(
    'POST /api/admin/backups',
    {
      errors: ['admin.backup_unavailable'],
      summary: 'Have the schedule make a backup now',
      description: 'It begins within a minute, and is restored on trial as all of them.',
      accepted: BackupState,
    },
    async ({ ip }) => {
      await database.write(async (writer) => {
        await backupStates.ask(writer);
        await acts.record(writer, { act: 'data.backup_asked', source: ip });
      });
      await settings.reload();
      return backupStates.state();
    },
  );

  route(
    'POST /api/admin/mail-test',
    {
      summary: 'Send a mail to see whether mails can be sent',
      description: 'The answer has what the platform and the mail server said to each other.',
      body: MailTestRequest,
      ok: MailTestResult,
    },
    async ({ body, ip }) => {
      const trial = await mail.tryOut({
        to: body.to,
        subject: `A test mail of ${config.region}`,
        text: 'An operator of this platform sent this mail to see whether mails arrive.\n\nThere is nothing to do.',
      });
      await database.write((writer) =>
        acts.record(writer, { act: 'mail.tested', details: { sent: trial.sent }, source: ip }),
      );
      return { ...trial, talk: [...trial.talk] };
    },
  );
}
