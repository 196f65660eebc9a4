import { ThreadLog } from '../../parts/messages/thread-log.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Unlock } from '../../parts/unlock.tsx';
import { connectionQuery } from '../../platform/connections.ts';
import { markRead, type Partner, page, send, threadQuery } from '../../platform/messages.ts';
import { useRead } from '../../platform/read.ts';
import { type SignedIn, useSession } from '../../platform/session.ts';
import { refreshWaiting } from '../../platform/waiting.ts';
import { useInsideText } from '../../text/inside/index.tsx';
import { PersonComposer } from './person-composer.tsx';

/** What one service and the person wrote to each other, and the place to write more. */
export function ThreadOf({ connectionId }: { connectionId: string }) {
  const session = useSession();
  const { found: whom, error, load } = useRead(connectionQuery(connectionId));
  return (
    <>
      <Problem error={error} retry={load} />
      {session.state === 'in' && session.keys === undefined && <Unlock />}
      {session.state === 'in' && session.keys !== undefined && whom && (
        <Thread session={session} whom={whom} />
      )}
    </>
  );
}

function Thread({ session, whom }: { session: SignedIn; whom: Partner }) {
  const { t } = useInsideText();
  const id = whom.connection_id;
  const company = whom.company.display_name;
  return (
    <ThreadLog
      query={threadQuery(session, id)}
      names={{ own: t('messages.you'), other: company }}
      startsAtEnd
      emptyText={t('messages.empty.text', { company })}
      older={(before) => page(session, id, before)}
      markRead={async (messageId) => {
        await markRead(session, id, messageId);
        refreshWaiting();
      }}
      composer={(show) => (
        <PersonComposer
          whom={whom}
          session={session}
          send={async (text) => show(await send(session, id, text))}
        />
      )}
    />
  );
}
