import { type Import, SERVER, serverImports } from './imports.ts';

/** The rooms of the server; each may import those before it. Rooms in one line do not know each other. */
export const rooms = [
  ['core'],
  ['db'],
  ['access', 'outgoing', 'events'],
  ['http'],
  ['domains'],
  ['roles'],
] as const;

/** The domains; each may import those before it, by their doors alone. */
export const domains = [
  'operations',
  'registry',
  'accounts',
  'people',
  'companies',
  'clients',
  'profile',
  'plugins',
  'services',
  'sharing',
  'delivery',
  'approval',
  'agreements',
  'conversation',
  'flows',
  'operator',
  'regions',
] as const;

/** Composes everything: the files beside the rooms. */
const TOP = 'the composition';
/** What domains declare for each other, beside their doors: known to the features of the domain itself. */
const PORTS = 'ports.ts';
const DOOR = 'index.ts';

/**
 * Checks that imports between the rooms, domains and features of the server run one way, and those between domains
 * through doors. The features of one domain import what they need of each other, never in a circle.
 * @param files paths relative to `root`
 * @returns one line for every import that does not, and for every cycle
 */
export function doors(root: string, files: readonly string[]): string[] {
  const imports = serverImports(root, files);
  return [...imports.flatMap(problemOf), ...unknownPlaces(files), ...cycles(imports)];
}

/** What is wrong with an import: none or one line. */
export function problemOf({ from, to }: Import): string[] {
  const wrong = (why: string) => [`${SERVER}/${from} imports ${to}: ${why}`];
  const [here, there] = [placeOf(from), placeOf(to)];
  if (here.room !== there.room) {
    if (levelOf(there.room) >= levelOf(here.room)) return wrong(`${there.room} stands above ${here.room}`);
    if (there.domain !== undefined && there.path.length > 1) return wrong(`use the door of ${there.domain}`);
    return [];
  }
  if (here.domain === undefined || there.domain === undefined) return [];
  if (here.domain !== there.domain) {
    if (domains.indexOf(there.domain) > domains.indexOf(here.domain)) {
      return wrong(`${there.domain} stands after ${here.domain}: declare a port in ${here.domain}`);
    }
    return there.path.length === 1 && there.path[0] === DOOR ? [] : wrong(`use the door of ${there.domain}`);
  }
  const fromFeature = here.path.length > 1;
  const toDomain = there.path.length === 1 && there.path[0] !== PORTS;
  return fromFeature && toDomain ? wrong('a feature does not know the door of its own domain') : [];
}

interface Place {
  readonly room: string;
  readonly domain?: (typeof domains)[number];
  /** Inside the domain. */
  readonly path: readonly string[];
}

function placeOf(file: string): Place {
  const [room = '', domain, ...path] = file.split('/');
  if (domain === undefined) return { room: TOP, path: [] };
  const known = domains.find((name) => name === domain);
  return room === 'domains' && known !== undefined ? { room, domain: known, path } : { room, path: [] };
}

function levelOf(room: string): number {
  const level = rooms.findIndex((names) => names.some((name) => name === room));
  return room === TOP ? rooms.length : level;
}

/** Rooms and domains that are not in the lists. */
function unknownPlaces(files: readonly string[]): string[] {
  const known = new Set<string>([...rooms.flat(), 'testing', ...domains.map((name) => `domains/${name}`)]);
  const folders = new Set(
    files
      .filter((file) => file.startsWith(`${SERVER}/`))
      .map((file) =>
        file
          .slice(SERVER.length + 1)
          .split('/')
          .slice(0, -1),
      )
      .filter(([room]) => room !== undefined)
      .map(([room = '', domain]) =>
        room === 'domains' && domain !== undefined ? `domains/${domain}` : room,
      ),
  );
  return [...folders]
    .filter((folder) => !known.has(folder))
    .map((folder) => `${SERVER}/${folder}: add it to the list in scripts/checks/doors.ts`);
}

/** The features of a domain that import each other in a circle, one line for each circle found. */
function cycles(imports: readonly Import[]): string[] {
  const uses = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    const [here, there] = [featureOf(from), featureOf(to)];
    if (here === undefined || there === undefined || here === there) continue;
    uses.set(here, (uses.get(here) ?? new Set()).add(there));
  }
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (feature: string, path: readonly string[]) => {
    if (path.includes(feature)) {
      found.push(
        `${[...path.slice(path.indexOf(feature)), feature].join(' → ')}: features import each other`,
      );
      return;
    }
    if (done.has(feature)) return;
    for (const used of uses.get(feature) ?? []) visit(used, [...path, feature]);
    done.add(feature);
  };
  for (const feature of uses.keys()) visit(feature, []);
  return found;
}

/** The feature that a file belongs to; undefined for files outside features. */
function featureOf(file: string): string | undefined {
  const { domain, path } = placeOf(file);
  return domain === undefined || path.length < 2 ? undefined : `${domain}/${path[0]}`;
}
