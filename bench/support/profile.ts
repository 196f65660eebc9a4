/** A processor profile as V8 writes it. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  /** Microseconds since the sample before. */
  readonly timeDeltas: readonly number[];
}

/** Calls of one function from one place, with what it called. */
export interface Frame {
  readonly name: string;
  readonly layer: string;
  /** Microseconds of its own. */
  self: number;
  /** With all that it called. */
  total: number;
  readonly children: Map<string, Frame>;
}

/** Where a function stands, and the layer it belongs to. The first that fits counts. */
const LAYERS: readonly (readonly [layer: string, where: RegExp])[] = [
  ['queries', /src\/db\/|kysely|node:sqlite|node_modules\/pg/],
  ['cryptography', /node:(?:internal\/)?crypto|core\/(?:secrets|key-ring)|jose|simplewebauthn|peculiar/],
  ['limits', /access\/(?:rate-limits|limit-store|failure-limit)|rate-limiter-flexible/],
  ['authentication', /src\/access\//],
  ['validation', /http\/validation|typebox/],
  ['calls to others', /undici|src\/outgoing\/|regions\/directory\/(?:peers|relay-tokens|marked-claims)/],
  ['handlers and rules', /src\/domains\/|src\/roles\/|packages\/protocol/],
  ['what every route has', /src\/(?:http|core)\//],
  ['Fastify', /node_modules\/(?:fastify|find-my-way|@fastify|fast-|secure-json-parse)/],
  ['logging', /pino|sonic-boom/],
  [
    'promises, timers, contexts',
    /node:internal\/(?:process|timers|async|promise)|node:(?:timers|async_hooks)/,
  ],
  ['loading of modules', /node:internal\/modules/],
  ['HTTP and sockets of Node', /node:/],
];
const ENGINE = 'kernel and engine';
const COLLECTOR = 'garbage collector';
const OTHERS = 'others';

/** The tree of calls, without the time in which nothing was done. */
export function framesOf({ nodes, samples, timeDeltas }: CpuProfile): Frame {
  const selfOf = new Map<number, number>();
  for (const [index, id] of samples.entries())
    selfOf.set(id, (selfOf.get(id) ?? 0) + Math.max(0, timeDeltas[index] ?? 0));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const root: Frame = { name: 'all', layer: ENGINE, self: 0, total: 0, children: new Map() };
  const add = (id: number, into: Frame): void => {
    const node = byId.get(id);
    if (node === undefined || isApart(node.callFrame)) return;
    const frame = childOf(into, node.callFrame);
    frame.self += selfOf.get(id) ?? 0;
    for (const child of node.children ?? []) add(child, frame);
  };
  for (const id of nodes[0]?.children ?? []) add(id, root);
  sumUp(root);
  return root;
}

/** No work of the server: waiting, and the profiler itself. */
const isApart = ({ functionName, url }: { functionName: string; url: string }) =>
  functionName === '(idle)' || url === 'node:inspector';

function childOf(parent: Frame, { functionName, url }: { functionName: string; url: string }): Frame {
  const place = placeOf(url);
  const name = `${functionName || '(anonymous)'}${place === '' ? '' : ` ${place}`}`;
  let frame = parent.children.get(name);
  if (frame === undefined) {
    frame = { name, layer: layerOf(functionName, url, parent), self: 0, total: 0, children: new Map() };
    parent.children.set(name, frame);
  }
  return frame;
}

/** What is written in another language has no place, and belongs to who called it. */
function layerOf(functionName: string, url: string, parent: Frame): string {
  if (functionName === '(garbage collector)') return COLLECTOR;
  if (url === '') return parent.layer;
  return LAYERS.find(([, where]) => where.test(url))?.[0] ?? OTHERS;
}

/** The end of a path that tells files apart. */
function placeOf(url: string): string {
  return url
    .replace(/^.*\/node_modules\//, '')
    .replace(/^.*\/packages\//, '')
    .replace(/^file:.*\/bench\//, 'bench/')
    .replace('/src/', '/');
}

function sumUp(frame: Frame): number {
  frame.total = frame.self;
  for (const child of frame.children.values()) frame.total += sumUp(child);
  return frame.total;
}

/** The share of each layer, the largest first. */
export function layersOf(root: Frame): { layer: string; share: number }[] {
  const sums = new Map<string, number>();
  const add = (frame: Frame): void => {
    sums.set(frame.layer, (sums.get(frame.layer) ?? 0) + frame.self);
    for (const child of frame.children.values()) add(child);
  };
  add(root);
  return [...sums]
    .map(([layer, micros]) => ({ layer, share: micros / root.total }))
    .sort((a, b) => b.share - a.share);
}
