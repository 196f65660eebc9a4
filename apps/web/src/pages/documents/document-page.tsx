import { Alert, Anchor, Group, Stack, Text } from '@mantine/core';
import { NotFoundError } from '@symbolon/sdk/device';
import { useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { CameFrom } from '../../parts/came-from.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { MeFrame } from '../../parts/me-frame.tsx';
import { Opening } from '../../parts/opening.tsx';
import { TextLink } from '../../parts/text-link.tsx';
import { When } from '../../parts/when.tsx';
import { askedOf, decisionOn } from '../../platform/document-states.ts';
import {
  documentQuery,
  type Opened,
  openedQuery,
  type Read,
  warningsQuery,
} from '../../platform/documents.ts';
import { useRead } from '../../platform/read.ts';
import { type SignedIn, useSession } from '../../platform/session.ts';
import { useInsideText } from '../../text/inside/index.tsx';
import { Empty } from '../../ui/empty.tsx';
import { PageTitle } from '../../ui/page.tsx';
import { ActSection } from './act-section.tsx';
import { ActsList } from './acts-list.tsx';
import { BesidePages } from './beside-pages.tsx';
import { CancelSection } from './cancel-section.tsx';
import { ChangedSinceAct } from './changed-since-act.tsx';
import { DeleteSection } from './delete-section.tsx';
import { DrawingsNote } from './drawings-note.tsx';
import { isPdf } from './file-kind.ts';
import { FileView } from './file-view.tsx';
import { JsonView } from './json-view.tsx';
import { SealSection } from './seal-section.tsx';
import { StateBadge } from './state-badge.tsx';
import { useDrawings } from './use-drawings.ts';

const RunCheck = lazy(() =>
  import('./run-check.tsx').then(({ RunCheck: component }) => ({ default: component })),
);

export function DocumentPage() {
  return (
    <MeFrame>
      <Signed />
    </MeFrame>
  );
}

function Signed() {
  const session = useSession();
  const { documentId } = useParams({ from: '/me/documents/$documentId' });
  return session.state === 'in' ? <Document key={documentId} id={documentId} session={session} /> : null;
}

/** One document: its sender, what is asked, what it says, and what the person can do. */
function Document({ id, session }: { id: string; session: SignedIn }) {
  const { t } = useInsideText();
  const read = useRead(documentQuery(id));
  const changed = (next: Read) => read.change(() => next);
  const { of } = useSearch({ from: '/me/documents/$documentId' });
  const back = <CameFrom of={of} tab="documents" list="/me/documents" label={t('documents.all')} />;
  if (read.error instanceof NotFoundError)
    return (
      <Stack gap="lg">
        {back}
        <PageTitle>{t('documents.gone')}</PageTitle>
        <Empty title={t('documents.gone')}>{t('documents.gone.text')}</Empty>
      </Stack>
    );
  return (
    <Stack gap="lg">
      {back}
      <Loaded of={read} height={320}>
        {(document) => (
          <>
            <Head document={document} />
            <Content document={document} session={session} changed={changed} />
            <CancelSection document={document} done={changed} />
            <DeleteSection document={document} />
          </>
        )}
      </Loaded>
    </Stack>
  );
}

function Head({ document }: { document: Read }) {
  const { t } = useInsideText();
  const { name, description, company, service, created_at } = document;
  const asked = askedOf(document);
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="start" gap="xs">
        <PageTitle>{name}</PageTitle>
        <StateBadge document={document} />
      </Group>
      <Text size="sm" c="dimmed">
        {t('documents.from', {
          kind: t(`documents.kind.${document.kind}`),
          company: company.display_name,
          code: company.share_code,
          service: service.name,
        })}
        {' · '}
        <When at={created_at} />
      </Text>
      {description !== null && <Text>{description}</Text>}
      {document.broadcast && (
        <Text size="sm" c="dimmed">
          {t('documents.broadcast', { company: company.display_name })}
        </Text>
      )}
      <ActsList document={document} />
      <ChangedSinceAct document={document} />
      {asked !== undefined && (
        <Alert color="orange" variant="light">
          {t(`documents.asks.${asked}`, { company: company.display_name })}{' '}
          <Anchor href="#act" size="sm">
            {t(`documents.goTo.${asked}`)}
          </Anchor>
        </Alert>
      )}
    </Stack>
  );
}

type ContentProps = { document: Read; session: SignedIn; changed: (document: Read) => void };

/** What the document holds, opened in this browser, and what the person is asked to do with it. */
function Content(props: ContentProps) {
  const { document, session } = props;
  const { t } = useInsideText();
  const isPending = Object.hasOwn(Object(document.value), '_pending');
  const isLocked = session.keys === undefined && !document.broadcast;
  const [come, setCome] = useState(0);
  const read = useRead(isPending || isLocked ? undefined : openedQuery(document, session, setCome));
  if (isPending)
    return <Text c="dimmed">{t('documents.pending', { company: document.company.display_name })}</Text>;
  return (
    <Loaded of={{ ...read, isLocked }} waiting={<Opening come={come} height={480} />}>
      {(opened) => <OpenContent {...props} opened={opened} />}
    </Loaded>
  );
}

function OpenContent({ document, session, changed, opened }: ContentProps & { opened: Opened }) {
  const { t } = useInsideText();
  const { content } = opened;
  const [isShown, setShown] = useState<boolean>();
  const asked = askedOf(document);
  const pdf = content.kind === 'file' && isPdf(content.file.bytes) ? content.file.bytes : undefined;
  const { drawings, again } = useDrawings(asked && pdf);
  const warnings = useRead(asked && pdf && warningsQuery(pdf));
  // Of a file that cannot be opened its view says so.
  const drawnApart = drawings?.state === 'apart' && isShown !== false ? 'ambiguous' : undefined;
  const apart = typeof warnings.found === 'string' ? warnings.found : drawnApart;
  const decision = apart ? 'closed' : decisionOn(content.kind, isShown);
  const isUnread = warnings.found === undefined && warnings.error === undefined;
  const waits = drawings !== undefined && (drawings.state !== 'compared' || isUnread);
  const runId = document.metadata.flow_run_id;
  return (
    <>
      {content.kind === 'json' ? (
        <JsonView value={content.value} />
      ) : (
        <FileView
          file={content.file}
          shown={setShown}
          end={asked && decision === 'open' ? { label: t(`documents.goTo.${asked}`), id: 'act' } : undefined}
        />
      )}
      {opened.document.sealed_at !== null && content.kind === 'file' && (
        <SealSection name={content.file.name} bytes={content.file.bytes} />
      )}
      {asked !== undefined && pdf !== undefined && (
        <BesidePages warnings={warnings} asked={asked} apart={apart} />
      )}
      {asked !== undefined && typeof runId === 'string' && content.kind === 'file' && (
        <Suspense>
          <RunCheck runId={runId} documentId={document.id} file={content.file} session={session} />
        </Suspense>
      )}
      {asked !== undefined && decision === 'open' && (
        <ActSection asked={asked} opened={opened} session={session} done={changed} waits={waits}>
          {drawings !== undefined && <DrawingsNote drawings={drawings} again={again} />}
        </ActSection>
      )}
      {asked !== undefined && decision === 'closed' && <CannotAct document={document} />}
    </>
  );
}

/** Only what can be seen is signed or accepted. */
function CannotAct({ document: { company } }: { document: Read }) {
  const { t } = useInsideText();
  return (
    <Alert id="act" color="orange" variant="light">
      <Text size="sm">{t('documents.cannotAct', { company: company.display_name })}</Text>
      <TextLink to="/me/messages" size="sm">
        {t('messages.new')}
      </TextLink>
    </Alert>
  );
}
