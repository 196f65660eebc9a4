import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { MAIN } from '@symbolon/testkit/cli/command';
import { compileCacheOf } from '@symbolon/testkit/platform/bundle';
import { type Block, blocksOf, ROOT } from './blocks.ts';

export type Ran = {
  /** What each block printed, by its line. */
  output: Map<number, string>;
  /** What `after` printed. */
  rest: string;
  blocks: Block[];
};
type Options = {
  env?: Readonly<Record<string, string>>;
  before?: string;
  after?: string;
  /** What stands in the place of a text of the page, such as the usual port. */
  instead?: Readonly<Record<string, string>>;
};

/**
 * Runs the blocks of a page one after the other in one shell, in a folder in which the packages and the command are
 * installed, and stops at the first that fails.
 *
 * @param options.before shell commands that make what the page takes for granted
 * @param options.after shell commands that do with its files what a reader does
 */
export async function runPage(page: string, options: Options = {}): Promise<Ran> {
  const blocks = blocksOf(page);
  const folder = mkdtempSync(join(tmpdir(), 'symbolon-docs-'));
  try {
    install(folder);
    let script: string = [
      'set -euo pipefail',
      options.before ?? '',
      ...blocks.map(step),
      AFTER,
      options.after ?? '',
    ].join('\n');
    for (const [text, other] of Object.entries(options.instead ?? {}))
      script = script.replaceAll(text, other);
    const ended = await shell(script, folder, {
      PATH: `${join(folder, 'bin')}:${dirname(process.execPath)}:${process.env.PATH}`,
      HOME: folder,
      XDG_CONFIG_HOME: join(folder, '.config'),
      NODE_NO_WARNINGS: '1',
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      ...options.env,
    });
    const output = outputs(ended.stdout);
    if (ended.code !== 0) {
      const failed = [...output.keys()].at(-1);
      const said = `${output.get(failed ?? 0) ?? ended.stdout}\n${ended.stderr}`;
      throw new Error(`${page}:${failed ?? '?'} ended with ${ended.code}:\n${said}`);
    }
    const rest = output.get(0) ?? '';
    output.delete(0);
    return { output, rest, blocks };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What comes after the page has no line. */
const AFTER = `printf '\\n@@block 0\\n'`;

/** What the shell does for a block; a marker tells the output of one from that of the next. */
function step({ kind, argument, text, line }: Block): string {
  const mark = `printf '\\n@@block ${line}\\n'`;
  switch (kind) {
    case 'run':
      return `${mark}\n${text}`;
    case 'background':
      return `${mark}\n( ${text}\n) > background-${line}.log 2>&1 &${untilSaid(argument, `background-${line}.log`)}`;
    case 'file':
      return `cat > ${argument} <<'END_OF_BLOCK'\n${text}\nEND_OF_BLOCK`;
    default:
      return '';
  }
}

/** Waits for a text in the log of what runs in the background, or for its end. */
function untilSaid(argument: string, log: string): string {
  const said = argument.replace(/^until /, '');
  if (said === '') return '';
  const ended = `kill -0 $! 2>/dev/null || { cat ${log}; exit 1; }`;
  return `\nuntil grep -q ${JSON.stringify(said)} ${log}; do ${ended}; sleep 0.2; done`;
}

function outputs(stdout: string): Map<number, string> {
  const [, ...parts] = stdout.split(/^@@block (?=\d+$)/m);
  return new Map(
    parts.map((part) => {
      const end = part.indexOf('\n');
      return [Number(part.slice(0, end)), part.slice(end + 1).trimEnd()];
    }),
  );
}

/** The command and the packages as after an installation. */
function install(folder: string): void {
  mkdirSync(join(folder, 'bin'));
  const command = join(folder, 'bin', 'symbolon');
  const start = [
    `NODE_COMPILE_CACHE="${compileCacheOf(MAIN)}"`,
    'exec',
    `"${process.execPath}" "${MAIN}" "$@"`,
  ];
  writeFileSync(command, `#!/bin/sh\n${start.join(' ')}\n`);
  chmodSync(command, 0o755);
  symlinkSync(process.execPath, join(folder, 'bin', 'node'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
}

async function shell(script: string, cwd: string, env: NodeJS.ProcessEnv) {
  // A process group, so that what runs in the background ends with the page, whatever started it.
  const child = spawn('bash', ['-c', script], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  endGroup(child.pid);
  return { stdout, stderr, code: code as number | null };
}

function endGroup(leader: number | undefined): void {
  if (leader === undefined) return;
  try {
    process.kill(-leader, 'SIGTERM');
  } catch (error) {
    // Nothing of it runs any more.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
