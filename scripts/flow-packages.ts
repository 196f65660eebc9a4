/** Writes the packages in examples/flows from their sources: `npm run flow-packages`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { examplePackages } from '@symbolon/testkit/actors/flow-packages';
import { noArguments } from './usage.ts';

noArguments('npm run flow-packages');

const folder = join(import.meta.dirname, '../examples/flows');
for (const [name, bytes] of Object.entries(await examplePackages())) {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, bytes);
}
