import { readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { type ErrorKey, errorCatalogue } from '@symbolon/protocol';
import { parseAst } from 'rolldown/parseAst';
import type { ESTree } from 'rolldown/utils';
import { projectFiles } from '../checks/project-files.ts';
import { LATE_MS } from './settings.ts';

export const KINDS = ['guard', 'bound', 'await', 'error'] as const;
export type Kind = (typeof KINDS)[number];

/** One way to break the server, at one place. */
export interface Mutant {
  /** The same as long as the text of the place stays; what stands there several times is counted. */
  readonly id: string;
  readonly kind: Kind;
  /** From the root of the project. */
  readonly file: string;
  readonly domain: string;
  readonly line: number;
  /** What is broken, and what stands there instead: offsets of characters. */
  readonly start: number;
  readonly end: number;
  readonly original: string;
  readonly mutated: string;
  /** The first line of what is broken, as the source has it. */
  readonly text: string;
}

/** An expression that a mutant stands in, which is reached before it matters. */
export interface Probed extends Mutant {
  readonly probe: readonly [start: number, end: number];
}

const SERVER = 'packages/server/src/';
/** What has run on every database once and for all, declarations, and what only PostgreSQL runs: mutants are tried without it. */
const LEFT_OUT =
  /\.test\.ts$|\/testing\/|\/db\/migrations\/|postgres[^/]*\.ts$|\/(lock-turns|lease-claims)\.ts$/;

type Found = Pick<Probed, 'kind' | 'start' | 'end' | 'mutated' | 'probe'>;
type Node = ESTree.Node;

const OTHER_BOUND: Readonly<Record<string, string>> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' };
/** Values by which a function says that it refuses. */
const REFUSAL = /refus|reject|fail|denied|den(y|ies)$|error/i;

/** All mutants of the server's production code. */
export function serverMutants(root: string): Probed[] {
  return projectFiles(root)
    .filter((file) => file.startsWith(SERVER) && file.endsWith('.ts') && !LEFT_OUT.test(file))
    .flatMap((file) => mutantsOf(file, readFileSync(join(root, file), 'utf8')));
}

/** The domain of a file of the server; of one outside `domains/`, its folder. */
export function domainOf(file: string): string {
  const [first = '', second] = file.slice(SERVER.length).replace('domains/', '').split('/');
  return second === undefined ? 'server' : first;
}

/** All mutants of one source, in the order of their places. */
export function mutantsOf(file: string, source: string): Probed[] {
  const found: Found[] = [];
  visit(parseAst(source, { lang: 'ts' }, file), undefined, (node, parent) => {
    found.push(...foundAt(node, parent, source));
  });
  const times = new Map<string, number>();
  return found
    .sort((a, b) => a.start - b.start || a.end - b.end)
    .map(({ kind, start, end, mutated, probe }) => {
      const original = source.slice(start, end);
      const from = source.lastIndexOf('\n', start - 1) + 1;
      const to = source.indexOf('\n', start);
      const text = source.slice(from, to < 0 ? undefined : to).trim();
      const name = [file.split(sep).join('/'), kind, text, original].join('|');
      const time = (times.get(name) ?? 0) + 1;
      times.set(name, time);
      const line = source.slice(0, start).split('\n').length;
      const id = `${name}|${time}`;
      return { id, kind, file, domain: domainOf(file), line, start, end, original, mutated, text, probe };
    });
}

/** The source with a mutant in it. */
export function mutate(source: string, { start, end, mutated }: Pick<Mutant, 'start' | 'end' | 'mutated'>) {
  return source.slice(0, start) + mutated + source.slice(end);
}

/**
 * The source that notes which of its mutable places are reached.
 * @param first the number of the first mutant; the others follow
 */
export function withProbes(source: string, mutants: readonly Probed[], first: number): string {
  const inserted = mutants.flatMap(({ probe: [start, end] }, index) => [
    { at: start, text: `(globalThis.reachedPlaces[${first + index}] = 1, ` },
    { at: end, text: ')' },
  ]);
  let text = source;
  // From the end, so that places stay. Where one ends and another starts, the end comes first.
  const order = (part: { text: string }) => (part.text === ')' ? 0 : 1);
  for (const part of inserted.sort((a, b) => b.at - a.at || order(b) - order(a))) {
    text = text.slice(0, part.at) + part.text + text.slice(part.at);
  }
  return text;
}

function foundAt(node: Node, parent: Node | undefined, source: string): Found[] {
  switch (node.type) {
    case 'IfStatement': {
      const { start, end } = node.test;
      return refuses(node.consequent)
        ? [{ kind: 'guard', start, end, mutated: 'false', probe: [start, end] }]
        : [];
    }
    case 'BinaryExpression': {
      const mutated = OTHER_BOUND[node.operator];
      const orders = parent?.type === 'ConditionalExpression' && isOne(parent.consequent);
      if (mutated === undefined || orders || parent?.type === 'ForStatement') return [];
      // The real clock does not hit a fraction of a millisecond exactly.
      if (source.slice(node.start, node.end).includes('performance.now()')) return [];
      const [start, end] = operatorBetween(node, source);
      return [{ kind: 'bound', start, end, mutated, probe: [node.start, node.end] }];
    }
    case 'CallExpression': {
      // A condition of a query: `where('column', '<=', value)`.
      const [, operator, value] = node.arguments;
      if (value === undefined || operator?.type !== 'Literal') return [];
      const mutated = OTHER_BOUND[String(operator.value)];
      const { start, end } = operator;
      return mutated === undefined
        ? []
        : [{ kind: 'bound', start, end, mutated: `'${mutated}'`, probe: [start, end] }];
    }
    case 'ExpressionStatement': {
      if (node.expression.type !== 'AwaitExpression') return [];
      const { start, end, argument } = node.expression;
      if (locksRows(argument) || stopsInTestsAlone(argument)) return [];
      // The embedded engine answers at once: no difference would show if the call itself were not late, too.
      const lost = `void new Promise((later) => setTimeout(later, ${LATE_MS})).then(async () => (${source.slice(argument.start, argument.end)}))`;
      return [{ kind: 'await', start, end, mutated: lost, probe: [argument.start, argument.end] }];
    }
    case 'NewExpression': {
      const [key] = node.arguments;
      if (node.callee.type !== 'Identifier' || node.callee.name !== 'PlatformError') return [];
      const keys = key?.type === 'ConditionalExpression' ? [key.consequent, key.alternate] : [key];
      return keys.flatMap((literal): Found[] => {
        if (literal?.type !== 'Literal' || typeof literal.value !== 'string') return [];
        const { start, end } = literal;
        return [{ kind: 'error', start, end, mutated: `'${otherKey(literal.value)}'`, probe: [start, end] }];
      });
    }
    default:
      return [];
  }
}

/** `lock` does nothing on the embedded engine, on which mutants are tried. */
const locksRows = (node: Node): boolean =>
  node.type === 'CallExpression' && node.callee.type === 'Identifier' && node.callee.name === 'lock';

/** `steps` is where tests of moves interrupt them; it does nothing otherwise. */
const stopsInTestsAlone = (node: Node): boolean =>
  node.type === 'CallExpression' && node.callee.type === 'Identifier' && node.callee.name === 'steps';

/** Where the operator stands: behind the left side come spaces, comments and closing brackets. */
function operatorBetween(
  { left, operator }: Pick<ESTree.BinaryExpression, 'operator'> & { readonly left: { readonly end: number } },
  source: string,
): [number, number] {
  const start = source.indexOf(operator, left.end);
  return [start, start + operator.length];
}

/** Whether a branch does nothing in the end but refuse. */
function refuses(branch: ESTree.Statement): boolean {
  const last = branch.type === 'BlockStatement' ? branch.body.at(-1) : branch;
  if (last?.type === 'ThrowStatement') return true;
  return last?.type === 'ReturnStatement' && last.argument !== null && isRefusal(last.argument);
}

function isRefusal(value: ESTree.Expression): boolean {
  switch (value.type) {
    case 'Literal':
      return value.value === false || typeof value.value === 'string';
    case 'Identifier':
      return REFUSAL.test(value.name);
    case 'CallExpression':
    case 'NewExpression': {
      const { callee } = value;
      const name = callee.type === 'MemberExpression' ? callee.property : callee;
      return (name.type === 'Identifier' || name.type === 'PrivateIdentifier') && REFUSAL.test(name.name);
    }
    case 'ObjectExpression':
      return value.properties.some(
        (property) =>
          property.type === 'Property' &&
          property.key.type === 'Identifier' &&
          REFUSAL.test(property.key.name),
      );
    default:
      return false;
  }
}

/** The result of a comparison that puts things into an order: the order of two equal ones does not matter. */
const isOne = (node: Node): boolean =>
  (node.type === 'Literal' && node.value === 1) || (node.type === 'UnaryExpression' && isOne(node.argument));

/** A key of the catalogue with another status. */
function otherKey(key: string): ErrorKey {
  const statuses: Readonly<Record<string, readonly [number, string]>> = errorCatalogue;
  return statuses[key]?.[0] === 409 ? 'request.not_found' : 'services.key_reused';
}

function visit(
  node: Node,
  parent: Node | undefined,
  see: (node: Node, parent: Node | undefined) => void,
): void {
  see(node, parent);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, node, see);
  }
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
