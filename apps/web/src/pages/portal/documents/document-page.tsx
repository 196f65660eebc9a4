import { Button } from '@mantine/core';
import type { Document, DocumentSignature } from '@symbolon/protocol';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { Loaded } from '../../../parts/loaded.tsx';
import { Opening } from '../../../parts/opening.tsx';
import { AskedAct } from '../../../parts/portal/asked-act.tsx';
import { PortalPage, usePortalLogin } from '../../../parts/portal/portal-page.tsx';
import { SameByApi } from '../../../parts/portal/same-by-api.tsx';
import { ServiceKeyForm } from '../../../parts/portal/service-key-form.tsx';
import { When } from '../../../parts/when.tsx';
import { sealedCopyQuery, useHasKey } from '../../../platform/portal/copies.ts';
import { AWAITED, deleteIssued, type OneIssued, oneIssuedQuery } from '../../../platform/portal/issued.ts';
import { beginMessage } from '../../../platform/portal/messages.ts';
import { sameCalls } from '../../../platform/portal/same-calls.ts';
import { mayAs } from '../../../platform/portal/session.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { Group } from '../../../ui/group.tsx';
import { BackLink, Page } from '../../../ui/page.tsx';
import { FileView } from '../../documents/file-view.tsx';
import { SealSection } from '../../documents/seal-section.tsx';
import { IssuedBadge } from './issued-badge.tsx';
import { IssuedTo } from './issued-to.tsx';

export function IssuedDocumentPage() {
  return (
    <PortalPage>
      <Opened />
    </PortalPage>
  );
}

function Opened() {
  const { t } = usePortalText();
  const { serviceId, documentId } = useParams({ from: '/portal/services/$serviceId/documents/$documentId' });
  const read = useRead(oneIssuedQuery(serviceId, documentId));
  return (
    <Loaded of={read} height={300}>
      {(one) => (
        <Page
          title={one.document.name}
          lead={one.document.description ?? t(`documents.kind.${one.document.kind}`)}
          back={
            <BackLink to="/portal/documents" search={{ service: serviceId }}>
              {t('documents.title')}
            </BackLink>
          }
        >
          <Standing serviceId={serviceId} one={one} />
          <Reminding serviceId={serviceId} document={one.document} />
          <Signed document={one.document} />
          <Sealed serviceId={serviceId} document={one.document} />
          <Deleting serviceId={serviceId} document={one.document} />
          <SameByApi {...sameCalls.issuedOne(serviceId, documentId)} />
        </Page>
      )}
    </Loaded>
  );
}

/** For whom it is, and how it stands. */
function Standing({ serviceId, one: { document, customers } }: { serviceId: string; one: OneIssued }) {
  const { t } = usePortalText();
  const { metadata } = document;
  const until = typeof metadata.valid_until === 'string' ? metadata.valid_until : undefined;
  return (
    <Facts
      facts={[
        [
          t('issued.customer'),
          <IssuedTo key="customer" serviceId={serviceId} document={document} customers={customers} />,
        ],
        [t('flows.state'), <IssuedBadge key="state" document={document} />],
        [t('issued.at'), <When key="at" at={document.created_at} />],
        [t('issued.since'), <When key="since" at={document.updated_at} />],
        ...(until === undefined ? [] : [[t('issued.until'), until] as const]),
      ]}
    />
  );
}

/** The customer is asked again by a message, which staff reads before it goes. */
function Reminding({ serviceId, document }: { serviceId: string; document: Document }) {
  const { t } = usePortalText();
  const navigate = useNavigate();
  const may = mayAs(usePortalLogin(), 'support');
  const { connection_id: connectionId, name, status } = document;
  if (!may || connectionId === null || !AWAITED.has(status)) return null;
  const remind = () => {
    beginMessage(connectionId, t('issued.remind.text', { name }));
    return navigate({ to: '/portal/messages', search: { service: serviceId, with: connectionId } });
  };
  return (
    <div>
      <Button variant="default" onClick={remind}>
        {t('issued.remind')}
      </Button>
    </div>
  );
}

/** Who signed or accepted it, and how they proved who they are. */
function Signed({ document: { signatures } }: { document: Document }) {
  const { t } = usePortalText();
  if (signatures.length === 0) return null;
  return (
    <Group title={t('issued.acts')}>
      <Facts facts={signatures.map((each) => [nameOf(each), <When key="at" at={each.created_at} />])} />
    </Group>
  );

  function nameOf({ action, signer_first_name: first, signer_last_name: last, method }: DocumentSignature) {
    const who = [first, last].filter(Boolean).join(' ');
    const how = method === null ? '' : t(`issued.by.${method}`);
    return [t(`documents.state.${action}`), who, how].filter((part) => part !== '').join(' · ');
  }
}

/** The sealed PDF and its proof, once the key of the service is open. */
function Sealed({ serviceId, document }: { serviceId: string; document: Document }) {
  const { t } = usePortalText();
  const isOpen = useHasKey(serviceId);
  const [come, setCome] = useState(0);
  const isSealed = document.sealed_at !== null;
  const copy = useRead(isOpen && isSealed ? sealedCopyQuery(serviceId, document.id, setCome) : undefined);
  if (!isSealed)
    return (
      document.requires_signature && <Empty title={t('issued.notSealed')}>{t('issued.notSealed.text')}</Empty>
    );
  if (!isOpen) return <ServiceKeyForm serviceId={serviceId} title={t('issued.sealed')} />;
  return (
    <Loaded of={copy} waiting={<Opening come={come} height={480} />}>
      {({ file }) => (
        <>
          <FileView file={file} />
          <SealSection name={file.name} bytes={file.bytes} />
        </>
      )}
    </Loaded>
  );
}

/** Takes it back from the lists of the company. It takes a developer. */
function Deleting({ serviceId, document }: { serviceId: string; document: Document }) {
  const { t } = usePortalText();
  const navigate = useNavigate();
  const may = mayAs(usePortalLogin(), 'developer');
  if (!may) return null;
  return (
    <div>
      <AskedAct
        label={t('issued.delete')}
        title={t('issued.delete.title', { name: document.name })}
        color="red"
        variant="default"
        act={async () => {
          await deleteIssued(serviceId, document);
          await navigate({ to: '/portal/documents', search: { service: serviceId } });
        }}
      >
        {t(document.signatures.length > 0 ? 'issued.delete.signed' : 'issued.delete.text')}
      </AskedAct>
    </div>
  );
}
