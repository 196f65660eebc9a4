import type { AuditEntryView } from '@symbolon/protocol';
import { detailsOf } from '../../../parts/portal/details.ts';
import { LogList } from '../../../parts/portal/log-list.tsx';
import { PortalPage, usePortalLogin } from '../../../parts/portal/portal-page.tsx';
import { SameByApi } from '../../../parts/portal/same-by-api.tsx';
import { When } from '../../../parts/when.tsx';
import { auditLog } from '../../../platform/portal/logs.ts';
import { sameCalls } from '../../../platform/portal/same-calls.ts';
import { mayAs } from '../../../platform/portal/session.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { Page } from '../../../ui/page.tsx';

export function AuditPage() {
  return (
    <PortalPage>
      <AuditLog />
    </PortalPage>
  );
}

/** Who did what to the account. */
function AuditLog() {
  const { t } = usePortalText();
  return (
    <Page title={t('audit.title')} lead={t('audit.lead')}>
      {mayAs(usePortalLogin(), 'admin') ? (
        <Entries />
      ) : (
        <Empty title={t('audit.forAdmins')}>{t('audit.forAdmins.text')}</Empty>
      )}
    </Page>
  );
}

function Entries() {
  const { t } = usePortalText();
  const whoOf = ({ actor: { kind, id, name } }: AuditEntryView): string => {
    if (kind === 'platform') return t('audit.platform');
    if (kind === 'operator') return t('audit.operator');
    return name ?? id;
  };
  return (
    <>
      <LogList
        label={t('audit.title')}
        list={auditLog}
        what={({ action }) => action}
        others={[
          { key: 'when', title: t('audit.when'), cell: ({ at }) => <When at={at} /> },
          { key: 'who', title: t('audit.who'), cell: whoOf },
          { key: 'target', title: t('audit.target'), wide: true, cell: ({ target }) => target },
          { key: 'from', title: t('audit.from'), wide: true, cell: ({ actor }) => actor.source ?? '' },
          { key: 'more', title: t('audit.details'), wide: true, cell: ({ details }) => detailsOf(details) },
        ]}
        noneText={t('audit.none.text')}
        csv={(entries) => ({
          name: 'audit',
          heads: ['id', 'at', 'who', 'action', 'target', 'from', 'details'],
          rows: entries.map((entry) => [
            ...[entry.id, entry.at, whoOf(entry), entry.action, entry.target],
            ...[entry.actor.source ?? '', detailsOf(entry.details)],
          ]),
        })}
      />
      <SameByApi {...sameCalls.auditLog} />
    </>
  );
}
