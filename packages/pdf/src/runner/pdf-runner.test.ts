import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { factsOf } from '@symbolon/testkit/pdf/facts';
import { createPki } from '@symbolon/testkit/pdf/pki';
import { objectsOf, plainPdf, stream, writeTable } from '@symbolon/testkit/pdf/samples';
import { rounds } from '@symbolon/testkit/thoroughness';
import { Sealer } from '../sealer.ts';
import { verifyPdf } from '../verify/index.ts';
import { PdfRunner } from './pdf-runner.ts';

const pki = createPki();
const roots = [pki.root.certificate.raw];

/** Expands to 512 MB in a second step, which a look at the file's bytes does not see. */
const bomb = doubleBomb(512 << 20);

/** @param times how many streams expand, one after the other */
function doubleBomb(size: number, times = 1): Buffer {
  const twice = deflateSync(deflateSync(Buffer.alloc(size), { level: 1 }));
  const body = stream(twice, '/Type/ObjStm/N 1/First 4/Filter[/FlateDecode/FlateDecode]', false);
  const objects = objectsOf();
  objects.delete(10);
  for (let stream = 0; stream < times; stream++) objects.set(100 + stream, body);
  const pdf = writeTable(objects);
  // Without a table the reader looks into every stream of objects.
  return pdf.subarray(0, pdf.lastIndexOf('xref\n0'));
}

test('seals in a child process', async () => {
  await using runner = new PdfRunner();
  const sealer = new Sealer({ signer: pki.signer, worker: runner });
  const pdf = plainPdf({ pages: 3 });
  const { bytes, kind } = await sealer.seal(pdf, factsOf(pdf));
  assert.equal((await verifyPdf(bytes, { roots })).verdict, 'sealed');
  assert.deepEqual(kind, {
    pages: 3,
    encrypted: false,
    signed: false,
    form: false,
    warnings: [],
    rewritten: null,
  });
  await assert.rejects(runner.inspect(Buffer.from('no PDF')), {
    name: 'PdfError',
    code: 'not_pdf',
    fault: 'file',
  });
});

test('no signal opens a debugger in the process that reads files', {
  skip: process.platform !== 'linux' && 'only Linux tells which signals a process takes',
}, async () => {
  await using runner = new PdfRunner();
  await runner.inspect(plainPdf());
  const children = await readFile(`/proc/self/task/${process.pid}/children`, 'latin1');
  const [pid] = children.trim().split(' ');
  const [, caught = ''] = /^SigCgt:\s*(\w+)$/m.exec(await readFile(`/proc/${pid}/status`, 'latin1')) ?? [];
  const bit = 1n << BigInt(constants.signals.SIGUSR1 - 1);
  assert.equal(BigInt(`0x${caught}`) & bit, 0n);
});

test('an act is not held up by files that are only looked into', async () => {
  await using runner = new PdfRunner({ memory: 8 * (1 << 30), deadline: 10_000 });
  let isRead = false;
  const slow = runner
    .inspect(bomb)
    .catch(() => {})
    .finally(() => {
      isRead = true;
    });
  const sealer = new Sealer({ signer: pki.signer, worker: runner });
  const pdf = plainPdf();
  await sealer.seal(pdf, factsOf(pdf));
  assert.equal(isRead, false);
  await slow;
});

test('a file that takes too much memory costs its own job, not the one that waits', {
  skip: process.platform !== 'linux' && 'only Linux tells how much memory a process uses',
}, async () => {
  await using runner = new PdfRunner({ memory: 300 << 20 });
  const jobs = await Promise.allSettled([runner.inspect(bomb), runner.inspect(plainPdf({ pages: 2 }))]);
  assert.deepEqual(jobs.map(outcome), ['memory', 2]);
});

test('a file that takes too long costs its own job, not the one that waits', async () => {
  // The one that waits is read by a new process, which has two readers to load: on a slow machine both take longer.
  const began = performance.now();
  await using control = new PdfRunner({ deadline: 60_000 });
  await control.inspect(plainPdf({ pages: 2 }));
  const deadline = Math.max(1500, 2 * (performance.now() - began));
  await using runner = new PdfRunner({ memory: 8 * (1 << 30), deadline });
  const slow = doubleBomb(512 << 20, 20);
  const jobs = await Promise.allSettled([runner.inspect(slow), runner.inspect(plainPdf({ pages: 2 }))]);
  assert.deepEqual(jobs.map(outcome), ['deadline', 2]);
});

function outcome(job: PromiseSettledResult<{ pages: number }>): unknown {
  return job.status === 'fulfilled' ? job.value.pages : Reflect.get(Object(job.reason), 'code');
}

test('too many waiting jobs are refused, the others are done in order', async () => {
  await using runner = new PdfRunner({ waiting: 2 });
  const done: number[] = [];
  const ask = (pages: number) => runner.inspect(plainPdf({ pages })).then((kind) => done.push(kind.pages));
  const jobs = [ask(1), ask(2), ask(3)];
  await assert.rejects(ask(4), { code: 'busy', fault: 'platform' });
  await Promise.all(jobs);
  assert.deepEqual(done, [1, 2, 3]);
});

test('a job whose caller leaves makes room for others, and one that is in work is finished', async () => {
  const caller = new AbortController();
  let signal: AbortSignal | undefined;
  await using runner = new PdfRunner({ waiting: 2, signalOf: () => signal });
  const ask = (pages: number) => runner.inspect(plainPdf({ pages }));
  signal = caller.signal;
  const jobs = [ask(1), ask(2), ask(3)];
  signal = undefined;
  await assert.rejects(ask(4), { code: 'busy' });
  const left = new Error('The caller has left.');
  caller.abort(left);
  jobs.push(ask(5));
  assert.deepEqual(
    (await Promise.allSettled(jobs)).map((job) =>
      job.status === 'fulfilled' ? job.value.pages : job.reason,
    ),
    [1, left, left, 5],
  );
  signal = caller.signal;
  await assert.rejects(ask(6), left);
});

test('stopping finishes the job in work and refuses those that wait', async () => {
  const runner = new PdfRunner();
  const first = runner.inspect(plainPdf({ pages: 1 }));
  const second = runner.inspect(plainPdf({ pages: 2 }));
  const stopping = runner.stop();
  assert.deepEqual((await Promise.allSettled([first, second])).map(outcome), [1, 'stopped']);
  await stopping;
  await assert.rejects(runner.inspect(plainPdf()), { code: 'stopped' });
});

test('large files one after the other do not add up', async () => {
  // What three of them leave behind would be too much for a fourth.
  await using runner = new PdfRunner({ memory: 300 << 20 });
  const scan = stream(Buffer.alloc(12 << 20, 'picture'), '/Subtype/Image', false);
  const pdf = plainPdf({ more: new Map([[500, scan]]) });
  for (let round = 0; round < rounds(4, 25); round++) {
    await runner.prepareSeal(pdf, { facts: factsOf(pdf), room: 4096 });
  }
});

test('large files pass between the processes unharmed', async () => {
  await using runner = new PdfRunner({ memory: 1 << 30 });
  const pdf = plainPdf({
    more: new Map([[500, stream(Buffer.alloc(12 << 20, 'picture'), '/Subtype/Image', false)]]),
  });
  const { bytes } = await new Sealer({ signer: pki.signer, worker: runner }).seal(pdf, factsOf(pdf));
  const digest = (part: Uint8Array) => createHash('sha256').update(part).digest('hex');
  assert.equal(digest(bytes.subarray(0, pdf.length)), digest(pdf));
});
