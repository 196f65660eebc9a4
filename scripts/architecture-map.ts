/** Draws a map of the imports between rooms and domains of the server, as a triangle: `node scripts/architecture-map.ts`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { domains, rooms } from './checks/doors.ts';
import { type Import, serverImports } from './checks/imports.ts';
import { projectFiles } from './checks/project-files.ts';
import { REPORTS } from './coverage.ts';
import { noArguments } from './usage.ts';

const PAGE = join(REPORTS, 'architecture.svg');
const CELL = 34;
const LABEL = 190;
const TOP = 128;

const places: readonly string[] = [
  ...rooms.flat().filter((room) => room !== 'domains' && room !== 'roles'),
  ...domains,
  'roles',
];

/** Reads the imports and draws them. */
function drawMap(root: string): string {
  return draw(countNames(serverImports(root, projectFiles(root))));
}

/** How many names each place imports from each other one. */
function countNames(imports: readonly Import[]): Map<string, number> {
  const names = new Map<string, Set<string>>();
  for (const { from, to, names: imported } of imports) {
    const [here, there] = [placeOf(from), placeOf(to)];
    if (here === undefined || there === undefined || here === there) continue;
    const set = names.get(`${here} ${there}`) ?? new Set();
    for (const name of imported) set.add(name);
    names.set(`${here} ${there}`, set);
  }
  return new Map([...names].map(([pair, set]) => [pair, set.size]));
}

function placeOf(file: string): string | undefined {
  const [room = '', domain = ''] = file.split('/');
  return places.find((place) => place === (room === 'domains' ? domain : room));
}

function draw(counts: ReadonlyMap<string, number>): string {
  const size = places.length * CELL;
  const [width, height] = [LABEL + size + 24, TOP + size + 24];
  const parts: string[] = [];
  for (const [row, user] of places.entries()) {
    const y = TOP + row * CELL;
    const isDomain = domains.some((domain) => domain === user);
    parts.push(
      `<text x="${LABEL - 12}" y="${y + CELL / 2 + 5}" text-anchor="end" class="${isDomain ? 'domain' : 'room'}">${user}</text>`,
      `<text transform="translate(${LABEL + row * CELL + CELL / 2 + 5} ${TOP - 10}) rotate(-60)" class="${isDomain ? 'domain' : 'room'}">${user}</text>`,
    );
    for (const [column, used] of places.entries()) {
      const x = LABEL + column * CELL;
      if (column === row) {
        parts.push(`<rect x="${x}" y="${y}" width="${CELL}" height="${CELL}" class="self"/>`);
        continue;
      }
      const count = counts.get(`${user} ${used}`);
      const kind =
        column > row ? (count === undefined ? 'none' : 'wrong') : count === undefined ? 'free' : 'uses';
      if (kind === 'none') continue;
      parts.push(`<rect x="${x}" y="${y}" width="${CELL}" height="${CELL}" class="${kind}"/>`);
      if (count !== undefined) {
        parts.push(
          `<text x="${x + CELL / 2}" y="${y + CELL / 2 + 4}" text-anchor="middle" class="count">${count}</text>`,
        );
      }
    }
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Which room and domain of the server imports which">
<style>
  text { font: 13px system-ui, sans-serif; fill: #1f2933; }
  .domain { font-weight: 600; }
  .room { fill: #5b6770; }
  .count { font-size: 12px; }
  .self { fill: #1f2933; }
  .free { fill: #ffffff; stroke: #d6dce1; }
  .uses { fill: #cfe6e0; stroke: #d6dce1; }
  .wrong { fill: #e5484d; }
</style>
<rect width="100%" height="100%" fill="#ffffff"/>
<text x="12" y="24">A row imports the columns to its left.</text>
<text x="12" y="42">The number says how many names.</text>
${parts.join('\n')}
</svg>
`;
}

if (import.meta.main) {
  noArguments('node scripts/architecture-map.ts');
  mkdirSync(REPORTS, { recursive: true });
  writeFileSync(PAGE, drawMap('.'));
  console.log(PAGE);
}
