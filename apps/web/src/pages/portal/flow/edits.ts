import type {
  FlowConstant,
  FlowDefinition,
  FlowEdge,
  FlowElement,
  FlowNode,
  FlowParty,
} from '@symbolon/flows';

/** Changes of a definition. Each gives a new one, so that a change can be taken back. */

export const emptyFlow = (name: string, party: string, step: string): FlowDefinition => ({
  name,
  output_mode: 'data_only',
  entry: 'step_1',
  parties: [{ key: 'customer', label: party }],
  nodes: [{ key: 'step_1', party: 'customer', title: step, elements: [] }],
  edges: [],
  constants: [],
});

/** The first of `name_1`, `name_2` and so on that is not taken. */
export function freeKey(name: string, taken: Iterable<string>): string {
  const used = new Set(taken);
  for (let number = 1; ; number++) if (!used.has(`${name}_${number}`)) return `${name}_${number}`;
}

/** Every key that stands in the map of answers: slugs and constants share it. */
export function answerKeys({ nodes, constants = [] }: FlowDefinition): string[] {
  const slugs = nodes.flatMap(({ elements }) =>
    elements.flatMap((each) => ('slug' in each ? each.slug : [])),
  );
  return [...slugs, ...constants.map(({ key }) => key)];
}

/** Adds a step for a party. @param from the step that leads to it; the first step of a flow becomes its entry */
export function addNode(
  flow: FlowDefinition,
  title: string,
  from?: string,
): { flow: FlowDefinition; key: string } {
  const key = freeKey(
    'step',
    flow.nodes.map((node) => node.key),
  );
  const before = flow.nodes.find((node) => node.key === from);
  const party = before?.party ?? flow.parties[0]?.key ?? '';
  const nodes = [...flow.nodes, { key, party, title, elements: [] }];
  const added = { ...flow, nodes, entry: flow.entry || key };
  return { flow: before === undefined ? added : connect(added, before.key, key), key };
}

export function changeNode(flow: FlowDefinition, key: string, change: Partial<FlowNode>): FlowDefinition {
  return { ...flow, nodes: flow.nodes.map((node) => (node.key === key ? { ...node, ...change } : node)) };
}

export function removeNode(flow: FlowDefinition, key: string): FlowDefinition {
  const nodes = flow.nodes.filter((node) => node.key !== key);
  const edges = flow.edges.filter(({ from, to }) => from !== key && to !== key);
  const left = { ...flow, nodes, edges };
  return flow.entry === key ? { ...left, entry: nodes[0]?.key ?? null } : left;
}

/** Adds an edge behind those that the step has. It is always taken. */
export function connect(flow: FlowDefinition, from: string, to: string): FlowDefinition {
  if (from === to || flow.edges.some((edge) => edge.from === from && edge.to === to)) return flow;
  const sort = Math.max(-1, ...edgesFrom(flow, from).map((edge) => edge.sort ?? 0)) + 1;
  return { ...flow, edges: [...flow.edges, { from, to, condition: null, sort }] };
}

export function changeEdge(flow: FlowDefinition, edge: FlowEdge, change: Partial<FlowEdge>): FlowDefinition {
  return { ...flow, edges: flow.edges.map((each) => (each === edge ? { ...each, ...change } : each)) };
}

export function removeEdge(flow: FlowDefinition, edge: FlowEdge): FlowDefinition {
  return { ...flow, edges: flow.edges.filter((each) => each !== edge) };
}

/** The edges of a step in the order in which they are tried. */
export function edgesFrom(flow: FlowDefinition, from: string): FlowEdge[] {
  return flow.edges.filter((edge) => edge.from === from).sort((a, b) => (a.sort ?? 0) - (b.sort ?? 0));
}

/** Has an edge tried one place earlier or later. */
export function moveEdge(flow: FlowDefinition, edge: FlowEdge, by: -1 | 1): FlowDefinition {
  const own = edgesFrom(flow, edge.from);
  const order = moved(own, own.indexOf(edge), by);
  const edges = flow.edges.map((each) =>
    own.includes(each) ? { ...each, sort: order.indexOf(each) } : each,
  );
  return { ...flow, edges };
}

/** The list with one entry a place earlier or later. */
export function moved<T>(list: readonly T[], index: number, by: -1 | 1): T[] {
  const result = [...list];
  const entry = result[index];
  if (entry === undefined || result[index + by] === undefined) return result;
  result.splice(index, 1);
  result.splice(index + by, 0, entry);
  return result;
}

export const replaced = <T>(list: readonly T[], index: number, entry: T): T[] =>
  list.map((each, place) => (place === index ? entry : each));
export const without = <T>(list: readonly T[], index: number): T[] =>
  list.filter((_, place) => place !== index);

export function addParty(flow: FlowDefinition, label: string): FlowDefinition {
  const key = freeKey(
    'party',
    flow.parties.map((party) => party.key),
  );
  return { ...flow, parties: [...flow.parties, { key, label }] };
}

export function changeParty(flow: FlowDefinition, key: string, change: Partial<FlowParty>): FlowDefinition {
  const parties = flow.parties.map((party) => (party.key === key ? { ...party, ...change } : party));
  const next = { ...flow, parties };
  return change.key === undefined || change.key === key ? next : renameParty(next, key, change.key);
}

export function addConstant(flow: FlowDefinition, label: string): FlowDefinition {
  const constant: FlowConstant = {
    key: freeKey('value', answerKeys(flow)),
    label,
    result_type: 'number',
    expr: { type: 'lit', value_type: 'number', value: '0' },
  };
  return { ...flow, constants: [...(flow.constants ?? []), constant] };
}

export function changeConstant(flow: FlowDefinition, index: number, constant: FlowConstant): FlowDefinition {
  const before = flow.constants?.[index];
  const next = { ...flow, constants: replaced(flow.constants ?? [], index, constant) };
  return before === undefined || before.key === constant.key
    ? next
    : renameAnswer(next, before.key, constant.key);
}

/** Changes an element of a step. Where its slug changes, what speaks of it changes with it. */
export function changeElement(
  flow: FlowDefinition,
  { key, elements }: FlowNode,
  index: number,
  element: FlowElement,
): FlowDefinition {
  const before = elements[index];
  const next = changeNode(flow, key, { elements: replaced(elements, index, element) });
  const isRenamed = before && 'slug' in before && 'slug' in element && before.slug !== element.slug;
  return isRenamed ? renameAnswer(next, before.slug, element.slug) : next;
}

/** Lets conditions, constants, texts, inputs and outputs speak of an answer by its new key. */
function renameAnswer(flow: FlowDefinition, from: string, to: string): FlowDefinition {
  const key = (text: string) =>
    text === from ? to : text.startsWith(`${from}.`) ? `${to}${text.slice(from.length)}` : text;
  return rewritten(
    flow,
    (member, value, parent) => {
      if (member === 'field' && 'op' in parent) return key(value);
      if (member === 'key' && 'type' in parent && parent.type === 'ref') return key(value);
      if (member === 'source_field') return key(value);
      return isText(member, parent) ? withTags(value, key) : value;
    },
    key,
  );
}

function renameParty(flow: FlowDefinition, from: string, to: string): FlowDefinition {
  const key = (text: string) => (text === from ? to : text);
  return rewritten(flow, (member, value, parent) => {
    if (member === 'party') return key(value);
    const tag = (text: string) => (text.startsWith(`${from}.`) ? `${to}${text.slice(from.length)}` : text);
    return isText(member, parent) ? withTags(value, tag) : value;
  });
}

const isText = (member: string, parent: object) =>
  'kind' in parent && parent.kind === 'text' && ['body', 'text', 'label'].includes(member);

/** The tags of a text under new keys. What stands between braces and is no tag stays. */
const withTags = (text: string, key: (tag: string) => string) =>
  text.replace(/\{\{(\s*)([a-z][a-z0-9_.]*)(\s*)\}\}/gi, (_whole, before, tag, after) => {
    const renamed = key(tag.toLowerCase());
    return `{{${before}${renamed === tag.toLowerCase() ? tag : renamed}${after}}}`;
  });

type Rewrite = (member: string, value: string, parent: object) => string;

/** Looks at every text of a definition with the member in which it stands. @param input the keys that fill inputs of plugins */
function rewritten(
  flow: FlowDefinition,
  rewrite: Rewrite,
  input: (key: string) => string = (key) => key,
): FlowDefinition {
  const walk = (value: unknown, member: string, parent: object): unknown => {
    if (typeof value === 'string') return rewrite(member, value, parent);
    if (Array.isArray(value)) return value.map((each) => walk(each, member, parent));
    if (typeof value !== 'object' || value === null) return value;
    if (member === 'inputs' && 'plugin_id' in parent)
      return Object.fromEntries(Object.entries(value).map(([name, key]) => [name, input(String(key))]));
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, walk(each, name, value)]));
  };
  return walk(flow, '', {}) as FlowDefinition;
}
