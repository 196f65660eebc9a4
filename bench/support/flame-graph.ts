import type { Frame } from './profile.ts';
import { figure } from './report.ts';

const WIDTH = 1200;
const ROW = 15;
const HEAD = 44;
/** What is narrower is not drawn. */
const LEAST = WIDTH / 500;
const LETTER = 6.1;
const COLOURS = [
  '#f2a65a',
  '#7fb7be',
  '#d3bcc0',
  '#e8c547',
  '#9bc59d',
  '#c6a2d8',
  '#f28482',
  '#a3b8ef',
  '#b8b08d',
  '#d9d9d9',
  '#8ecae6',
  '#e0a3a3',
  '#c0d461',
];

/**
 * A flame graph as SVG: each box is a function over the one that called it, as wide as its share, in the colour of its layer.
 * @param micros what a request takes
 */
export function drawFlames(root: Frame, { title, micros }: { title: string; micros: number }): string {
  const colours = new Map<string, string>();
  const colourOf = (layer: string) => {
    const known = colours.get(layer) ?? COLOURS[colours.size % COLOURS.length] ?? '#cccccc';
    colours.set(layer, known);
    return known;
  };
  const boxes: string[] = [];
  let deepest = 0;
  const draw = (frame: Frame, x: number, depth: number): void => {
    const width = (frame.total / root.total) * WIDTH;
    if (width < LEAST) return;
    deepest = Math.max(deepest, depth);
    const label = `${frame.name}: ${figure((frame.total / root.total) * micros, 1)} µs`;
    const letters = Math.floor((width - 4) / LETTER);
    const text =
      letters < 3 ? '' : `<text x="${at(x + 2)}" y="${depth * ROW + 11}">${cut(label, letters)}</text>`;
    boxes.push(
      `<g><title>${escaped(label)}</title><rect x="${at(x)}" y="${depth * ROW}" width="${at(width - 0.4)}" height="${ROW - 1}" fill="${colourOf(frame.layer)}"/>${text}</g>`,
    );
    let left = x;
    for (const child of [...frame.children.values()].sort((a, b) => b.total - a.total)) {
      draw(child, left, depth + 1);
      left += (child.total / root.total) * WIDTH;
    }
  };
  draw(root, 0, 0);
  let left = 4;
  const legend = [...colours].map(([layer, colour]) => {
    const entry = `<rect x="${left}" y="24" width="10" height="10" fill="${colour}"/><text x="${left + 13}" y="33">${escaped(layer)}</text>`;
    left += 24 + Math.ceil(layer.length * LETTER);
    return entry;
  });
  const height = HEAD + (deepest + 1) * ROW;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="monospace" font-size="10">`,
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    `<text x="4" y="15" font-size="13">${escaped(title)}, ${figure(micros)} µs</text>`,
    ...legend,
    `<g transform="translate(0 ${HEAD})">`,
    ...boxes,
    '</g></svg>\n',
  ].join('\n');
}

const at = (x: number) => x.toFixed(1);
const cut = (text: string, letters: number) =>
  escaped(text.length <= letters ? text : `${text.slice(0, Math.max(1, letters - 1))}…`);
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
