import { Group, Stack, UnstyledButton } from '@mantine/core';
import type { FlowEdge, FlowNode } from '@symbolon/flows';
import { useRef } from 'react';
import { usePortalText } from '../../../text/portal/index.tsx';
import { List, Row } from '../../../ui/list.tsx';
import { Status } from '../../../ui/status.tsx';
import { useEditor } from './context.ts';
import { connect, edgesFrom, removeEdge, removeNode } from './edits.ts';
import { Pick, Sign } from './inputs.tsx';
import { stepsInOrder } from './order.ts';
import { countsByNode } from './places.ts';
import { conditionSentence } from './sentence.ts';
import classes from './step-list.module.css';
import { WayMoves } from './way-moves.tsx';

/** The steps in their order, with every act of the drawing for the keyboard, a screen reader and a thumb. */
export function StepList() {
  const { t } = usePortalText();
  const { definition, change, select } = useEditor();
  const frame = useRef<HTMLElement>(null);
  const buttons = useRef(new Map<string, HTMLButtonElement>());
  const steps = stepsInOrder(definition);
  // What has the focus is about to go: it is handed on before.
  const remove = (index: number) => {
    const node = steps[index];
    if (node === undefined) return;
    const next = steps[index - 1] ?? steps[index + 1];
    const goal = next && buttons.current.get(next.key);
    (goal ?? frame.current)?.focus();
    change(removeNode(definition, node.key));
    select(next && { kind: 'node', key: next.key });
  };
  return (
    <section ref={frame} className={classes.list} aria-label={t('flow.graph')} tabIndex={-1}>
      <List label={t('flow.list')}>
        {steps.map((node, index) => (
          <Step
            key={node.key}
            node={node}
            number={index + 1}
            remove={() => remove(index)}
            take={(button) => {
              if (button === null) buttons.current.delete(node.key);
              else buttons.current.set(node.key, button);
            }}
            focus={() => buttons.current.get(node.key)?.focus()}
          />
        ))}
      </List>
    </section>
  );
}

type StepProps = {
  node: FlowNode;
  number: number;
  remove: () => void;
  take: (button: HTMLButtonElement | null) => void;
  focus: () => void;
};

function Step({ node, number, remove, take, focus }: StepProps) {
  const { t, count } = usePortalText();
  const { definition, selected, select, issues, mayEdit, way } = useEditor();
  const title = node.title || node.key;
  const isHere = selected?.kind === 'node' && selected.key === node.key;
  const wrong = countsByNode(definition, issues).get(node.key) ?? 0;
  const about = [
    definition.parties.find(({ key }) => key === node.party)?.label || node.party,
    ...(definition.entry === node.key ? [t('flow.entry')] : []),
    count('flow.elements', node.elements.length),
    ...(node.outputs?.length ? [count('flow.outputs', node.outputs.length)] : []),
    ...(way.includes(node.key) ? [t('flow.list.passed')] : []),
  ];
  return (
    <Row
      title={
        <UnstyledButton
          ref={take}
          mih={24}
          fw={isHere ? 700 : 600}
          td={isHere ? 'underline' : undefined}
          aria-current={isHere ? 'step' : undefined}
          onClick={() => select({ kind: 'node', key: node.key })}
          onKeyDown={({ key }) => mayEdit && (key === 'Delete' || key === 'Backspace') && remove()}
        >
          {number}. {title}
        </UnstyledButton>
      }
      detail={
        <Stack component="span" gap={4}>
          <span>{about.join(' · ')}</span>
          {edgesFrom(definition, node.key).map((edge) => (
            <Way key={edge.to} edge={edge} focus={focus} />
          ))}
          {isHere && mayEdit && <Connect from={node.key} />}
        </Stack>
      }
      trailing={
        <Group gap={4} wrap="nowrap">
          {wrong > 0 && <Status tone="bad">{count('flow.issues', wrong)}</Status>}
          {mayEdit && <Sign of="remove" label={t('flow.list.remove', { title })} act={remove} />}
        </Group>
      }
    />
  );
}

/** Where a step leads and when, and the acts on that way. */
function Way({ edge, focus }: { edge: FlowEdge; focus: () => void }) {
  const texts = usePortalText();
  const { t } = texts;
  const { definition, change, selected, select, names, mayEdit } = useEditor();
  const title = definition.nodes.find(({ key }) => key === edge.to)?.title || edge.to;
  const index = definition.edges.indexOf(edge);
  const isHere = selected?.kind === 'edge' && selected.index === index;
  const when = conditionSentence(edge.condition, names, texts);
  return (
    <Group component="span" gap={0} wrap="nowrap" justify="space-between">
      <UnstyledButton
        fz="sm"
        mih={24}
        td={isHere ? 'underline' : undefined}
        aria-current={isHere || undefined}
        onClick={() => select({ kind: 'edge', index })}
      >
        {t('flow.list.way', { title, when })}
      </UnstyledButton>
      {mayEdit && (
        <Group component="span" gap={0} wrap="nowrap">
          {edgesFrom(definition, edge.from).length > 1 && <WayMoves edge={edge} />}
          <Sign
            of="remove"
            label={t('flow.ways.remove', { title })}
            act={() => {
              focus();
              change(removeEdge(definition, edge));
              select({ kind: 'node', key: edge.from });
            }}
          />
        </Group>
      )}
    </Group>
  );
}

/** Leads from a step to one that is there. */
function Connect({ from }: { from: string }) {
  const { t } = usePortalText();
  const { definition, change } = useEditor();
  const taken = new Set([from, ...edgesFrom(definition, from).map(({ to }) => to)]);
  const others = definition.nodes.filter(({ key }) => !taken.has(key));
  if (others.length === 0) return null;
  const label = t('flow.list.connect');
  return (
    <Pick
      isBare
      label={label}
      placeholder={label}
      value=""
      choices={others.map(({ key, title }) => ({ value: key, label: title || key }))}
      change={(to) => to !== '' && change(connect(definition, from, to))}
    />
  );
}
