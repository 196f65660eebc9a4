import { Group, NativeSelect, TextInput } from '@mantine/core';
import type { AuditEntryView } from '@symbolon/protocol';
import { type AuditAction, auditActions, auditThings } from '@symbolon/protocol/constants';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { detailsOf } from '../../../parts/portal/details.ts';
import { LogList } from '../../../parts/portal/log-list.tsx';
import { PortalPage, usePortalLogin } from '../../../parts/portal/portal-page.tsx';
import { SameByApi } from '../../../parts/portal/same-by-api.tsx';
import { When } from '../../../parts/when.tsx';
import { type AuditWanted, auditLog } from '../../../platform/portal/logs.ts';
import { sameCalls } from '../../../platform/portal/same-calls.ts';
import { services } from '../../../platform/portal/services.ts';
import { mayAs } from '../../../platform/portal/session.ts';
import { useRead } from '../../../platform/read.ts';
import { type PortalTexts, usePortalText } from '../../../text/portal/index.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { Page } from '../../../ui/page.tsx';

const HERE = '/portal/audit';

export function AuditPage() {
  return (
    <PortalPage>
      <AuditLog />
    </PortalPage>
  );
}

/** Who did what to the account. What is looked for stands in the address. */
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

type Thing = (typeof auditThings)[number];

function Entries() {
  const { t } = usePortalText();
  const { thing: asked, until } = useSearch({ from: HERE });
  const thing = auditThings.find((each) => each === asked);
  const nameOf = useNames();
  const whoOf = ({ actor: { kind, id, name } }: AuditEntryView): string => {
    if (kind === 'platform') return t('audit.platform');
    if (kind === 'operator') return t('audit.operator');
    return name ?? id;
  };
  return (
    <>
      <Filters now={{ thing, until }} />
      <LogList
        key={`${thing} ${until}`}
        label={t('audit.title')}
        list={auditLog({ thing, until })}
        what={({ action }) => wordsOf(t, action)}
        others={[
          { key: 'when', title: t('audit.when'), cell: ({ at }) => <When at={at} /> },
          { key: 'who', title: t('audit.who'), cell: whoOf },
          { key: 'target', title: t('audit.target'), wide: true, cell: ({ target }) => nameOf(target) },
          { key: 'from', title: t('audit.from'), wide: true, cell: ({ actor }) => actor.source ?? '' },
          { key: 'more', title: t('audit.details'), wide: true, cell: ({ details }) => detailsOf(details) },
        ]}
        {...(thing === undefined && !until
          ? { none: t('audit.none'), noneText: t('audit.none.text') }
          : { none: t('audit.none.found'), noneText: t('audit.none.found.text') })}
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

function Filters({ now: { thing, until } }: { now: AuditWanted }) {
  const { t } = usePortalText();
  const navigate = useNavigate();
  const go = (next: AuditWanted) =>
    navigate({
      to: HERE,
      search: { thing: next.thing || undefined, until: next.until || undefined },
      replace: true,
    });
  return (
    <Group align="end">
      <NativeSelect
        label={t('audit.thing')}
        autoComplete="off"
        data={[
          { value: '', label: t('audit.thing.all') },
          ...auditThings.map((value: Thing) => ({ value, label: t(`audit.thing.${value}`) })),
        ]}
        value={thing ?? ''}
        onChange={({ currentTarget: { value } }) => go({ thing: value, until })}
      />
      <TextInput
        type="date"
        label={t('audit.until')}
        autoComplete="off"
        value={until ?? ''}
        onChange={({ currentTarget: { value } }) => go({ thing, until: value })}
      />
    </Group>
  );
}

/** A newer platform may record what this page does not know. */
function wordsOf(t: PortalTexts['t'], action: string): string {
  const known: AuditAction | undefined = auditActions.find((each) => each === action);
  return known === undefined ? action : t(`audit.did.${known}`);
}

/** What has a name on this page: services, and the company itself. */
function useNames(): (id: string) => string {
  const { company } = usePortalLogin();
  const found = useRead(services).found ?? [];
  const names = new Map([
    [company.company_user_id, company.name],
    ...found.map(({ id, name }) => [id, name] as const),
  ]);
  return (id) => names.get(id) ?? id;
}
