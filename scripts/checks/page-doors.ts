import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Import, importsIn } from './imports.ts';

/** The sources of the pages. */
const WEB = 'apps/web/src';

/** The rooms of the pages; each may import those before it. The files beside the rooms compose them. */
const rooms = ['text', 'platform', 'ui', 'parts', 'pages'] as const;

/** What stands in a folder of this name is known to the folder around it, and to the files beside the rooms; all else is a door. */
const INNER = '/inner/';

/** What stands in `platform` alone: addresses of the platform, calls of other kinds, and the library that keeps answers. */
const WIRE_WORDS: readonly (readonly [RegExp, string])[] = [
  [/['"`]\/(?:api|forwarder)\//, 'spells an address of the platform'],
  [/\bfetch\(|\bnew (?:EventSource|Transport|WebSocket|XMLHttpRequest)\b/, 'calls the platform by itself'],
  [/from '@tanstack\/react-query'/, 'keeps answers by itself: use useRead'],
  [
    /\btype \w+Request\b.*from '@symbolon\/protocol'|\{[^}]*\b\w+Request\b[^}]*\} from '@symbolon\/protocol'/,
    'makes a body of the wire',
  ],
];

/** Parts of the library that `ui` has one of its own for, which all pages share. */
const OWN_PARTS = /import \{[^}]*\b(?:Badge|Table)\b[^}]*\} from '@mantine\/core'/;

/**
 * Checks that the rooms of the pages know each other one way, and that `platform` alone knows the wire.
 * @param files paths relative to `root`
 */
export function pageDoors(root: string, files: readonly string[]): string[] {
  return files
    .filter((file) => file.startsWith(`${WEB}/`) && /(?<!\.test)\.tsx?$/.test(file))
    .flatMap((file) => pageProblems(file.slice(WEB.length + 1), readFileSync(join(root, file), 'utf8')));
}

/** @param file relative to the sources of the pages @returns one line for each problem */
export function pageProblems(file: string, text: string): string[] {
  const isOfUi = levelOf(file) <= levelOf('ui/');
  const spelled = levelOf(file) > levelOf('platform/') && dirname(file) !== '.' ? WIRE_WORDS : [];
  return [
    ...importsIn(file, text).flatMap(problemOf),
    ...spelled.flatMap(([words, why]) => (words.test(text) ? [why] : [])),
    ...(!isOfUi && OWN_PARTS.test(text)
      ? ['takes a part of the library that ui has one of its own for']
      : []),
  ].map((problem) => `${WEB}/${file} ${problem}`);
}

function problemOf({ from, to }: Import): string[] {
  if (levelOf(to) > levelOf(from)) return [`imports ${to}, which stands above it`];
  const around = to.includes(INNER) ? to.slice(0, to.lastIndexOf(INNER) + 1) : '';
  const isKnown = from.startsWith(around) || dirname(from) === '.';
  return isKnown ? [] : [`imports ${to}, which is known to ${around} alone`];
}

function levelOf(file: string): number {
  const level = rooms.findIndex((room) => file.startsWith(`${room}/`));
  return level === -1 ? rooms.length : level;
}
