import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Config, readConfig } from '@symbolon/server';
import {
  type BackupPlace,
  besideOf,
  createKeyPair,
  openPlace,
  proveBackup,
  regionOf,
} from '@symbolon/server/backup';
import { writeNew } from '../files/whole-file.ts';
import { Problem } from '../problem.ts';
import { configAt } from '../serve/config-at.ts';
import { startProblem } from '../serve/start-problem.ts';
import { writeLine } from '../terminal/output.ts';
import { createPaint } from '../terminal/paint.ts';
import { jsonLine, printable } from '../terminal/text.ts';
import { explained, identitiesOf } from './opened.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Makes a pair of keys: the private one into a new file, the public one to the output. */
export async function makeKey(options: { out: string }): Promise<void> {
  const { identity, recipient } = await createKeyPair();
  const content = `# public key: ${recipient}\n${identity}\n`;
  await writeNew(options.out, content).catch((error: { code?: string }) => {
    throw error.code === 'EEXIST'
      ? new Problem(`${options.out} is there already. Choose another name.`, { exitCode: 2 })
      : error;
  });
  await writeLine(recipient);
}

/** What a proof says, as far as a list shows it. */
interface Said {
  readonly proved_at: string;
  readonly rows: number;
  readonly blobs: number;
}

/** Lists what lies where the schedule makes backups, the oldest first. */
export async function listBackups(options: { json?: boolean }, environment: Environment): Promise<void> {
  const config = readConfig(environment);
  await atPlace(config, async (place) => {
    const names = await place.list(`symbolon-${regionOf(config)}-`);
    const paint = createPaint(process.stdout);
    for (const name of names.filter((one) => /\.backup(\.age)?$/.test(one))) {
      const proof = names.includes(`${name}.proof`)
        ? (JSON.parse(await text(await place.read(`${name}.proof`))) as Said)
        : undefined;
      if (options.json) {
        await writeLine(jsonLine({ backup: name, proof: proof ?? null }));
      } else if (proof === undefined) {
        await writeLine(`${paint.bad('✗')} ${printable(name)}  not proven`);
      } else {
        const found = `${proof.rows} rows and ${proof.blobs} files, restored on trial at ${proof.proved_at}`;
        await writeLine(`${paint.good('✓')} ${printable(name)}  ${paint.dim(printable(found))}`);
      }
    }
  });
}

/** Copies one of them to a file. */
export async function fetchBackup(name: string, file: string, environment: Environment): Promise<void> {
  await atPlace(readConfig(environment), async (place) => {
    if (!/^symbolon-[\w-]+\.backup(\.age)?$/.test(name)) {
      throw new Problem('Name a backup as symbolon backup list does.', { exitCode: 2 });
    }
    const content = await place.read(name);
    // Where the file cannot be made, nothing has read it.
    await writeNew(file, content).finally(() => content.destroy());
    await writeLine(file);
  });
}

/** Restores a backup on trial, beside the installation, and says what was found. */
export async function prove(
  file: string,
  options: { data?: string; identity?: string; json?: boolean },
  environment: Environment,
): Promise<void> {
  const config = configAt(environment, options);
  const { dataDir } = config;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const folder = join(dataDir, `backup-${randomUUID()}`);
  try {
    const identities = await identitiesOf(file, options.identity);
    const proof = await proveBackup(besideOf(config, { file, identities, folder }));
    if (options.json) return await writeLine(jsonLine({ backup: file, ...proof }));
    const { good } = createPaint(process.stdout);
    const found = `${proof.rows} rows and ${proof.blobs} files, ${proof.opened} encrypted texts opened`;
    await writeLine(`${good('✓')} ${printable(file)} of ${proof.created_at} can be restored: ${found}.`);
  } catch (error) {
    throw explained(startProblem(error, config));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function atPlace(config: Config, work: (place: BackupPlace) => Promise<void>): Promise<void> {
  if (config.backup.place === undefined) {
    throw new Problem('SYMBOLON_BACKUP_TO says where backups are kept: it is not set.', { exitCode: 2 });
  }
  const place = await openPlace(config.backup.place);
  try {
    await work(place);
  } catch (error) {
    throw explained(error);
  } finally {
    await place.stop();
  }
}
