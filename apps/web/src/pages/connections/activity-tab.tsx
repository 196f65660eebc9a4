import { useGiven } from '../../parts/given-happenings.tsx';
import { HAPPENED } from '../../parts/happened.tsx';
import { useSites } from '../../parts/site-happenings.tsx';
import { TextLink } from '../../parts/text-link.tsx';
import { When } from '../../parts/when.tsx';
import type { Connection } from '../../platform/connections.ts';
import { documentsQuery } from '../../platform/document-list.ts';
import { runsQuery } from '../../platform/flows/run-list.ts';
import { happenedOf } from '../../platform/lately.ts';
import { useRead } from '../../platform/read.ts';
import { threads } from '../../platform/thread-list.ts';
import { useInsideText } from '../../text/inside/index.tsx';
import { type Happening, Timeline } from '../../ui/timeline.tsx';

/** What the company and the person did, newest first. */
export function ActivityTab({ connection }: { connection: Connection }) {
  const { t } = useInsideText();
  const ofService = <T extends { service: { id: string } }>(found: readonly T[] | undefined) =>
    found?.filter(({ service }) => service.id === connection.service.id);
  const happened = happenedOf({
    connections: [connection],
    threads: ofService(useRead(threads).found),
    documents: ofService(useRead(documentsQuery).found),
    runs: ofService(useRead(runsQuery).found),
  });
  const given = useGiven([connection]);
  const sites = useSites(connection.company.company_user_id);
  const all = [
    ...given,
    ...sites.happenings,
    ...happened.map(({ key, kind, at, name, to }) => ({
      at,
      happening: {
        key,
        icon: HAPPENED[kind],
        tone: kind === 'connected' ? ('neutral' as const) : ('accent' as const),
        title: t(`companies.activity.${kind}`),
        when: <When at={at} />,
        detail:
          kind === 'connected' ? (
            name
          ) : (
            <TextLink to={to} search={{ of: connection.connection_id }}>
              {kind === 'message' ? t('companies.tab.messages') : name}
            </TextLink>
          ),
      } satisfies Happening,
    })),
  ].sort((one, other) => Date.parse(other.at) - Date.parse(one.at));
  return (
    <>
      <Timeline label={t('companies.tab.activity')} happenings={all.map(({ happening }) => happening)} />
      {sites.sheet}
    </>
  );
}
