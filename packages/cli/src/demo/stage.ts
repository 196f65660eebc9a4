import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type RunningPlatform, readConfig, serve } from '@symbolon/server';
import type { Operator } from '../admin/operator.ts';
import { Problem } from '../problem.ts';
import { startProblem } from '../serve/start-problem.ts';
import { MONTH_DAYS } from './month.ts';

/** A platform on the embedded database with everything it writes in one folder. */
export type Stage = {
  url: string;
  folder: string;
  operator: Operator;
  /** Whether the folder goes with the stage. */
  isTemporary: boolean;
  /** Sets the platform's clock to so many days before now. */
  goBack(days: number): void;
  /** Stops the platform and removes a temporary folder. */
  clear(): Promise<void>;
};

/** @throws Problem when the folder holds a platform already, or the port is taken */
export async function setStage(options: { keep?: boolean; port?: number; data?: string }): Promise<Stage> {
  const isTemporary = options.data === undefined;
  const folder =
    options.data === undefined ? mkdtempSync(join(tmpdir(), 'symbolon-demo-')) : resolve(options.data);
  if (existsSync(join(folder, 'symbolon.db'))) {
    throw new Problem(`${folder} holds a platform already. Give the demo an empty folder with --data.`, {
      exitCode: 2,
    });
  }
  const remove = () => {
    if (isTemporary) rmSync(folder, { recursive: true, force: true });
  };
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const token = randomBytes(32).toString('hex');
    let backMs = options.keep ? MONTH_DAYS * DAY_MS : 0;
    const clock = { now: () => Date.now() - backMs };
    const goBack = (days: number) => {
      backMs = days * DAY_MS;
    };
    const platform = await start({ folder, token, clock }, options);
    const clear = async () => {
      await platform.stop();
      remove();
    };
    const { url } = platform;
    return { url, folder, operator: { url, token }, isTemporary, goBack, clear };
  } catch (error) {
    remove();
    throw error;
  }
}

interface Place {
  readonly folder: string;
  readonly token: string;
  readonly clock: { now(): number };
}

/** A platform one looks around in has the usual port when that is free. */
async function start(place: Place, options: { keep?: boolean; port?: number }): Promise<RunningPlatform> {
  const { keep = false, port } = options;
  if (port !== undefined || !keep) return serveOn(place, port ?? 0, keep);
  try {
    return await serveOn(place, USUAL_PORT, keep);
  } catch {
    return serveOn(place, 0, keep);
  }
}

/** The environment is left out on purpose: the demo never touches a real database, mail server or data folder. */
async function serveOn(
  { folder, token, clock }: Place,
  port: number,
  keep: boolean,
): Promise<RunningPlatform> {
  const config = readConfig({
    SYMBOLON_PORT: String(port),
    SYMBOLON_DATA_DIR: folder,
    SYMBOLON_OPERATOR_TOKEN: token,
    // For `symbolon listen` and `symbolon trigger`: the person at this terminal is the only one here.
    SYMBOLON_DANGEROUSLY_ALLOW_LOOPBACK_WEBHOOKS: String(keep),
    SYMBOLON_DANGEROUSLY_REGISTER_WITHOUT_CODE: String(keep),
    SYMBOLON_LOG_LEVEL: process.env.SYMBOLON_DEBUG === '1' ? 'warn' : 'silent',
  });
  try {
    return await serve(config, { clock });
  } catch (error) {
    throw startProblem(error, config);
  }
}

const USUAL_PORT = 8080;
const DAY_MS = 86_400_000;
