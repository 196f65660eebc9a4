import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createPdfWorker } from '/work/w-xml/packages/pdf/src/worker.ts';
const worker = createPdfWorker();
const out: Record<string, string> = {};
for (const f of readdirSync('/tmp/corpus/files').sort()) {
  out[f] = await worker.inspect(readFileSync(`/tmp/corpus/files/${f}`)).then((k) => `ok ${k.warnings.join(' ')}`, (e) => `${e.code} ${(e.cause?.message ?? '')}`);
}
writeFileSync('/tmp/corpus-old.json', JSON.stringify(out));
