import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

/** The command plays the whole demo, and serves the pages. @param command the path of its script */
export async function playsAndServes(command: string, folder: string): Promise<void> {
  const { stdout, stderr, code } = await output(process.execPath, [command, 'demo'], folder);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /Typed → stored → decrypted/);
  await servesPages(command, folder);
}

/** Runs a program to its end. */
export async function output(program: string, args: readonly string[], cwd: string) {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(program, args, { cwd, env: { PATH, HOME, NODE_COMPILE_CACHE } });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { stdout, stderr, code };
}

/** The packed server has the pages and every file that they load, without a build. */
async function servesPages(command: string, folder: string): Promise<void> {
  const args = [command, 'serve', '--port', '0', '--data', join(folder, 'data')];
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, SYMBOLON_LOG_LEVEL: 'silent' };
  const server = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [, url = ''] = await firstMatch(server.stdout, /serves on (http:\/\/127\.0\.0\.1:\d+)/);
    // A page load goes to the name under which browsers give keys.
    const base = url.replace('127.0.0.1', 'localhost');
    const get = (path: string) => fetch(`${base}${path}`, { headers: { accept: '*/*' } });
    for (const path of ['/sign-in', '/auth?client_id=x', '/me/approvals']) {
      const page = await get(path);
      assert.equal(page.status, 200, path);
      assert.match(page.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
      const html = await page.text();
      const files = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, file = '']) => file);
      assert.ok(
        files.some((file) => file.endsWith('.js')),
        html,
      );
      for (const file of files) assert.equal((await get(file)).status, 200, file);
    }
    for (const file of ['/service-worker.js', '/app.webmanifest', '/icon.svg', '/icon-192.png'])
      assert.equal((await get(file)).status, 200, file);
  } finally {
    server.kill('SIGTERM');
    await once(server, 'exit');
  }
}

async function firstMatch(stream: Readable, pattern: RegExp): Promise<RegExpExecArray> {
  let read = '';
  for await (const chunk of stream.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    read += chunk;
    const found = pattern.exec(read);
    if (found !== null) return found;
  }
  throw new Error(`The command ended: ${read}`);
}
