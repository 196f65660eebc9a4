import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { symbolonProcess } from '@symbolon/testkit/cli/command';
import { explain, noAnswer } from './problem.ts';
import { columns, jsonLine, printable, shorten } from './terminal/text.ts';
import { version } from './version.ts';

describe('the command line', { concurrency: true }, () => {
  test('prints its version', async () => {
    assert.deepEqual(await symbolonProcess(['--version']), { code: 0, stdout: `${version}\n`, stderr: '' });
  });

  test('shows examples in the help of every command', async () => {
    for (const args of [[], ['serve'], ['demo'], ['keys'], ['keys', 'open'], ['pump'], ['doctor']]) {
      const { code, stdout } = await symbolonProcess([...args, '--help']);
      assert.equal(code, 0);
      assert.match(stdout, /Examples:\n {2}\$ symbolon/);
    }
  });

  test('fails when its output cannot be written, and not when its reader has enough', async (t) => {
    if (!existsSync('/dev/full')) return t.skip('this machine has no /dev/full');
    const main = fileURLToPath(new URL('main.ts', import.meta.url));
    const run = (args: string, redirected: string) =>
      spawnSync('bash', ['-c', `"$0" "$1" ${args} ${redirected}`, process.execPath, main], {
        encoding: 'utf8',
      });
    for (const args of ['completion bash', '--help', '--version', 'help keys', 'keys generate --help']) {
      const { status, stderr } = run(args, '> /dev/full');
      const full = 'error: stdout: no space is left where it is written to.\n';
      assert.deepEqual([status, stderr], [1, full], args);
      const piped = run(args, '| true; exit "${PIPESTATUS[0]}"');
      assert.deepEqual([piped.status, piped.stderr], [0, ''], args);
    }
  });

  test('suggests a command that exists', async () => {
    const { code, stdout, stderr } = await symbolonProcess(['conections']);
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /unknown command 'conections'\n\(Did you mean connections\?\)/);
  });

  for (const [args, suggestion, help] of [
    ['clients lst', 'list', 'clients'],
    ['services clint', 'client', 'services'],
    ['services creat', 'create', 'services'],
    ['pump ded', 'dead', 'pump'],
    ['keys opn', 'open', 'keys'],
    ['admin field-types lst', 'list', 'admin field-types'],
  ] as const) {
    test(`suggests ${suggestion} for ${args}, and the help of its group`, async () => {
      const { code, stderr } = await symbolonProcess(args.split(' '));
      assert.equal(code, 2);
      const word = args.split(' ').at(-1);
      const lines = [`error: unknown command '${word}'`, `(Did you mean ${suggestion}?)`];
      assert.equal(stderr, `${[...lines, `See symbolon ${help} --help.`].join('\n')}\n`);
    });
  }

  test('names the help of the command that was called wrongly', async () => {
    for (const [args, help] of [
      ['keys open', 'keys open'],
      ['clients set', 'clients set'],
      ['pump --bath 3', 'pump'],
      ['serve extra', 'serve'],
      ['--nothing', ''],
    ] as const) {
      const { code, stderr } = await symbolonProcess(args.split(' '));
      assert.equal(code, 2, args);
      assert.match(stderr, new RegExp(`\nSee symbolon ${help ? `${help} ` : ''}--help\\.\n$`), args);
    }
  });

  test('completes commands and options in bash', async () => {
    const { stdout } = await symbolonProcess(['completion', 'bash']);
    const complete = (words: string) => {
      const list = `COMP_WORDS=(symbolon ${words}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _symbolon`;
      const shell = spawnSync('bash', ['-c', `${stdout}\n${list}; echo "\${COMPREPLY[@]}"`], {
        encoding: 'utf8',
      });
      return shell.stdout.trim();
    };
    assert.equal(complete('conn'), 'connections connect-request');
    assert.equal(complete('connectio'), 'connections');
    assert.equal(complete('account rec'), 'recovery-key recovery-copies');
    assert.equal(complete('clients --json re'), 'regenerate');
    assert.equal(complete('connections --li'), '--limit');
  });

  test('puts a stop between what happened and what to do', async () => {
    const env = {
      SYMBOLON_URL: 'http://127.0.0.1:1',
      SYMBOLON_CLIENT_ID: 'svc_x',
      SYMBOLON_CLIENT_SECRET: 'y',
    };
    const { stderr } = await symbolonProcess(['connections'], { env });
    assert.match(stderr, /127\.0\.0\.1:1\. Check the address, and that the platform runs there\.\n$/);
  });

  test('says in one line what a client configuration needs', async () => {
    const { code, stderr } = await symbolonProcess(['connections']);
    assert.equal(code, 2);
    assert.match(stderr, /^error: No client is configured\. Give --config FILE[^\n]*\n$/);
  });

  test('shows a stack only when asked to', async () => {
    const args = ['keys', 'fingerprint', '/nowhere/key.pem'];
    const { code, stderr } = await symbolonProcess(args);
    assert.deepEqual([code, stderr], [1, 'error: /nowhere/key.pem: there is no such file or folder.\n']);
    const debugged = await symbolonProcess(args, { env: { SYMBOLON_DEBUG: '1' } });
    assert.match(debugged.stderr, /^ {4}at /m);
  });
});

describe('text for a terminal', () => {
  test('says in how many seconds what was refused may be tried again', () => {
    const error = Object.assign(new Error('This person denied a moment ago.'), {
      errorKey: 'twofa.pending_cap',
      details: { reason: 'quiet_time', retry_after: 30 },
    });
    const text = 'This person denied a moment ago. Try again in 30 s. (twofa.pending_cap)';
    assert.deepEqual(explain(error), { text, exitCode: 1 });
  });

  test('says in words that an answer took too long', async () => {
    const error = await new Promise((took) => {
      const signal = AbortSignal.timeout(1);
      signal.addEventListener('abort', () => took(signal.reason), { once: true });
    });
    assert.match(noAnswer('https://api.example.com', error), / does not answer \(.*timeout.*\)$/);
  });

  test('loses escape sequences and marks that turn it around', () => {
    assert.equal(printable('a\u001b[2Jb\u009b31mc\u202ed\r\ne\nf'), 'a[2Jb31mcd⏎e⏎f');
  });

  test('stays JSON with every control character escaped', () => {
    const value = { text: 'a\u001b\u009b\u202e\u007f\n' };
    assert.equal(jsonLine(value), '{"text":"a\\u001b\\u009b\\u202e\\u007f\\n"}');
    assert.deepEqual(JSON.parse(jsonLine(value)), value);
  });

  test('is measured and cut in columns', () => {
    assert.equal(columns('田中 a\u001b[1mb'), 7);
    assert.equal(shorten('田中愛子', 5), '田中…');
    assert.equal(shorten('short', 5), 'short');
  });
});
