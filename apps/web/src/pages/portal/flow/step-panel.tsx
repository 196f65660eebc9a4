import { Group, Stack, Text } from '@mantine/core';
import type { FlowEdge, FlowNode } from '@symbolon/flows';
import { useId } from 'react';
import { usePortalText } from '../../../text/portal/index.tsx';
import { ConditionForm } from './condition-form.tsx';
import { useEditor } from './context.ts';
import { addNode, changeEdge, changeNode, connect, edgesFrom, removeEdge, removeNode } from './edits.ts';
import { ElementsForm } from './elements-form.tsx';
import { Line, Pick, Sign, Small } from './inputs.tsx';
import { IssueList } from './issue-list.tsx';
import { OutputsForm } from './outputs-form.tsx';
import classes from './panels.module.css';
import { WayMoves } from './way-moves.tsx';

/** The step that is selected: who answers it, what it asks, and where it leads. */
export function StepPanel() {
  const { t } = usePortalText();
  const { definition, selected, change, select } = useEditor();
  const edge = selected?.kind === 'edge' ? definition.edges[selected.index] : undefined;
  const key = selected?.kind === 'node' ? selected.key : edge?.from;
  const node = definition.nodes.find((each) => each.key === key);
  if (node === undefined) return <Text c="dimmed">{t('flow.step.none')}</Text>;
  const index = definition.nodes.indexOf(node);
  const isLeaf = edgesFrom(definition, node.key).length === 0;
  const set = (next: Partial<FlowNode>, member: string) =>
    change(changeNode(definition, node.key, next), `${node.key}/${member}`);
  return (
    <Stack gap="md">
      <IssueList path={`/nodes/${index}`} />
      <Line label={t('flow.step.title')} value={node.title} change={(title) => set({ title }, 'title')} />
      <Pick
        label={t('flow.step.party')}
        value={node.party}
        choices={definition.parties.map((party) => ({ value: party.key, label: party.label || party.key }))}
        change={(party) => set({ party }, 'party')}
      />
      <ElementsForm key={`elements ${node.key}`} node={node} />
      <WaysForm key={`ways ${node.key}`} node={node} chosen={edge} />
      {definition.output_mode === 'document' && isLeaf && (
        <OutputsForm key={`outputs ${node.key}`} node={node} />
      )}
      <Group gap="xs">
        {definition.entry !== node.key && (
          <Small act={() => change({ ...definition, entry: node.key })}>{t('flow.step.makeEntry')}</Small>
        )}
        <Small
          color="red"
          variant="light"
          act={() => {
            change(removeNode(definition, node.key));
            select(undefined);
          }}
        >
          {t('flow.step.remove')}
        </Small>
      </Group>
    </Stack>
  );
}

/** Where a step leads, in the order in which it is tried. */
function WaysForm({ node, chosen }: { node: FlowNode; chosen: FlowEdge | undefined }) {
  const { t } = usePortalText();
  const { definition, change, select } = useEditor();
  const heading = useId();
  const edges = edgesFrom(definition, node.key);
  const others = definition.nodes.filter(
    ({ key }) => key !== node.key && !edges.some((edge) => edge.to === key),
  );
  return (
    <section aria-labelledby={heading} className={classes.part}>
      <Text id={heading} fw={650}>
        {t('flow.ways')}
      </Text>
      <Text size="sm" c="dimmed">
        {t(edges.length === 0 ? 'flow.ways.none' : 'flow.ways.lead')}
      </Text>
      {edges.map((edge) => (
        <Way key={`${edge.from} ${edge.to}`} edge={edge} isChosen={edge === chosen} />
      ))}
      <Group gap="xs" align="end">
        <Small
          act={() => {
            const added = addNode(definition, t('flow.step.new'), node.key);
            change(added.flow);
            select({ kind: 'node', key: added.key });
          }}
        >
          {t('flow.ways.new')}
        </Small>
        {others.length > 0 && (
          <Pick
            isBare
            label={t('flow.ways.add')}
            placeholder={t('flow.ways.add')}
            value=""
            choices={others.map(({ key, title: name }) => ({ value: key, label: name || key }))}
            change={(to) => to !== '' && change(connect(definition, node.key, to))}
          />
        )}
      </Group>
    </section>
  );
}

/** One way: where it leads, when it is taken, and its place among the others. */
function Way({ edge, isChosen }: { edge: FlowEdge; isChosen: boolean }) {
  const { t } = usePortalText();
  const { definition, change } = useEditor();
  const title = definition.nodes.find(({ key }) => key === edge.to)?.title || edge.to;
  return (
    <Stack
      gap="xs"
      role="group"
      aria-label={t('flow.ways.to', { title })}
      className={classes.card}
      data-chosen={isChosen || undefined}
    >
      <Group justify="space-between" wrap="nowrap" gap={4}>
        <Text size="sm" fw={600} className={classes.name}>
          {t('flow.ways.to', { title })}
        </Text>
        <Group gap={0} wrap="nowrap">
          <WayMoves edge={edge} />
          <Sign
            of="remove"
            label={t('flow.ways.remove', { title })}
            act={() => change(removeEdge(definition, edge))}
          />
        </Group>
      </Group>
      <IssueList path={`/edges/${definition.edges.indexOf(edge)}`} />
      <ConditionForm
        label={t('flow.ways.when')}
        value={edge.condition}
        change={(condition) =>
          change(changeEdge(definition, edge, { condition: condition ?? null }), `${edge.from} ${edge.to}`)
        }
      />
    </Stack>
  );
}
