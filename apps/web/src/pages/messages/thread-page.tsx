import { getRouteApi } from '@tanstack/react-router';
import { CameFrom } from '../../parts/came-from.tsx';
import { MeFrame } from '../../parts/me-frame.tsx';
import { connectionQuery } from '../../platform/connections.ts';
import { useRead } from '../../platform/read.ts';
import { useInsideText } from '../../text/inside/index.tsx';
import { Page } from '../../ui/page.tsx';
import { ThreadOf } from './thread.tsx';

const route = getRouteApi('/me/messages/$connectionId');

/** What one service and the person wrote to each other. */
export function ThreadPage() {
  const { connectionId } = route.useParams();
  return (
    <MeFrame>
      <Opened key={connectionId} connectionId={connectionId} />
    </MeFrame>
  );
}

function Opened({ connectionId }: { connectionId: string }) {
  const { t } = useInsideText();
  const { of } = route.useSearch();
  const { found: whom } = useRead(connectionQuery(connectionId));
  return (
    <Page
      back={<CameFrom of={of} tab="messages" list="/me/messages" label={t('messages.all')} />}
      title={whom?.company.display_name ?? t('messages.title')}
      lead={
        whom &&
        `${t('messages.service', { service: whom.service.name })} · ${t('messages.sealed', { company: whom.company.display_name })}`
      }
    >
      <ThreadOf connectionId={connectionId} />
    </Page>
  );
}
