import { planUpgrade, type UpgradePlan, version } from '@symbolon/server';
import { lastBackups } from '@symbolon/server/backup';
import { configAt } from '../serve/config-at.ts';
import { startProblem } from '../serve/start-problem.ts';
import { writeLine } from '../terminal/output.ts';
import { createPaint } from '../terminal/paint.ts';
import { jsonLine, printable } from '../terminal/text.ts';

const HOUR_MS = 3_600_000;
/** A backup that is older lacks more than a day. */
const BACKUP_HOURS_MOST = 24;
/** The oldest PostgreSQL that its makers still keep and that the tests run on. */
const POSTGRES_LEAST = 15;
const ROLL = 0;
const REFUSED = 1;
const STOP = 3;

interface Finding {
  readonly name: 'path' | 'engine' | 'disk' | 'backup';
  readonly ok: boolean;
  readonly detail: string;
}

export interface CheckOptions {
  readonly data?: string;
  readonly json?: boolean;
  readonly backupElsewhere?: boolean;
}

/** Says whether and how this version can be started on a database, and changes nothing. */
export async function checkUpgrade(
  options: CheckOptions,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const config = configAt(environment, options);
  const read = async () => ({ plan: await planUpgrade(config), backups: await lastBackups(config) });
  const { plan, backups } = await read().catch((error: unknown) => {
    throw startProblem(error, config);
  });
  const isNew = plan === undefined || plan.path === 'empty';
  const changes = !isNew && plan.pending.length > 0;
  const findings = isNew
    ? [{ name: 'path', ok: true, detail: 'there is no database yet: the start makes it' } as const]
    : [
        pathOf(plan),
        engineOf(plan),
        ...(changes ? diskOf(plan) : []),
        ...(changes
          ? [options.backupElsewhere ? ELSEWHERE : backupOf(backups?.provedAt ?? backups?.madeAt)]
          : []),
      ];
  const exitCode = findings.some(({ ok }) => !ok) ? REFUSED : isNew || plan.rolls ? ROLL : STOP;
  const verdict = VERDICTS[exitCode];
  if (options.json) {
    await writeLine(
      jsonLine({
        version,
        written_by: plan?.writtenBy ?? null,
        pending: isNew ? [] : plan.pending,
        verdict: verdict.word,
        findings,
      }),
    );
  } else {
    const paint = createPaint(process.stdout);
    for (const { name, ok, detail } of findings)
      await writeLine(`${ok ? paint.good('✓') : paint.bad('✗')} ${name.padEnd(6)}  ${printable(detail)}`);
    await writeLine(exitCode === REFUSED ? paint.bad(verdict.text) : verdict.text);
  }
  process.exitCode = exitCode;
}

const VERDICTS = {
  [ROLL]: { word: 'roll', text: 'Replace one process after the other.' },
  [STOP]: { word: 'stop', text: 'Stop every process, then start this version.' },
  [REFUSED]: { word: 'refuse', text: 'Do not start this version on it.' },
} as const;

function pathOf({ path, writtenBy, pending, rolls }: UpgradePlan): Finding {
  const by = `written by version ${writtenBy ?? 'unknown'}, and this is ${version}`;
  if (path === 'newer') {
    const detail = `${by}, which cannot read it: take that version or a newer one, or a backup from before its upgrade`;
    return { name: 'path', ok: false, detail };
  }
  if (path === 'older') {
    return { name: 'path', ok: false, detail: 'made by a version before 0.1.0, which none upgrades' };
  }
  const todo =
    pending.length === 0
      ? 'nothing is to change'
      : `to run${rolls ? ', beside the older version' : ''}: ${pending.join(', ')}`;
  return { name: 'path', ok: true, detail: `${by}; ${todo}` };
}

function engineOf({ engine, engineVersion }: UpgradePlan): Finding {
  if (engine === 'sqlite') return { name: 'engine', ok: true, detail: `embedded, SQLite ${engineVersion}` };
  const ok = Number.parseInt(engineVersion, 10) >= POSTGRES_LEAST;
  const detail = `PostgreSQL ${engineVersion}${ok ? '' : `: upgrade it to ${POSTGRES_LEAST} or newer first`}`;
  return { name: 'engine', ok, detail };
}

/** A table that is made again takes its size twice, and the log as much. */
function diskOf({ bytes, freeBytes }: UpgradePlan): Finding[] {
  if (freeBytes === undefined) return [];
  const ok = freeBytes > 2 * bytes;
  const mib = (of: number) => `${Math.ceil(of / 2 ** 20)} MiB`;
  const detail = `${mib(freeBytes)} free for a database of ${mib(bytes)}${ok ? '' : ': free twice its size'}`;
  return [{ name: 'disk', ok, detail }];
}

const ELSEWHERE: Finding = {
  name: 'backup',
  ok: true,
  detail: 'made elsewhere, as --backup-elsewhere says: nothing looked how old it is',
};

function backupOf(at: number | undefined): Finding {
  if (at === undefined) {
    return {
      name: 'backup',
      ok: false,
      detail: 'none was ever made: symbolon admin backup FILE, or --backup-elsewhere',
    };
  }
  const hours = Math.max(0, Math.round((Date.now() - at) / HOUR_MS));
  const ok = hours <= BACKUP_HOURS_MOST;
  return { name: 'backup', ok, detail: `the newest is ${hours} h old${ok ? '' : ': make one first'}` };
}
