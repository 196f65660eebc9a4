import { Alert, Group, Stack, Text } from '@mantine/core';
import { MakingDocuments } from '../../parts/answers/making-documents.tsx';
import { LinkButton } from '../../parts/link-button.tsx';
import { Section } from '../../parts/section.tsx';
import { makeDocuments } from '../../platform/flows/answers.ts';
import { standingOf } from '../../platform/flows/run-list.ts';
import { awaitedIn, type OpenRun } from '../../platform/flows/runs.ts';
import type { SignedIn } from '../../platform/session.ts';
import { useInsideText } from '../../text/inside/index.tsx';
import { askedOf } from '../portal/runs/state.ts';

/** What follows when no step waits for the person. */
export function Outcome({
  open,
  session,
  changed,
}: {
  open: OpenRun;
  session: SignedIn;
  changed: () => void;
}) {
  const { t } = useInsideText();
  const { run } = open;
  const standing = standingOf(run, session.person.person_user_id);
  if (open.isGenerator) return <MakingDocuments make={() => makeDocuments(run)} made={changed} />;
  const awaited = awaitedIn(open);
  const company = run.company.display_name;
  return (
    <>
      <Alert color={standing === 'completed' ? 'teal' : 'gray'} variant="light" role="status">
        {standing === 'others' && awaited !== undefined
          ? t('flows.awaited', { party: awaited })
          : t(`flows.outcome.${standing}`, { company })}
      </Alert>
      <Documents open={open} session={session} />
    </>
  );
}

/** The person's copies of what the run made. */
function Documents({ open: { run }, session }: { open: OpenRun; session: SignedIn }) {
  const { t } = useInsideText();
  const documents = run.participants
    .filter(({ person_user_id: user }) => user === session.person.person_user_id)
    .flatMap((participant) => participant.documents);
  if (documents.length === 0) return null;
  return (
    <Section title={t('flows.documents')}>
      {documents.map((document) => {
        const asked = askedOf(document);
        const isOpen = ['waiting', 'ready_to_sign', 'offering'].includes(document.document_status);
        return (
          <Stack key={document.document_id} gap="xs">
            <Text fw={600}>{document.name}</Text>
            {isOpen && asked === undefined && (
              <Text size="sm" c="dimmed">
                {t(document.action === null ? 'flows.document.later' : 'flows.document.done')}
              </Text>
            )}
            <Group>
              <LinkButton
                component="a"
                to="/me/documents/$documentId"
                params={{ documentId: document.document_id }}
                {...(!asked && { variant: 'default' })}
              >
                {t(`flows.document.${asked || 'open'}`, { name: document.name })}
              </LinkButton>
            </Group>
          </Stack>
        );
      })}
    </Section>
  );
}
