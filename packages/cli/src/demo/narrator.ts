import type { Change } from '@symbolon/sdk';
import { createPaint } from '../terminal/paint.ts';
import { pad, printable, shorten } from '../terminal/text.ts';

import { textOf } from './same-value.ts';
import type { Journey } from './scenes/reading.ts';

/** Who tells the story. */
export interface Narrator {
  chapter(title: string): void;
  say(text: string): void;
  fact(name: string, text: string): void;
  journeys(person: string, journeys: readonly Journey[]): void;
  changes(changes: readonly Change[]): void;
}

/** Prints nothing: for `--json`. */
export const silentNarrator: Narrator = {
  chapter: () => undefined,
  say: () => undefined,
  fact: () => undefined,
  journeys: () => undefined,
  changes: () => undefined,
};

/** Tells it to a terminal, or as plain text to whatever stands in its place. */
export function terminalNarrator(stream: NodeJS.WriteStream): Narrator {
  const paint = createPaint(stream);
  const print = (text: string) => stream.write(`${text}\n`);
  const width = Math.min(stream.columns ?? 116, 132);
  let chapters = 0;
  let afterTable = false;
  return {
    chapter(title) {
      print(`\n${paint.title(`${++chapters}  ${title}`)}`);
    },
    say(text) {
      if (afterTable) print('');
      afterTable = false;
      for (const line of wrap(text, width - INDENT.length)) print(`${INDENT}${line}`);
    },
    fact(name, text) {
      const room = width - INDENT.length - NAME_WIDTH - 2;
      for (const [index, line] of wrap(text, room).entries()) {
        print(`${INDENT}${paint.dim(pad(index === 0 ? name : '', NAME_WIDTH))}  ${line}`);
      }
    },
    journeys(person, journeys) {
      const slugWidth = Math.max(...journeys.map(({ slug }) => slug.length));
      const room = Math.max(48, width - INDENT.length - slugWidth - 4 * GAP.length - MARK_WIDTH);
      const [typed, stored, opened] = [
        Math.floor(room * 0.36),
        Math.floor(room * 0.28),
        Math.floor(room * 0.36),
      ];
      const head = [person, 'typed', 'stored by platform', 'decrypted by company'];
      const widths = [slugWidth, typed, stored, opened];
      print('');
      print(
        INDENT +
          head
            .map((text, index) => paint.dim(pad(shorten(text, widths[index] ?? 0), widths[index] ?? 0)))
            .join(GAP),
      );
      for (const journey of journeys) {
        const cells = [
          paint.bold(pad(journey.slug, slugWidth)),
          pad(shorten(printable(journey.typed), typed), typed),
          paint.sealed(pad(sealedText(journey.stored, stored), stored)),
          paint.good(pad(shorten(printable(journey.decrypted), opened), opened)),
          paint.dim(marks(journey)),
        ];
        print((INDENT + cells.join(GAP)).trimEnd());
      }
      afterTable = true;
    },
    changes(changes) {
      for (const { at, event, slug, value, raw } of changes) {
        const sealed = raw.value === undefined ? '' : `${paint.sealed(sealedText(raw.value, 26))} → `;
        const what =
          value === undefined
            ? ''
            : `${paint.bold(slug ?? '')}  ${sealed}${paint.good(printable(textOf(value.value)))}`;
        print(`${INDENT}${paint.dim(at.slice(11, 23))}  ${pad(paint.name(event), 18)}  ${what}`.trimEnd());
      }
    },
  };
}

/** The ciphertext itself is the telling part of a wrapper: `_enc` and the sealed key look the same for all. */
function sealedText(wrapper: string, width: number): string {
  const { d } = JSON.parse(wrapper) as { d: string };
  return shorten(`{_enc:1 d:${d}`, width);
}

function marks({ live, verified }: Journey): string {
  return [live ? 'live' : 'once', ...(verified ? ['✓ verified'] : [])].join(' ');
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length + 1 > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

const INDENT = '   ';
const GAP = '  ';
const NAME_WIDTH = 16;
const MARK_WIDTH = 15;
