import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { compileCacheOf } from '../platform/bundle.ts';
import { MAIN } from './command.ts';

/** Whether `script` of util-linux is there, which gives a command a terminal. Where it has to be, its absence fails. */
export const hasTerminal = spawnSync('script', ['--version']).status === 0 || process.env.CI === 'true';

/** Runs the command on a terminal of its own, with stdout and stderr both on it. */
export async function onTerminal(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return inTerminal([process.execPath, MAIN, ...args].map(quoted).join(' '), env);
}

/** The same with its output piped on, so that stderr alone is the terminal. */
export async function pipedOnTerminal(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return inTerminal(`${[process.execPath, MAIN, ...args].map(quoted).join(' ')} | cat`, env);
}

async function inTerminal(command: string, env: Readonly<Record<string, string>>) {
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: compileCacheOf(MAIN),
      HOME: '/nonexistent',
      TERM: 'xterm',
      SHELL: '/bin/sh',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return { code: code as number, output: output.replaceAll('\r\n', '\n') };
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
