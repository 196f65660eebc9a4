import type { CompanyConnection, Document } from '@symbolon/protocol';
import { IconFileText, IconForms, IconSignature, IconUserPlus } from '@tabler/icons-react';
import { Loaded } from '../../../parts/loaded.tsx';
import { TextLink } from '../../../parts/text-link.tsx';
import { When } from '../../../parts/when.tsx';
import { issuedToQuery } from '../../../platform/portal/issued.ts';
import { requestFieldsQuery } from '../../../platform/portal/services.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Group } from '../../../ui/group.tsx';
import { type Happening, Timeline } from '../../../ui/timeline.tsx';

/** More are in the lists of the page. */
const SHOWN = 12;

interface Happened extends Omit<Happening, 'when'> {
  readonly at: string;
}

/** What became of one customer, newest first: the connection, the answers as they stand, documents and what was done with them. */
export function CustomerTimeline({
  serviceId,
  customer,
}: {
  serviceId: string;
  customer: CompanyConnection;
}) {
  const { t } = usePortalText();
  const rows = useRead(requestFieldsQuery(serviceId));
  const documents = useRead(issuedToQuery(serviceId, customer.user_id));
  const labels = new Map(rows.found?.request_fields.map(({ slug, label }) => [slug, label]));
  const happened = [
    { key: 'connected', icon: IconUserPlus, title: t('customer.did.connected'), at: customer.connected_at },
    ...Object.entries(customer.values).map(([slug, { updated_at: at }]) => ({
      key: `answer ${slug}`,
      icon: IconForms,
      title: t('customer.did.answered', { label: labels.get(slug) ?? slug }),
      at,
    })),
    ...(documents.found?.items ?? []).flatMap((document) => ofDocument(document)),
  ] satisfies Happened[];
  const shown = happened.sort((one, other) => other.at.localeCompare(one.at)).slice(0, SHOWN);
  return (
    <Group title={t('customer.timeline')}>
      <Loaded of={documents} height={160}>
        {() => (
          <Timeline
            label={t('customer.timeline')}
            happenings={shown.map(({ at, ...rest }) => ({ ...rest, when: <When at={at} /> }))}
          />
        )}
      </Loaded>
    </Group>
  );

  function ofDocument({ id, name, created_at: sentAt, signatures }: Document): Happened[] {
    const title = (text: string) => (
      <>
        {text}{' '}
        <TextLink
          to="/portal/services/$serviceId/documents/$documentId"
          params={{ serviceId, documentId: id }}
        >
          {name}
        </TextLink>
      </>
    );
    return [
      { key: `sent ${id}`, icon: IconFileText, title: title(t('issued.sent')), at: sentAt },
      ...signatures.map(({ action, created_at: at }) => ({
        key: `${action} ${id}`,
        icon: IconSignature,
        tone: 'good' as const,
        title: title(t(`documents.state.${action}`)),
        at,
      })),
    ];
  }
}
