import type { FlowEdge } from '@symbolon/flows';
import { usePortalText } from '../../../text/portal/index.tsx';
import { useEditor } from './context.ts';
import { edgesFrom, moveEdge } from './edits.ts';
import { Sign } from './inputs.tsx';

/** Puts a way before or behind its neighbour: the first that fits is taken. */
export function WayMoves({ edge }: { edge: FlowEdge }) {
  const { t } = usePortalText();
  const { definition, change } = useEditor();
  const ways = edgesFrom(definition, edge.from);
  const place = ways.indexOf(edge);
  const title = definition.nodes.find(({ key }) => key === edge.to)?.title || edge.to;
  return (
    <>
      <Sign
        of="up"
        label={t('flow.ways.earlier', { title })}
        disabled={place === 0}
        act={() => change(moveEdge(definition, edge, -1))}
      />
      <Sign
        of="down"
        label={t('flow.ways.later', { title })}
        disabled={place === ways.length - 1}
        act={() => change(moveEdge(definition, edge, 1))}
      />
    </>
  );
}
