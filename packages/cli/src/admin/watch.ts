import type {
  AdminBackupList,
  AdminJobList,
  AdminReadiness,
  BackupState,
  MailTestResult,
} from '@symbolon/protocol';
import { Problem } from '../problem.ts';
import { printable } from '../terminal/text.ts';
import { line, type Options, show, showList } from './acts.ts';
import { findOperator, operate } from './operator.ts';

/** Whether the process that answers can do its work; ends with 1 when it is not ready. */
export async function readiness(options: Options): Promise<void> {
  const found = await operate<AdminReadiness>(findOperator(options), 'GET', '/readiness');
  const { status, checks, process: answering, disk, may_act: mayAct } = found;
  await show(options, found, (paint) => [
    `${status === 'ready' ? paint.good(status) : paint.bad(status)}  ${printable(answering.instance)}, ${answering.version}, since ${answering.started_at}`,
    ...Object.entries(checks).map(([name, { state, needed, detail = '' }]) =>
      line([name, 12], [state, 8], [needed ? 'needed' : '', 6], [detail, 80]),
    ),
    `${Math.floor(disk.free_bytes / 2 ** 20)} MiB of ${Math.floor(disk.size_bytes / 2 ** 20)} are free`,
    ...(mayAct ? [] : [paint.dim('This operator token only reads.')]),
  ]);
  if (status === 'not_ready') process.exitCode = 1;
}

export async function jobs(options: Options): Promise<void> {
  const found = await operate<AdminJobList>(findOperator(options), 'GET', '/jobs');
  await showList(options, found.jobs, (paint) => [
    ...found.jobs.map(({ id, kind, company_name: name, done, total, failures, problem }) =>
      line(
        [id, 36],
        [kind, 18],
        [name ?? '', 24],
        [`${done}/${total ?? '?'}`, 14],
        [failures === 0 ? '' : `failed ${failures} times: ${problem ?? ''}`, 80],
      ),
    ),
    paint.dim(
      found.oldest_at === null
        ? 'No job waits.'
        : `${found.waiting} wait, the oldest since ${found.oldest_at}`,
    ),
  ]);
}

export async function listBackups(options: Options): Promise<void> {
  const operator = findOperator(options);
  const state = await operate<BackupState>(operator, 'GET', '/backup-state');
  const { backups } = await operate<AdminBackupList>(operator, 'GET', '/backups');
  await showList(options, backups, (paint) => [
    ...backups.map(({ name, proof }) =>
      line(
        [name, 60],
        [proof === null ? paint.bad('not proven') : `proven ${proof.proved_at}, ${proof.rows} rows`, 60],
      ),
    ),
    paint.dim(
      state.schedule === null
        ? 'There is no schedule: SYMBOLON_BACKUP_TO.'
        : `every ${state.schedule.every_hours} hours; the newest proven one was made ${state.proved_at ?? 'never'}`,
    ),
    ...(state.failed === null
      ? []
      : [paint.bad(`The last attempt failed at ${state.failed.at}: ${printable(state.failed.reason)}`)]),
  ]);
}

export async function backUpNow(options: Options): Promise<void> {
  const state = await operate<BackupState>(findOperator(options), 'POST', '/backups');
  await show(options, state, (paint) => [
    `${paint.good('✓')} A process with the role worker makes one within a minute: symbolon admin backups list`,
  ]);
}

export async function testMail(to: string, options: Options): Promise<void> {
  const result = await operate<MailTestResult>(findOperator(options), 'POST', '/mail-test', { to });
  const { sent, through, reason, talk } = result;
  await show(options, result, (paint) => [
    ...talk.map((said) => paint.dim(printable(said))),
    ...(sent
      ? [
          through === 'server'
            ? `${paint.good('✓')} The mail server has taken the mail.`
            : `${paint.good('✓')} The mail is in the outbox: no mail server is configured.`,
        ]
      : []),
  ]);
  if (!sent) throw new Problem(`The mail was not sent: ${printable(reason ?? '')}`);
}
