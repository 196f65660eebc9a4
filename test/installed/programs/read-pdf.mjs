// Verifies a sealed PDF, inspects another and tries to fill it in, without the package of fonts. Prints what became of each.
import { readFileSync } from 'node:fs';
import { createPdfWorker, PdfRunner } from '@symbolon/pdf';
import { verifyDocument } from '@symbolon/sdk/verify';

const [sealed, roots, plain] = process.argv.slice(2).map((file) => readFileSync(file));
const { verdict } = await verifyDocument(sealed, { roots: roots.toString() });
const runner = new PdfRunner();
const { form } = await runner.inspect(plain);
await runner.stop();
const filled = await createPdfWorker()
  .fillTemplate(plain, { values: { name: 'Ada' } })
  .catch(({ code }) => code);
console.log(verdict, form, filled);
