import { randomBytes } from 'node:crypto';
import { registerPerson } from '@symbolon/testkit/actors/actors';
import { dataFolder, Platform } from './support/platform.ts';
import { atMost, type Benchmark, figure, runAlone } from './support/report.ts';
import { sized } from './support/setting.ts';

const MIB = 1024 * 1024;
const AT_ONCE = sized(10, 2);
const FILE_BYTES = sized(15 * MIB, 64 * 1024);
const BAR_MIB = 64;

/** Large files that people upload at the same time: what they add to the memory of the process. */
export const uploads: Benchmark = async () => {
  await using folder = await dataFolder();
  await using platform = await Platform.start(folder.path);
  const tokens: string[] = [];
  for (let person = 0; person <= AT_ONCE; person++) tokens.push((await registerPerson(platform)).token);
  const send = (token: string | undefined, body: Buffer<ArrayBuffer>) =>
    fetch(`${platform.url}/api/person/files`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body,
    });
  // The first one compiles the code, whatever comes after it.
  const first = tokens.pop();
  const fresh = await platform.usage();
  await succeed(send(first, sealedFile()));
  const bodies = tokens.map(sealedFile);
  const before = await platform.usage();
  const from = performance.now();
  await Promise.all(bodies.map((body, person) => succeed(send(tokens[person], body))));
  const ms = performance.now() - from;
  const after = await platform.usage();
  const added = (after.peakRss - before.rss) / MIB;
  return {
    title: 'Uploads',
    how: `${AT_ONCE} people upload a sealed file of ${FILE_BYTES / MIB} MiB each at the same time, after one that warms up.`,
    table: {
      head: ['what', 'measured'],
      rows: [
        ['all uploads', `${figure(ms)} ms`],
        ['memory of the process before the first one', `${figure(fresh.rss / MIB)} MiB`],
        ['memory of the process before the ten', `${figure(before.rss / MIB)} MiB`],
        ['memory at most', `${figure(after.peakRss / MIB)} MiB`],
        ['processor time', `${figure((after.cpuMicros - before.cpuMicros) / 1000)} ms`],
      ],
    },
    bars: [atMost('memory added', added, BAR_MIB, ' MiB')],
  };
};

/** The body of an upload. A file is base64 in its envelope, and the sealed envelope is base64 again. */
function sealedFile(): Buffer<ArrayBuffer> {
  const sealed = randomBytes(Math.ceil(FILE_BYTES / 3) * 4);
  const wrapper = {
    _enc: 1,
    k: randomBytes(256).toString('base64'),
    iv: randomBytes(12).toString('base64'),
    d: sealed.toString('base64'),
  };
  return Buffer.from(JSON.stringify({ value: JSON.stringify(wrapper) }));
}

async function succeed(answer: Promise<Response>): Promise<void> {
  const { status } = await answer.then(async (response) => {
    await response.arrayBuffer();
    return response;
  });
  if (status !== 201) throw new Error(`An upload was answered with ${status}.`);
}

if (import.meta.main) await runAlone(uploads);
