import assert from 'node:assert/strict';
import { systemRegistry } from '@symbolon/field-types';
import {
  checkDefinition,
  decideRoute,
  type FlowCondition,
  type FlowConstant,
  type FlowDefinition,
  type FlowField,
  type FlowNode,
  followWay,
  holds,
  warningsOf,
  withConstants,
} from '@symbolon/flows';
import { flowLimits } from '@symbolon/protocol/constants';
import { atMost, type Bar, type Benchmark, figure, runAlone } from './support/report.ts';
import { rounds, warmUps } from './support/setting.ts';
import { median } from './support/stats.ts';

const ROUNDS = rounds(15);
const NODES = flowLimits.nodesMost;
/** Steps that a run has passed. */
const STEPS = 100;
const surroundings = { fieldTypes: systemRegistry, assets: new Set<string>(), plugins: new Map() };

/** Checking and evaluating definitions that are as large as they may be. */
export const flows: Benchmark = async () => {
  const plain = chain((index) => [field(`f${index}`)]);
  const full: FlowDefinition = {
    ...chain((index) => [
      { kind: 'text', body: `Dear {{ client.name }}, this is step ${index}.` },
      ...['a', 'b', 'c', 'd'].map((letter) => field(`f${index}_${letter}`)),
    ]),
    edges: Array.from({ length: NODES - 1 }, (_, index) => [
      { from: `n${index}`, to: `n${Math.min(index + 2, NODES - 1)}`, condition: five(index) },
      { from: `n${index}`, to: `n${index + 1}`, condition: null, sort: 1 },
    ]).flat(),
    constants: Array.from({ length: flowLimits.constantsMost }, (_, index) => sum(index)),
  };
  const values = new Map<string, unknown>([['f0_a', '5']]);
  const run = {
    definition: full,
    fieldTypes: systemRegistry,
    answers: new Map([['f0_a', '5']]),
    referenceDate: '2026-06-15',
  };
  const submitted = new Set(full.nodes.slice(0, STEPS).map(({ key }) => key));
  const deep = nested(flowLimits.depthMost);
  const cases = [
    {
      name: 'checked: a field and an edge a node',
      bar: 200,
      work: () => assert.deepEqual(checkDefinition(plain, surroundings), []),
    },
    {
      name: 'checked: five elements and two edges a node, 1,000 constants',
      bar: 200,
      work: () => assert.deepEqual(checkDefinition(full, surroundings), []),
    },
    { name: 'warned of', work: () => [...warningsOf(full)] },
    {
      name: '1,000 constants, each of the one before',
      work: () => withConstants(full.constants ?? [], { values, referenceDate: run.referenceDate }),
    },
    { name: `the way of a run through ${STEPS} steps`, work: () => followWay(run, submitted) },
    { name: 'a step decided', work: () => decideRoute(full, 'n5', values) },
    {
      name: `a condition of ${flowLimits.depthMost} levels`,
      bar: 5,
      work: () => assert.ok(holds(deep, values)),
    },
  ].map((one) => ({ ...one, times: [] as number[] }));
  // The first rounds warm the code and are thrown away.
  for (let round = -warmUps(3); round < ROUNDS; round++) {
    for (const { work, times } of cases) {
      const before = process.cpuUsage();
      work();
      const { user, system } = process.cpuUsage(before);
      if (round >= 0) times.push((user + system) / 1000);
    }
  }
  return {
    title: 'Definitions of flows',
    how: `One definition of ${figure(NODES)} nodes, the most there may be; milliseconds of CPU, medians of ${ROUNDS} rounds.`,
    table: {
      head: ['what', 'ms CPU'],
      rows: cases.map(({ name, times }) => [name, figure(median(times), 2)]),
    },
    bars: cases.flatMap(({ name, bar, times }): Bar[] =>
      bar === undefined ? [] : [atMost(name, median(times), bar, ' ms')],
    ),
  };
};

/** A definition of as many nodes as there may be, one after the other. */
function chain(elements: (index: number) => FlowNode['elements']): FlowDefinition {
  const keys = Array.from({ length: NODES }, (_, index) => `n${index}`);
  return {
    name: 'Large',
    output_mode: 'data_only',
    entry: 'n0',
    parties: [{ key: 'client', label: 'Client' }],
    nodes: keys.map((key, index) => ({ key, party: 'client', title: key, elements: elements(index) })),
    edges: keys.slice(1).map((to, index) => ({ from: `n${index}`, to, condition: null })),
    constants: [],
  };
}

function field(slug: string): FlowField {
  return { kind: 'field', slug, field_type: 'text', label: slug, required: false };
}

/** Holds nowhere: a run passes all nodes. */
function five(index: number): FlowCondition {
  const children = ['a', 'b', 'c', 'd'].map((letter) => ({
    op: 'eq' as const,
    field: `f${index}_${letter}`,
    value: 'x',
  }));
  return { op: 'and', children };
}

function nested(levels: number): FlowCondition {
  let condition: FlowCondition = { op: 'answered', field: 'f0_a' };
  for (let level = 1; level < levels; level++)
    condition = { op: level % 2 === 0 ? 'and' : 'or', children: [condition] };
  return condition;
}

function sum(index: number): FlowConstant {
  const before = { type: 'ref' as const, key: index === 0 ? 'f0_a' : `c${index - 1}` };
  const one = { type: 'lit' as const, value_type: 'number' as const, value: 1 };
  return {
    key: `c${index}`,
    label: 'Sum',
    result_type: 'number',
    expr: { type: 'math', op: 'add', args: [before, one] },
  };
}

if (import.meta.main) await runAlone(flows);
