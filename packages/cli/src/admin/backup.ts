import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { request as secureRequest } from 'node:https';
import { dirname, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { hasKeys } from '@symbolon/server';
import { checkBackup, type Manifest, restoreInto } from '@symbolon/server/backup';
import { explained, identitiesOf, opened } from '../backup/opened.ts';
import { Problem, unreachable } from '../problem.ts';
import { configAt } from '../serve/config-at.ts';
import { startProblem } from '../serve/start-problem.ts';
import { writeLine } from '../terminal/output.ts';
import { createPaint } from '../terminal/paint.ts';
import { jsonLine } from '../terminal/text.ts';
import { findOperator, type Operator, refused } from './operator.ts';

/** Has the platform make a backup, and checks every byte of what arrived before the file gets its name. */
export async function makeBackup(file: string, options: { url?: string; json?: boolean }): Promise<void> {
  const operator = findOperator(options);
  if (existsSync(file)) throw new Problem(`${file} is there already. Choose another name.`, { exitCode: 2 });
  const unfinished = `${file}.part`;
  try {
    await download(operator, unfinished);
    const { manifest, end } = await checkBackup(unfinished);
    await rename(unfinished, file);
    const folder = await open(dirname(resolve(file)), 'r');
    await folder.sync().finally(() => folder.close());
    const rows = rowsOf(manifest);
    if (options.json)
      return writeLine(jsonLine({ file, ...manifest, blobs: end.blobs, blobs_missing: end.missing }));
    const paint = createPaint(process.stdout);
    await writeLine(`${paint.good('✓')} ${file}: ${rows} rows and ${end.blobs} files, checked.`);
    await writeLine(
      paint.dim('The keys of the server are not in it: keep secret.key or SYMBOLON_SECRET apart from it.'),
    );
  } catch (error) {
    await rm(unfinished, { force: true });
    throw explained(error);
  }
}

/** Puts a backup in the place of what the configuration names. */
export async function restoreBackup(
  file: string,
  options: { data?: string; identity?: string; force?: boolean; replace?: string; json?: boolean },
  environment: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  if (options.replace !== undefined)
    throw new Problem('--replace goes with --company; everything is replaced by --force.', { exitCode: 2 });
  const config = configAt(environment, options);
  await using backup = await opened(file, options.identity, config.dataDir);
  const { manifest, end, putAside } = await restoreInto(config, backup.path, {
    force: options.force ?? false,
  }).catch((error: unknown) => {
    throw explained(startProblem(error, config));
  });
  const rows = rowsOf(manifest);
  if (options.json) {
    return writeLine(jsonLine({ restored: file, rows, blobs: end.blobs, put_aside: putAside ?? null }));
  }
  const paint = createPaint(process.stdout);
  await writeLine(
    `${paint.good('✓')} Restored the backup of ${manifest.created_at}: ${rows} rows and ${end.blobs} files.`,
  );
  if (putAside !== undefined) await writeLine(paint.dim(`What was there is in ${putAside}.`));
  if (!hasKeys(config))
    await writeLine(
      paint.bold(
        `Before you start the platform, put the secret.key of that platform into ${config.dataDir}, or set SYMBOLON_SECRET: without it nothing that is encrypted can be read.`,
      ),
    );
}

/** Brings one company back, and leaves all others as they are. */
export async function restoreOne(
  file: string,
  options: {
    data?: string;
    identity?: string;
    force?: boolean;
    company?: string;
    replace?: string;
    json?: boolean;
  },
  environment: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  if (options.force)
    throw new Problem('--force replaces everything: with --company it is --replace.', { exitCode: 2 });
  const config = configAt(environment, options);
  const identities = await identitiesOf(file, options.identity);
  const { restoreCompany } = await import('@symbolon/server/restore-company');
  const { company = '', replace } = options;
  const brought = await restoreCompany(config, { file, identities, company, replace }).catch(
    (error: unknown) => {
      throw explained(startProblem(error, config));
    },
  );
  if (options.json) return writeLine(jsonLine({ restored: file, ...brought }));
  const paint = createPaint(process.stdout);
  const { rows, others, backup } = brought;
  await writeLine(
    `${paint.good('✓')} Restored ${company} from the backup of ${backup}: ${rows} rows. The ${others} rows of all others are as before.`,
  );
  const left = [
    [
      brought.people_gone,
      'people have deleted their accounts since: what the rows say of them goes when the platform starts.',
    ],
    [brought.companies_gone, 'customers were deleted since: their connections are ended.'],
    [brought.files_missing, 'files are not in the backup.'],
  ] as const;
  for (const [number, text] of left) if (number > 0) await writeLine(`${number} ${text}`);
}

/** A large database takes its time, so nothing here has one that runs out. */
async function download(operator: Operator, file: string): Promise<void> {
  const target = await open(file, 'wx', 0o600);
  try {
    const answer = await ask(operator);
    if (answer.statusCode !== 200) {
      const id = answer.headers['x-request-id'];
      throw refused(operator, answer.statusCode ?? 0, await text(answer), typeof id === 'string' ? id : null);
    }
    try {
      for await (const chunk of answer) await target.writeFile(chunk as Buffer);
    } catch (error) {
      // Our own disk, when it was writing that failed.
      throw (error as { syscall?: string }).syscall === 'write' ? error : unreachable(operator.url, error);
    }
    await target.sync();
  } finally {
    await target.close();
  }
}

function ask(operator: Operator): Promise<IncomingMessage> {
  const url = new URL(`${operator.url}/api/admin/backup`);
  const send = url.protocol === 'https:' ? secureRequest : request;
  return new Promise((take, reject) => {
    send(url, { method: 'POST', headers: { authorization: `Bearer ${operator.token}` } }, take)
      .on('error', (error) => reject(unreachable(operator.url, error)))
      .end();
  });
}

function rowsOf({ tables }: Manifest): number {
  return Object.values(tables).reduce((sum, rows) => sum + rows, 0);
}
