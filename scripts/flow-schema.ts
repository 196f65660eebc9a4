/** Writes docs/flow-definition.schema.json, the published schema of flow definitions: `npm run flow-schema`. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FlowDefinition } from '@symbolon/protocol';
import { noArguments } from './usage.ts';

noArguments('npm run flow-schema');

const root = join(import.meta.dirname, '..');
const file = join(root, 'docs/flow-definition.schema.json');
writeFileSync(file, `${JSON.stringify(FlowDefinition, null, 2)}\n`);
execFileSync(join(root, 'node_modules/.bin/biome'), ['format', '--write', file]);
