import { Group, List, Stack, Text } from '@mantine/core';
import type { FlowRun, FlowRunDocument } from '@symbolon/protocol';
import { useParams } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { Loaded } from '../../../parts/loaded.tsx';
import { Opening } from '../../../parts/opening.tsx';
import { PortalPage, usePortalLogin } from '../../../parts/portal/portal-page.tsx';
import { SameByApi } from '../../../parts/portal/same-by-api.tsx';
import { ServiceKeyForm } from '../../../parts/portal/service-key-form.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { ProverContext } from '../../../parts/prover.ts';
import { Section } from '../../../parts/section.tsx';
import { AcceptForm, SignForm } from '../../../parts/sign-forms.tsx';
import { TextLink } from '../../../parts/text-link.tsx';
import {
  actOnCopy,
  type CopyPlace,
  copyQuery,
  hasKey,
  isWrongKey,
  type OpenCopy,
} from '../../../platform/portal/copies.ts';
import { proverOf } from '../../../platform/portal/presence.ts';
import { runQuery } from '../../../platform/portal/runs.ts';
import { sameCalls } from '../../../platform/portal/same-calls.ts';
import { mayAs } from '../../../platform/portal/session.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { PageTitle } from '../../../ui/page.tsx';
import { FileView } from '../../documents/file-view.tsx';
import { SealSection } from '../../documents/seal-section.tsx';
import { CopyLine, copiesOf } from './documents-section.tsx';
import { askedOf, isSealed, ownCopyOf } from './state.ts';

export function CopyPage() {
  return (
    <PortalPage>
      <Opened />
    </PortalPage>
  );
}

function Opened() {
  const { t } = usePortalText();
  const { serviceId, flowId, runId, outputKey } = useParams({
    from: '/portal/services/$serviceId/flows/$flowId/runs/$runId/documents/$outputKey',
  });
  const place = useMemo((): CopyPlace => ({ serviceId, flowId, runId }), [serviceId, flowId, runId]);
  const read = useRead(runQuery(place, place.runId));
  const { found: run, load } = read;
  const document = run && ownCopyOf(run, outputKey);
  return (
    <Stack gap="lg">
      <Group>
        <TextLink
          to="/portal/services/$serviceId/flows/$flowId/runs/$runId"
          params={{ serviceId, flowId, runId }}
          size="sm"
        >
          {t('run.title', { name: run?.definition.name || t('flow.unnamed') })}
        </TextLink>
      </Group>
      <Loaded of={read} height={320} />
      {run !== undefined && document === undefined && (
        <>
          <PageTitle>{t('copy.none')}</PageTitle>
          <Empty title={t('copy.none')}>{t('copy.none.text')}</Empty>
        </>
      )}
      {run !== undefined && document !== undefined && (
        <Copy place={place} run={run} document={document} changed={load} />
      )}
    </Stack>
  );
}

type Props = { place: CopyPlace; run: FlowRun; document: FlowRunDocument; changed: () => Promise<void> };

/** The company's own copy: opened in this browser with the key of the service, and signed or accepted by the owner. */
function Copy({ place, run, document, changed }: Props) {
  const { t } = usePortalText();
  const [hasOpened, setOpened] = useState(() => hasKey(place.serviceId));
  const line = copiesOf(run).filter((copy) => copy.document.output_key === document.output_key);
  const [come, setCome] = useState(0);
  const { found: copy, error, load } = useRead(hasOpened ? copyQuery(place, document, setCome) : undefined);
  return (
    <>
      <Stack gap="sm">
        <PageTitle>{document.name}</PageTitle>
        <CopyLine copies={line} run={run} />
      </Stack>
      <Problem error={error} {...(!isWrongKey(error) && { retry: load })} />
      {(!hasOpened || isWrongKey(error)) && (
        <ServiceKeyForm
          serviceId={place.serviceId}
          title={t('copy.key')}
          done={() => {
            setOpened(true);
            load();
          }}
        />
      )}
      {hasOpened && copy === undefined && error === undefined && <Opening come={come} height={480} />}
      {copy !== undefined && (
        <>
          <FileView file={copy.file} />
          {isSealed(document, line) && <SealSection name={copy.file.name} bytes={copy.file.bytes} />}
          <Act place={place} document={document} copy={copy} changed={changed} />
          {document.document_id !== null && (
            <SameByApi {...sameCalls.signCopy(place, place.runId, document.document_id)} />
          )}
        </>
      )}
    </>
  );
}

type ActProps = Omit<Props, 'run'> & { copy: OpenCopy };

/** What the owner is asked to do with the copy that is shown. */
function Act({ place, document, copy, changed }: ActProps) {
  const { t } = usePortalText();
  const session = usePortalLogin();
  const prover = useMemo(() => proverOf(session), [session]);
  const asked = askedOf(document);
  if (asked === undefined) return null;
  if (!mayAs(session, 'owner')) return <Text c="dimmed">{t('copy.ownerOnly')}</Text>;
  const { document_id: id, name } = document;
  const act = `${asked} document ${id} ${copy.sha256}`;
  return (
    <Section title={t(`documents.${asked}.title`, { name })}>
      <List size="sm">
        <List.Item>{t(`copy.${asked}.means`, { company: session.company.name })}</List.Item>
        <List.Item>{t('copy.act.told')}</List.Item>
        <List.Item>{t('copy.act.sealed')}</List.Item>
      </List>
      <ProverContext value={prover}>
        {asked === 'sign' ? (
          <SignForm
            name={name}
            act={act}
            // The login of the registration has the name of the company.
            signerName={session.login.company_login ? '' : session.login.name}
            sign={async (signer, proof) => {
              await actOnCopy(place, id, { copy, signer, proof });
              await changed();
            }}
          />
        ) : (
          <AcceptForm
            name={name}
            act={act}
            accept={async (proof) => {
              await actOnCopy(place, id, { copy, proof });
              await changed();
            }}
          />
        )}
      </ProverContext>
    </Section>
  );
}
