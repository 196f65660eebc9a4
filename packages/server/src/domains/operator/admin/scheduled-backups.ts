import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Worker as Thread } from 'node:worker_threads';
import { isoTime } from '../../../core/clock.ts';
import { Worker } from '../../../core/worker.ts';
import type { BackgroundWork, Core } from '../../domain.ts';
import {
  type BackupPlace,
  besideOf,
  createKeyPair,
  encrypted,
  isBackup,
  PROOF,
  PROVED,
  type Proof,
  type ProofOptions,
  regionOf,
} from '../backup/index.ts';
import { ASKED, FAILED, type FailedAttempt } from './backup-state.ts';
import type { Backups } from './backups.ts';

/** The setting that says which process makes a backup. */
const CLAIM = 'backup.claim';
const CLAIM_MS = 5 * 60_000;
const RENEW_MS = 60_000;
const LOOK_MS = 60_000;
/** From a failure to the next attempt. */
const RETRY_MS = 30 * 60_000;
const REASON_MOST = 500;
/** Unproven backups that stay, for whoever looks why. */
const UNPROVEN_KEPT = 2;

type Deps = Pick<
  Core,
  'availability' | 'clock' | 'config' | 'database' | 'ids' | 'instance' | 'log' | 'settings' | 'timers'
> & {
  readonly backups: Pick<Backups, 'make'>;
  readonly place: () => Promise<BackupPlace>;
};

/**
 * Backups on a schedule, one process of those that share a database at a time. Each is encrypted to the operator's public keys
 * and to one that this process makes for it and forgets, read back from where it is kept, opened with that key, and restored
 * on trial. A backup without that proof does not count.
 */
export class ScheduledBackups implements BackgroundWork {
  readonly role: 'worker' | 'front-door';
  readonly #deps: Deps;
  readonly #worker: Worker;
  #notBefore = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.role = deps.config.roles.has('worker') ? 'worker' : 'front-door';
    const work = (stopping: AbortSignal) => this.look(stopping);
    this.#worker = new Worker({ ...deps, name: 'backups', pauseMs: LOOK_MS, work });
  }

  start(): void {
    this.#worker.start();
  }

  async stop(): Promise<void> {
    await this.#worker.stop();
  }

  /** Makes a backup when one is due and no other process does. */
  async look(stopping: AbortSignal): Promise<void> {
    const { clock, config, instance, log, settings } = this.#deps;
    const now = clock.now();
    const due = (settings.get<number>(PROVED) ?? Number.NEGATIVE_INFINITY) + config.backup.everyMs;
    const isAsked = () => settings.get<number>(ASKED) !== undefined;
    if (now < Math.max(due, this.#notBefore) && !isAsked()) return;
    const claim = async () => void (await settings.claim(CLAIM, instance, CLAIM_MS));
    if (!(await settings.claim(CLAIM, instance, CLAIM_MS))) return;
    const renewals = new Worker({ ...this.#deps, name: 'hold the backup', pauseMs: RENEW_MS, work: claim });
    renewals.start();
    try {
      if (isAsked()) await this.#set(ASKED, undefined);
      const { name, proof } = await this.#backUp(stopping);
      if (settings.get(FAILED) !== undefined) await this.#set(FAILED, undefined);
      log.info({ backup: name, rows: proof.rows, files: proof.blobs }, 'backup made and proven');
    } catch (error) {
      if (stopping.aborted) return;
      this.#notBefore = clock.now() + RETRY_MS;
      log.error({ err: error }, 'backup failed; it is tried again in half an hour');
      const reason = error instanceof Error ? error.message : String(error);
      // While nothing can be saved, the log says it alone.
      const failed: FailedAttempt = { at: clock.now(), reason: reason.slice(0, REASON_MOST) };
      await this.#set(FAILED, failed).catch(() => {});
    } finally {
      await renewals.stop();
      await settings.release(CLAIM, instance);
    }
  }

  async #set(name: string, value: unknown): Promise<void> {
    const { database, settings } = this.#deps;
    await database.write((writer) => settings.set(writer, name, value));
    await settings.reload();
  }

  async #backUp(stopping: AbortSignal): Promise<{ name: string; proof: Proof }> {
    const { clock, config, ids } = this.#deps;
    const { recipients, keep } = config.backup;
    const place = await this.#deps.place();
    const at = clock.now();
    const beginning = `symbolon-${regionOf(config)}-`;
    const name = `${beginning}${isoTime(at).replaceAll(/[:.]/g, '-')}.backup${recipients.length === 0 ? '' : '.age'}`;
    const folder = join(config.dataDir, `backup-${ids.uuid()}`);
    await mkdir(folder, { mode: 0o700 });
    try {
      const own = recipients.length === 0 ? undefined : await createKeyPair(recipients);
      const plain = await this.#deps.backups.make();
      stopping.addEventListener('abort', () => plain.destroy(new Error('The process stops.')));
      const source = own === undefined ? plain : await encrypted(plain, [...recipients, own.recipient]);
      await place.put(name, source, join(folder, 'spool'));
      const file = join(folder, 'back');
      await pipeline(await place.read(name), createWriteStream(file, { mode: 0o600 }), {
        signal: stopping,
      });
      const identities = own === undefined ? [] : [own.identity];
      const beside = besideOf(this.#deps.config, { file, identities, folder: join(folder, 'proof') });
      const proof = await proveInThread(beside, stopping);
      const said = { symbolon_proof: 1, backup: name, proved_at: isoTime(clock.now()), ...proof };
      const line = Buffer.from(`${JSON.stringify(said)}\n`);
      await place.put(`${name}${PROOF}`, Readable.from([line]), join(folder, 'spool'));
      await this.#set(PROVED, at);
      return { name, proof };
    } finally {
      await rm(folder, { recursive: true, force: true });
      if (!stopping.aborted) await tidy(place, beginning, keep);
    }
  }
}

/** Removes the oldest proven backups beyond a number, and unproven ones but for the newest. */
async function tidy(place: BackupPlace, beginning: string, keep: number): Promise<void> {
  const names = await place.list(beginning);
  const backups = names.filter(isBackup);
  const isProven = (name: string) => names.includes(`${name}${PROOF}`);
  const surplus = [
    ...backups.filter(isProven).slice(0, -keep),
    ...backups.filter((name) => !isProven(name)).slice(0, -UNPROVEN_KEPT),
  ];
  for (const name of surplus) {
    await place.remove(name);
    if (isProven(name)) await place.remove(`${name}${PROOF}`);
  }
}

async function proveInThread(options: ProofOptions, stopping: AbortSignal): Promise<Proof> {
  const thread = new Thread(new URL('../backup/prove-thread.ts', import.meta.url), { workerData: options });
  const end = () => void thread.terminate();
  stopping.addEventListener('abort', end);
  try {
    return await new Promise<Proof>((resolve, reject) => {
      thread.once('message', resolve);
      thread.once('error', reject);
      thread.once('exit', () => reject(new Error('The proving thread ended without a word.')));
    });
  } finally {
    stopping.removeEventListener('abort', end);
    end();
  }
}
