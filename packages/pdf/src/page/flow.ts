import type { PageSize } from '../file/page-tree.ts';
import type { FontUses } from '../text/embed.ts';
import type { Choices, Weight } from '../text/fonts.ts';
import { breakLines } from '../text/paragraph.ts';
import type { ShapedLine } from '../text/shape.ts';
import { Canvas, type Grey } from './canvas.ts';

export interface Text {
  readonly text: string;
  readonly weight: Weight;
  /** Points. */
  readonly size: number;
  readonly grey: Grey;
  readonly language?: string | undefined;
}

export type Item = { readonly title: Text } | { readonly label: Text; readonly value: Text };

/** Items that stay together where a page has room for them. Between two blocks there is a rule. */
export type Block = readonly Item[];

export interface Frame {
  readonly size: PageSize;
  readonly margin: number;
  /** The size of most of the text, in points. */
  readonly body: number;
}

/** The distance of lines, and of what stands around a rule, in parts of the text's size. */
const LEADING = 1.4;
const TITLE_LEADING = 1.6;
const GAP = 0.9;
const RULE: Grey = 0.8;

interface Line {
  readonly height: number;
  readonly draw: (canvas: Canvas, top: number) => void;
}

/** Puts the blocks on as many pages as they need. */
export function flow(blocks: readonly Block[], frame: Frame, choices: Choices, fonts: FontUses): Canvas[] {
  const { margin, body, size } = frame;
  const top = size.height - margin;
  const canvases = [new Canvas(fonts)];
  let y = top;
  const turn = () => {
    canvases.push(new Canvas(fonts));
    y = top;
  };
  for (const block of blocks) {
    const lines = block.flatMap((item) => linesOf(item, frame, choices));
    const height = lines.reduce((sum, line) => sum + line.height, 0);
    const room = y - margin - (y < top ? body * GAP * 2 : 0);
    if (y < top && height > room && (height <= top - margin || room < heading(lines))) turn();
    if (y < top) {
      canvases.at(-1)?.rule(margin, y - body * GAP, size.width - 2 * margin, RULE);
      y -= body * GAP * 2;
    }
    for (const line of lines) {
      if (y - line.height < margin && y < top) turn();
      const canvas = canvases.at(-1);
      if (canvas) line.draw(canvas, y);
      y -= line.height;
    }
  }
  return canvases;
}

/** A heading does not stand alone at the foot of a page. */
function heading(lines: readonly Line[]): number {
  return lines.slice(0, 3).reduce((sum, { height }) => sum + height, 0);
}

function linesOf(item: Item, { size, margin, body }: Frame, choices: Choices): Line[] {
  const width = size.width - 2 * margin;
  if ('title' in item) {
    const { title } = item;
    return broken(title, width, choices).map((line) => ({
      height: title.size * TITLE_LEADING,
      draw: (canvas, top) => canvas.text(line, margin, top - title.size, title.size, title.grey),
    }));
  }
  const { label, value } = item;
  const indent = Math.min(width * 0.32, body * 13);
  const labels = broken(label, indent - body, choices);
  const values = broken(value, width - indent, choices);
  return Array.from({ length: Math.max(labels.length, values.length) }, (_, index) => ({
    height: body * LEADING,
    draw: (canvas, top) => {
      const [left, right] = [labels[index], values[index]];
      if (left) canvas.text(left, margin, top - body, label.size, label.grey);
      if (right) canvas.text(right, margin + indent, top - body, value.size, value.grey);
    },
  }));
}

export function broken(
  { text, weight, size, language }: Text,
  width: number,
  choices: Choices,
): ShapedLine[] {
  return breakLines(text, weight, choices.for(text, language), size, width);
}
