import {
  bodyOf,
  type FlowCondition,
  type FlowDefinition,
  type FlowElement,
  type FlowExpression,
  type FlowNode,
  isExpression,
} from '@symbolon/flows';
import type { FlowAsset, FlowField, FlowOutput, FlowRule } from '@symbolon/protocol';
import type { PortalTexts } from '../../../text/portal/index.tsx';
import { namesOf } from './context.ts';
import { edgesFrom } from './edits.ts';
import { conditionSentence, expressionText, type Names, spelled } from './sentence.ts';

type Texts = Pick<PortalTexts, 't'>;
type TextKey = Parameters<PortalTexts['t']>[0];

/** Something of a flow that has a name: it is added, removed or changed as a whole. */
export interface Thing {
  /** The same in every version. */
  readonly id: string;
  readonly kind:
    | 'flow'
    | 'party'
    | 'step'
    | 'field'
    | 'text'
    | 'plugin'
    | 'way'
    | 'document'
    | 'constant'
    | 'file';
  readonly name: string;
  /** The step in which it stands. */
  readonly step?: { readonly key: string; readonly title: string };
  readonly facts: readonly Fact[];
  readonly orders: readonly Order[];
  /** All of it, also what no fact tells. */
  readonly whole: string;
}
/** What is said of a thing. Two versions may say the same in words and differ: `value` tells. */
export interface Fact {
  readonly label: TextKey;
  readonly text: string;
  readonly value: string;
}
/** Things of one kind in their order. What only one version has does not change the order. */
export interface Order {
  readonly label: TextKey;
  readonly items: readonly { readonly id: string; readonly name: string }[];
}

/** A version or a draft. */
export interface TellableFlow {
  readonly definition: FlowDefinition;
  readonly assets: readonly Pick<FlowAsset, 'asset_key' | 'original_name' | 'sha256'>[];
}

/** What words are needed beside those of the flow itself. */
export interface Telling extends Texts {
  /** What a type of field is called. */
  readonly typeName: (type: string) => string;
}

/** A flow in words, element by element, by the names that its author gave. */
export function thingsOf(flow: TellableFlow, telling: Telling): Thing[] {
  const teller = new Teller(flow, telling);
  const { parties, nodes, constants = [] } = flow.definition;
  return [
    teller.flow(),
    ...parties.map((party) => teller.party(party)),
    ...nodes.flatMap((node) => [
      teller.step(node),
      ...teller.elements(node),
      ...(node.outputs ?? []).map((output) => teller.document(node, output)),
      ...edgesFrom(flow.definition, node.key).map((edge) => teller.way(edge)),
    ]),
    ...constants.map((constant) => teller.constant(constant)),
    ...flow.assets.map((asset) => teller.file(asset)),
  ];
}

class Teller {
  readonly #flow: TellableFlow;
  readonly #t: PortalTexts['t'];
  readonly #typeName: Telling['typeName'];
  readonly #names: Names;

  constructor(flow: TellableFlow, { t, typeName }: Telling) {
    this.#flow = flow;
    this.#t = t;
    this.#typeName = typeName;
    this.#names = namesOf(flow.definition);
  }

  flow(): Thing {
    const {
      name,
      output_mode: mode,
      entry,
      parties,
      nodes,
      edges,
      constants,
      ...rest
    } = this.#flow.definition;
    return {
      id: 'flow',
      kind: 'flow',
      name: name || this.#t('flow.unnamed'),
      facts: [
        fact('flow.name', name),
        fact('flow.mode', this.#t(`flow.mode.${mode}`), mode),
        fact('flow.entry.label', entry ? this.#title(entry) : '', entry),
      ],
      orders: [
        { label: 'flow.parties', items: parties.map(({ key, label }) => ({ id: key, name: label || key })) },
      ],
      whole: stable(rest),
    };
  }

  party(party: FlowDefinition['parties'][number]): Thing {
    const isOwner = party.type === 'owner';
    return {
      id: `party ${party.key}`,
      kind: 'party',
      name: party.label || party.key,
      facts: [fact('flow.party.label', party.label), this.#yes('flow.party.owner', isOwner)],
      orders: [],
      whole: stable(party),
    };
  }

  step(node: FlowNode): Thing {
    const { elements, outputs, ...rest } = node;
    const ways = edgesFrom(this.#flow.definition, node.key);
    return {
      id: `step ${node.key}`,
      kind: 'step',
      name: this.#title(node.key),
      facts: [
        fact('flow.step.title', node.title),
        fact('flow.step.party', this.#party(node.party), node.party),
      ],
      orders: [
        {
          label: 'compare.order.elements',
          items: elements.map((element) => ({ id: elementId(node, element), name: this.#element(element) })),
        },
        {
          label: 'compare.order.ways',
          items: ways.map(({ to }) => ({ id: to, name: this.#title(to) })),
        },
      ],
      whole: stable(rest),
    };
  }

  /** Texts have no key: each is known by its words, and the second of the same words by its number. */
  elements(node: FlowNode): Thing[] {
    const seen = new Map<string, number>();
    return node.elements.map((element) => {
      const id = elementId(node, element);
      const number = (seen.get(id) ?? 0) + 1;
      seen.set(id, number);
      return {
        id: number === 1 ? id : `${id} ${number}`,
        kind: element.kind,
        name: this.#element(element),
        step: { key: node.key, title: this.#title(node.key) },
        facts: this.#factsOf(node, element),
        orders: [],
        whole: stable(element),
      };
    });
  }

  document(node: FlowNode, output: FlowOutput): Thing {
    const signers = output.signers.map(({ party, sign, accept }) => {
      const acts = [
        ...(sign ? [this.#t('flow.signer.sign')] : []),
        ...(accept ? [this.#t('flow.signer.accept')] : []),
      ];
      return [this.#party(party), acts.join(', ')].join(' ').trim();
    });
    return {
      id: `document ${output.key}`,
      kind: 'document',
      name: output.name || output.key,
      step: { key: node.key, title: this.#title(node.key) },
      facts: [
        fact('flow.output.name', output.name),
        fact('compare.step', this.#title(node.key), node.key),
        fact('flow.rule.source', output.rules.map((rule) => this.#rule(rule)).join('; '), output.rules),
        fact('flow.signers', signers.join('; '), output.signers),
      ],
      orders: [],
      whole: stable(output),
    };
  }

  way({ sort, ...edge }: FlowDefinition['edges'][number]): Thing {
    return {
      id: `way ${edge.from} ${edge.to}`,
      kind: 'way',
      name: this.#t('compare.way', { from: this.#title(edge.from), to: this.#title(edge.to) }),
      facts: [fact('flow.ways.when', this.#condition(edge.condition), edge.condition)],
      orders: [],
      whole: stable(edge),
    };
  }

  constant(constant: NonNullable<FlowDefinition['constants']>[number]): Thing {
    return {
      id: `constant ${constant.key}`,
      kind: 'constant',
      name: constant.label || constant.key,
      facts: [
        fact('flow.constant.label', constant.label),
        fact('flow.constant.expr', this.#expression(constant.expr), constant.expr),
        fact('flow.constant.type', this.#t(`value.${constant.result_type}`), constant.result_type),
      ],
      orders: [],
      whole: stable(constant),
    };
  }

  file(asset: TellableFlow['assets'][number]): Thing {
    return {
      id: `file ${asset.asset_key}`,
      kind: 'file',
      name: asset.original_name || asset.asset_key,
      facts: [fact('compare.file.name', asset.original_name), fact('compare.file.content', '', asset.sha256)],
      orders: [],
      whole: '',
    };
  }

  #factsOf(node: FlowNode, element: FlowElement): Fact[] {
    if (element.kind === 'text') return [fact('flow.text.body', bodyOf(element))];
    const asked = [
      fact('flow.field.label', element.label),
      fact('compare.step', this.#title(node.key), node.key),
      this.#yes('flow.field.required', element.required),
    ];
    if (element.kind === 'field') return [...asked, ...this.#factsOfField(element)];
    const { plugin_id: id, field_type: type, snapshot, inputs = {} } = element.plugin;
    const filled = Object.entries(inputs).map(([input, key]) => {
      const label = snapshot?.inputs.find((each) => each.key === input)?.label || input;
      return `${label}: ${this.#names(key)}`;
    });
    return [
      ...asked,
      fact('flow.plugin.type', snapshot?.label || type, [id, type]),
      fact('compare.plugin.inputs', filled.join('; '), inputs),
    ];
  }

  #factsOfField({ field_type: type, options, default: first, min, max }: FlowField): Fact[] {
    const list = options ?? [];
    const offered = list.flatMap(({ label, available_if: when }) =>
      when ? [`${label}: ${this.#condition(when)}`] : [],
    );
    return [
      fact('flow.field.type', this.#typeName(type), type),
      fact(
        'flow.options',
        list.map(({ label, value }) => label || value).join(', '),
        list.map(({ label, value }) => [label, value]),
      ),
      fact(
        'flow.option.when',
        offered.join('; '),
        list.map(({ value, available_if: when }) => [value, when]),
      ),
      fact('flow.field.default', this.#value(first), first),
      fact('flow.field.min', this.#value(min), min),
      fact('flow.field.max', this.#value(max), max),
    ];
  }

  #rule(rule: FlowRule): string {
    const { asset_key: asset, source_field: field, source_connection: connection, condition } = rule;
    const file = this.#flow.assets.find(({ asset_key: key }) => key === asset)?.original_name || asset;
    const source =
      file ??
      (field !== undefined
        ? this.#t('flow.rule.field', { label: this.#names(field) })
        : connection === undefined
          ? ''
          : this.#t('compare.rule.connection', {
              party: this.#party(connection.party),
              field: connection.request_slug,
            }));
    return condition ? this.#t('compare.rule.when', { source, when: this.#condition(condition) }) : source;
  }

  #value(value: unknown): string {
    if (value === undefined || value === null) return '';
    return isExpression(value) ? this.#expression(value) : spelled(value);
  }
  #yes = (label: TextKey, value: boolean) => fact(label, this.#t(value ? 'value.yes' : 'value.no'), value);
  #condition = (condition: FlowCondition | undefined) =>
    conditionSentence(condition, this.#names, { t: this.#t });
  #expression = (expression: FlowExpression) => expressionText(expression, this.#names, { t: this.#t });
  #title = (key: string) => this.#flow.definition.nodes.find((node) => node.key === key)?.title || key;
  #party = (key: string) => this.#flow.definition.parties.find((party) => party.key === key)?.label || key;
  #element = (element: FlowElement) =>
    element.kind === 'text' ? bodyOf(element) : element.label || element.slug;
}

const elementId = (node: FlowNode, element: FlowElement) =>
  element.kind === 'text' ? `text ${node.key} ${bodyOf(element)}` : `${element.kind} ${element.slug}`;

/** @param value what the text tells; without it the text itself */
const fact = (label: TextKey, text: string, ...value: [unknown?]): Fact => ({
  label,
  text,
  value: stable(value.length === 0 ? text : value[0]),
});

/** The same text for the same value, in whatever order its members stand; what is missing and what is null are the same. */
function stable(value: unknown): string {
  return JSON.stringify(value ?? null, (_name, each: unknown) => {
    if (typeof each !== 'object' || each === null || Array.isArray(each)) return each;
    const members = Object.entries(each).filter(([, member]) => member !== undefined && member !== null);
    return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
