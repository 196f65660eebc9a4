import {
  Background,
  BaseEdge,
  type Connection,
  Controls,
  type Edge,
  EdgeLabelRenderer,
  type EdgeProps,
  getSmoothStepPath,
  Handle,
  MarkerType,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
  useReactFlow,
} from '@xyflow/react';
import '@xyflow/react/dist/base.css';
import { useMantineColorScheme } from '@mantine/core';
import { useEffect, useMemo } from 'react';
import { usePortalText } from '../../../text/portal/index.tsx';
import { type Selected, useEditor } from './context.ts';
import { connect, edgesFrom, removeEdge, removeNode } from './edits.ts';
import classes from './graph.module.css';
import { layoutOf, NODE_HEIGHT, NODE_WIDTH } from './layout.ts';
import { countsByNode } from './places.ts';
import { conditionSentence } from './sentence.ts';

type StepData = {
  title: string;
  party: string;
  about: string;
  issues: number;
  isEntry: boolean;
  entryText: string;
  issuesText: string;
  colour: number;
  isOnWay: boolean;
};
type StepNode = Node<StepData, 'step'>;
type WayEdge = Edge<{ text: string; x: number; y: number; isWrong: boolean }, 'way'>;

const nodeTypes = { step: StepCard };
const edgeTypes = { way: Way };

/** The steps of a flow and the ways between them, as a drawing that places itself. */
export function Graph() {
  const { t } = usePortalText();
  const { definition, change, selected, select, mayEdit } = useEditor();
  const { nodes, edges } = useDrawing();
  const { colorScheme } = useMantineColorScheme();
  const remove = (gone: { nodes: readonly Node[]; edges: readonly Edge[] }) => {
    const [node] = gone.nodes;
    const edge = definition.edges[Number(gone.edges[0]?.id)];
    if (node) change(removeNode(definition, node.id));
    else if (edge) change(removeEdge(definition, edge));
    select(undefined);
  };
  return (
    <div className={classes.canvas}>
      <ReactFlow<StepNode, WayEdge>
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        colorMode={colorScheme === 'auto' ? 'system' : colorScheme}
        nodesDraggable={false}
        nodesConnectable={mayEdit}
        deleteKeyCode={null}
        multiSelectionKeyCode={null}
        selectionKeyCode={null}
        onlyRenderVisibleElements={nodes.length > 200}
        minZoom={0.1}
        maxZoom={1.5}
        fitView
        fitViewOptions={{ maxZoom: 1, padding: 0.15 }}
        zoomOnDoubleClick={false}
        preventScrolling
        aria-label={t('flow.graph')}
        ariaLabelConfig={{
          'node.a11yDescription.default': t('flow.graph.node'),
          'edge.a11yDescription.default': t('flow.graph.edge'),
          'controls.ariaLabel': t('flow.graph.controls'),
          'controls.zoomIn.ariaLabel': t('flow.graph.zoomIn'),
          'controls.zoomOut.ariaLabel': t('flow.graph.zoomOut'),
          'controls.fitView.ariaLabel': t('flow.graph.fit'),
          'handle.ariaLabel': t('flow.graph.handle'),
        }}
        onNodeClick={(_, node) => select({ kind: 'node', key: node.id })}
        onEdgeClick={(_, edge) => select({ kind: 'edge', index: Number(edge.id) })}
        onPaneClick={() => select(undefined)}
        onNodesChange={(changes) => {
          // By the keyboard a node is selected without a click.
          for (const each of changes)
            if (each.type === 'select' && each.selected) select({ kind: 'node', key: each.id });
        }}
        onEdgesChange={(changes) => {
          for (const each of changes)
            if (each.type === 'select' && each.selected) select({ kind: 'edge', index: Number(each.id) });
        }}
        onConnect={({ source, target }: Connection) => change(connect(definition, source, target))}
        onKeyDown={(event) => {
          if (!mayEdit || (event.key !== 'Delete' && event.key !== 'Backspace') || selected === undefined)
            return;
          event.preventDefault();
          remove({
            nodes: selected.kind === 'node' ? nodes.filter(({ id }) => id === selected.key) : [],
            edges: selected.kind === 'edge' ? edges.filter(({ id }) => id === String(selected.index)) : [],
          });
        }}
      >
        <Background gap={24} />
        <Controls showInteractive={false} />
        <KeepInView selected={selected} count={nodes.length} />
      </ReactFlow>
    </div>
  );
}

/** Shows the whole drawing again when steps come or go. */
function KeepInView({ selected, count }: { selected: Selected; count: number }) {
  const { fitView } = useReactFlow();
  const key = selected?.kind === 'node' ? selected.key : undefined;
  useEffect(() => {
    if (count > 0) fitView({ maxZoom: 1, padding: 0.15 });
  }, [count, fitView]);
  useEffect(() => {
    if (key !== undefined && count > 12) fitView({ nodes: [{ id: key }], maxZoom: 1, padding: 1.2 });
  }, [key, count, fitView]);
  return null;
}

function useDrawing(): { nodes: StepNode[]; edges: WayEdge[] } {
  const texts = usePortalText();
  const { t, count: counted } = texts;
  const { definition, selected, issues, names, mayEdit, way } = useEditor();
  // Words change with every letter, places only with the structure.
  const shape = JSON.stringify([
    definition.nodes.map(({ key }) => key),
    definition.edges.map(({ from, to }) => [from, to]),
  ]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the structure is what the places follow from
  const placed = useMemo(() => layoutOf(definition), [shape]);
  const { parties } = definition;
  const counts = countsByNode(definition, issues);
  const wrong = new Set(issues.flatMap(({ path }) => /^\/edges\/(\d+)/.exec(path)?.[1] ?? []));
  const nodes = definition.nodes.map((node): StepNode => {
    const party = parties.findIndex(({ key }) => key === node.party);
    const data: StepData = {
      title: node.title || node.key,
      party: parties[party]?.label || node.party,
      about: [
        counted('flow.elements', node.elements.length),
        ...(node.outputs?.length ? [counted('flow.outputs', node.outputs.length)] : []),
      ].join(' · '),
      issues: counts.get(node.key) ?? 0,
      issuesText: counted('flow.issues', counts.get(node.key) ?? 0),
      isEntry: definition.entry === node.key,
      entryText: t('flow.entry'),
      colour: Math.max(0, party) % 6,
      isOnWay: way.includes(node.key),
    };
    return {
      id: node.key,
      type: 'step',
      position: placed.nodes.get(node.key) ?? { x: 0, y: 0 },
      width: NODE_WIDTH,
      height: NODE_HEIGHT,
      // Otherwise the library would measure every node again, and draw no edge meanwhile.
      measured: { width: NODE_WIDTH, height: NODE_HEIGHT },
      data,
      selected: selected?.kind === 'node' && selected.key === node.key,
      connectable: mayEdit,
      ariaLabel:
        t('flow.graph.step', { title: data.title, party: data.party, about: data.about }) +
        (data.issues > 0 ? `, ${data.issuesText}` : ''),
    };
  });
  const edges = definition.edges.map((edge, index): WayEdge => {
    const isElse = !edge.condition && edgesFrom(definition, edge.from).length > 1;
    const text = edge.condition
      ? conditionSentence(edge.condition, names, texts)
      : isElse
        ? t('flow.otherwise')
        : '';
    const title = (key: string) => definition.nodes.find((node) => node.key === key)?.title || key;
    return {
      id: String(index),
      type: 'way',
      source: edge.from,
      target: edge.to,
      data: { text, ...(placed.edges[index] ?? { x: 0, y: 0 }), isWrong: wrong.has(String(index)) },
      markerEnd: { type: MarkerType.ArrowClosed, width: 18, height: 18, color: '#64748b' },
      selected: selected?.kind === 'edge' && selected.index === index,
      ariaLabel: t('flow.graph.way', {
        from: title(edge.from),
        to: title(edge.to),
        when: text || t('condition.always'),
      }),
    };
  });
  return { nodes, edges };
}

function StepCard({ data, selected }: NodeProps<StepNode>) {
  return (
    <div
      className={classes.card}
      data-selected={selected || undefined}
      data-wrong={data.issues > 0 || undefined}
      data-way={data.isOnWay || undefined}
    >
      <Handle type="target" position={Position.Top} className={classes.handle ?? ''} />
      <span className={classes.party} data-colour={data.colour}>
        {data.party}
        {data.isEntry && <span className={classes.entry}>{data.entryText}</span>}
      </span>
      <span className={classes.title}>{data.title}</span>
      <span className={classes.about}>
        {data.about}
        {data.issues > 0 && <span className={classes.issues}>{data.issuesText}</span>}
      </span>
      <Handle type="source" position={Position.Bottom} className={classes.handle ?? ''} />
    </div>
  );
}

function Way({
  sourceX,
  sourceY,
  targetX,
  targetY,
  sourcePosition,
  targetPosition,
  markerEnd,
  data,
  selected,
}: EdgeProps<WayEdge>) {
  const text = data?.text ?? '';
  const middle = data ? { centerX: data.x, centerY: data.y } : {};
  const [path] = getSmoothStepPath({
    sourceX,
    sourceY,
    targetX,
    targetY,
    sourcePosition,
    targetPosition,
    borderRadius: 10,
    ...middle,
  });
  return (
    <>
      <BaseEdge
        path={path}
        {...(markerEnd !== undefined && { markerEnd })}
        className={classes.way ?? ''}
        data-selected={selected || undefined}
        data-wrong={data?.isWrong || undefined}
      />
      {text !== '' && data && (
        <EdgeLabelRenderer>
          <span
            className={classes.label}
            aria-hidden
            data-selected={selected || undefined}
            data-wrong={data.isWrong || undefined}
            style={{ transform: `translate(-50%, -50%) translate(${data.x}px, ${data.y}px)` }}
            title={text}
          >
            {text}
          </span>
        </EdgeLabelRenderer>
      )}
    </>
  );
}
