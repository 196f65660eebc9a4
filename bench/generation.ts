import { generateKeyPairSync } from 'node:crypto';
import { createPdfWorker } from '@symbolon/pdf';
import { objectsOf, stream, writeTable } from '@symbolon/testkit/pdf/samples';
import { sealedCopy } from '../packages/server/src/domains/agreements/acts/sealed-copy.ts';
import { atMost, type Benchmark, figure, runAlone } from './support/report.ts';
import { rounds, sized, warmUps } from './support/setting.ts';
import { median } from './support/stats.ts';

const ROUNDS = rounds(15);
const PAGES = sized(10, 1);
const PARTIES = ['Ada Lovelace', 'Łukasz Żółć'];

/** Making a contract from an analysed template, with a sealed copy for each of two parties. */
export const generation: Benchmark = async () => {
  const worker = createPdfWorker();
  const template = contract();
  const keys = PARTIES.map(() => {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    return publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  });
  const { plan, tags } = await worker.analyseTemplate(template);
  const analysing: number[] = [];
  const filling: number[] = [];
  const copying: number[] = [];
  const whole: number[] = [];
  // The first rounds warm the fonts, and are thrown away.
  for (let round = -warmUps(3); round < ROUNDS; round++) {
    const values = Object.fromEntries(
      tags.map(({ key }, index) => [key, `${PARTIES[index % PARTIES.length]} ${round + 3}`]),
    );
    const analysis = await cpu(() => worker.analyseTemplate(template));
    const filled = await cpu(() => worker.fillTemplate(template, { values, plan }));
    const copies = await cpu(async () => {
      for (const key of keys) await sealedCopy({ bytes: filled.result.bytes, name: 'contract.pdf' }, key);
    });
    if (round < 0) continue;
    analysing.push(analysis.ms);
    filling.push(filled.ms);
    copying.push(copies.ms);
    whole.push(filled.ms + copies.ms);
  }
  return {
    title: 'Making a document of a run',
    how: `A contract of ${PAGES} pages with ${tags.length} tags, made from its analysed template, and a copy of it sealed for each of two parties; values in Latin and Polish, fonts warm; beside it the analysis, which happens once when the template is uploaded. In one process; milliseconds of CPU, medians of ${ROUNDS} rounds.`,
    table: {
      head: ['step', 'ms CPU'],
      rows: [
        ['values put in', figure(median(filling))],
        ['two copies sealed', figure(median(copying))],
        ['both', figure(median(whole))],
        ['the analysis, once', figure(median(analysing))],
      ],
    },
    bars: [atMost(`a contract of ${PAGES} pages for two parties`, median(whole), 400, ' ms')],
  };
};

/** Pages full of text, with a tag of its own in every fifth line. */
function contract(): Buffer {
  const objects = objectsOf({ pages: PAGES });
  for (let page = 0; page < PAGES; page++) {
    const lines = Array.from({ length: 45 }, (_, line) => {
      const tag = `{{party_${page}_${line}}}`;
      return line % 5 === 0
        ? `(Between the landlord and ${tag}, the tenant,) Tj T*`
        : '(the following is agreed, in as many words as a contract takes to say what everybody knows.) Tj T*';
    });
    const text = `BT /F1 10 Tf 16 TL 60 790 Td\n${lines.join('\n')}\nET`;
    objects.set(11 + page * 2, stream(Buffer.from(text)));
  }
  return writeTable(objects);
}

async function cpu<T>(work: () => Promise<T>): Promise<{ readonly ms: number; readonly result: T }> {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return { ms: (user + system) / 1000, result };
}

if (import.meta.main) await runAlone(generation);
