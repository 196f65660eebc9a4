import {
  checkDefinition,
  type FlowDefinition,
  type FlowIssue,
  type Surroundings,
  warningsOf,
} from '@symbolon/flows';
import type { FieldTypeRow, FlowAsset, Plugin } from '@symbolon/protocol';
import { createContext, use, useDeferredValue, useMemo } from 'react';
import type { FlowPlace } from '../../../platform/portal/flows.ts';
import type { Change, Draft } from './draft.ts';
import type { Names } from './sentence.ts';

export type Selected =
  | { readonly kind: 'node'; readonly key: string }
  | { readonly kind: 'edge'; readonly index: number }
  | undefined;

/** What every part of the editor works on. */
export interface Editor {
  readonly place: FlowPlace;
  readonly draft: Draft;
  readonly definition: FlowDefinition;
  readonly change: Change;
  readonly surroundings: Surroundings;
  readonly typeRows: readonly FieldTypeRow[];
  readonly plugins: readonly Plugin[];
  readonly selected: Selected;
  readonly select: (selected: Selected) => void;
  readonly issues: readonly FlowIssue[];
  readonly warnings: readonly FlowIssue[];
  /** What answers and constants are called. */
  readonly names: Names;
  /** The steps that a trial has passed. */
  readonly way: readonly string[];
  /** Only a developer of the company may change a flow. */
  readonly mayEdit: boolean;
}

export const EditorContext = createContext<Editor | undefined>(undefined);

export function useEditor(): Editor {
  const editor = use(EditorContext);
  if (editor === undefined) throw new Error('This is no part of the editor.');
  return editor;
}

/** What keeps the flow from being published, and what its author should look at; a moment after it was changed. */
export function useIssues(
  definition: FlowDefinition,
  { surroundings, assets }: { surroundings: Surroundings; assets: readonly FlowAsset[] },
) {
  const settled = useDeferredValue(definition);
  return useMemo(() => {
    const issues = checkDefinition(settled, surroundings);
    const isWellFormed = issues.every(({ code }) => code !== 'shape_invalid');
    const tags = new Map(
      assets.map(({ asset_key, analysis }) => [asset_key, analysis.tags.map(({ key }) => key)] as const),
    );
    return { issues, warnings: isWellFormed ? [...warningsOf(settled, tags)] : [] };
  }, [settled, surroundings, assets]);
}

/** The label beside the key of each answer and constant. */
export function namesOf({ nodes, constants = [] }: FlowDefinition): Names {
  const labels = new Map<string, string>();
  for (const { elements } of nodes) {
    for (const element of elements)
      if ('slug' in element) labels.set(element.slug, element.label || element.slug);
  }
  for (const { key, label } of constants) labels.set(key, label || key);
  return (key) => {
    const [first = '', ...rest] = key.split('.');
    const label = labels.get(first);
    return label === undefined ? key || '…' : [label, ...rest].join(' · ');
  };
}
