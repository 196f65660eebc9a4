import { limits } from '@symbolon/protocol/constants';
import { feedQuery } from '../../platform/portal/services.ts';
import { useRead } from '../../platform/read.ts';
import { usePortalText } from '../../text/portal/index.tsx';
import { When } from '../when.tsx';

/** What the backend of a service has not drained yet. @param props.before stands before it, once it is known */
export function FeedBehind(props: { serviceId: string; everyMs?: number; before?: string }) {
  const { serviceId, everyMs, before } = props;
  const { t, count } = usePortalText();
  const { found } = useRead(feedQuery(serviceId, everyMs));
  if (found === undefined) return null;
  const { backlog, oldest_backlog_at: oldest } = found;
  const most = limits.feedCountMost;
  return (
    <>
      {before}
      {oldest === null ? (
        t('access.feed.none')
      ) : (
        <>
          {backlog < most ? count('access.feed', backlog) : t('access.feed.many', { most })}{' '}
          <When at={oldest} />
        </>
      )}
    </>
  );
}
