import { limits } from '@symbolon/protocol/constants';
import { feedQuery } from '../../platform/portal/services.ts';
import { useRead } from '../../platform/read.ts';
import { usePortalText } from '../../text/portal/index.tsx';
import { When } from '../when.tsx';

/** What the backend of a service has not drained yet. */
export function FeedBehind({ serviceId, everyMs }: { serviceId: string; everyMs?: number }) {
  const { t, count } = usePortalText();
  const { found } = useRead(feedQuery(serviceId, everyMs));
  if (found === undefined || found.oldest_backlog_at === null) return found && t('access.feed.none');
  const most = limits.feedCountMost;
  return (
    <>
      {found.backlog < most ? count('access.feed', found.backlog) : t('access.feed.many', { most })}{' '}
      <When at={found.oldest_backlog_at} />
    </>
  );
}
