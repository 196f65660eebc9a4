/** Writes packages/sdk/src/login/password-lists.ts, what a password is compared with: `npm run password-lists`. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import compress from '@zxcvbn-ts/dictionary-compression/compress';
import { adjacencyGraphs, dictionary as common } from '@zxcvbn-ts/language-common';
import { dictionary as english } from '@zxcvbn-ts/language-en';
import { noArguments } from './usage.ts';

noArguments('npm run password-lists');

/** How many words of each list are taken, the most used first. What a browser loads of all of them stays under 60 kB. */
const TAKEN = { passwords: 8_000, words: 9_000, names: 3_000 };
const LEAST_LENGTH = 10;
const LEAST_SCORE = 3;

const root = join(import.meta.dirname, '..');
const target = join(root, 'packages/sdk/src/login/password-lists.ts');
const all = common['passwords-common'].map(String);
const lists = {
  passwords: inSteps(all.slice(0, TAKEN.passwords)),
  words: inSteps(english['wikipedia-en'].map(String).slice(0, TAKEN.words)),
  names: inSteps(english['firstnames-en'].map(String).slice(0, TAKEN.names)),
};
const small = new ZxcvbnFactory({ dictionary: lists, graphs: adjacencyGraphs });
const missed = all
  .slice(TAKEN.passwords)
  .filter((text) => text.length >= LEAST_LENGTH && small.check(text, []).score >= LEAST_SCORE);
const packed = Object.entries({ ...lists, missed: inSteps(missed) }).map(
  ([name, words]) => `export const ${name.toUpperCase()} = ${JSON.stringify(compress(words))};`,
);
writeFileSync(
  target,
  `/*
 * Made by \`npm run password-lists\` from @zxcvbn-ts/language-common and @zxcvbn-ts/language-en (MIT licence, copyright of the
 * zxcvbn-ts authors): the most used passwords, words and first names, and the other common passwords that these would let through.
 */
${packed.join('\n')}
/** Which keys stand beside each other, by keyboard, as JSON. */
export const GRAPHS = ${JSON.stringify(JSON.stringify(adjacencyGraphs))};
`,
);

execFileSync(join(root, 'node_modules/.bin/biome'), ['check', '--write', target]);

/** A list in steps of 500, 1,000, 2,000 ... words, each in the order of its letters, so that neighbours share most of them. */
function inSteps(words: readonly string[]): string[] {
  const ordered: string[] = [];
  for (let size = 500; ordered.length < words.length; size *= 2)
    ordered.push(...words.slice(ordered.length, ordered.length + size).toSorted());
  return ordered;
}
