import { Group, Stack, Text } from '@mantine/core';
import type { FlowRun } from '@symbolon/protocol';
import { Section } from '../../../parts/section.tsx';
import { TextLink } from '../../../parts/text-link.tsx';
import { When } from '../../../parts/when.tsx';
import type { FlowPlace } from '../../../platform/portal/flows.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { copyState, ownCopyOf, type PartyCopy } from './state.ts';

/** The documents of a run, with who signs or accepts them, in the order of the line. */
export function DocumentsSection({ place, run }: { place: FlowPlace; run: FlowRun }) {
  const { t } = usePortalText();
  const outputs = Map.groupBy(copiesOf(run), ({ document }) => document.output_key);
  if (outputs.size === 0) return null;
  return (
    <Section title={t('documents.title')}>
      {[...outputs].map(([key, copies]) => (
        <Stack key={key} gap={6}>
          <Text fw={600}>{copies[0]?.document.name}</Text>
          <CopyLine copies={copies} run={run} />
          {ownCopyOf(run, key) !== undefined && (
            <TextLink
              to="/portal/services/$serviceId/flows/$flowId/runs/$runId/documents/$outputKey"
              params={{ ...place, runId: run.id, outputKey: key }}
              size="sm"
            >
              {t('copy.open', { name: copies[0]?.document.name ?? key })}
            </TextLink>
          )}
        </Stack>
      ))}
    </Section>
  );
}

/** The copies of a run's documents, each party's in its place. */
export const copiesOf = ({ participants }: FlowRun): PartyCopy[] =>
  participants
    .flatMap(({ party_key: party, documents }) => documents.map((document) => ({ party, document })))
    .sort((a, b) => a.document.position - b.document.position);

/** Who did or is to do what with one document. */
export function CopyLine({ copies, run }: { copies: readonly PartyCopy[]; run: FlowRun }) {
  const { t } = usePortalText();
  const labelOf = (party: string) => run.definition.parties.find(({ key }) => key === party)?.label || party;
  return (
    <Stack gap={4}>
      {copies.map(({ party, document }) => (
        <Group key={document.document_id} justify="space-between" gap="xs">
          <Text size="sm">{labelOf(party)}</Text>
          <Text size="sm" c="dimmed">
            {t(`run.copy.${copyState(document)}`)}{' '}
            {document.acted_at !== null && <When at={document.acted_at} />}
          </Text>
        </Group>
      ))}
    </Stack>
  );
}
