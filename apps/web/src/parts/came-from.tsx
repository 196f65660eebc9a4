import { connectionQuery } from '../platform/connections.ts';
import { useRead } from '../platform/read.ts';
import { useInsideText } from '../text/inside/index.tsx';
import { BackLink } from '../ui/page.tsx';

/** The way back: to the company whose page led here, or to the list of all such pages. */
export function CameFrom(props: {
  /** The connection with that company. */
  of: string | undefined;
  tab: 'messages' | 'documents';
  list: '/me/documents' | '/me/flows' | '/me/messages';
  label: string;
}) {
  const { of, tab, list, label } = props;
  const { t } = useInsideText();
  const { found } = useRead(of === undefined ? undefined : connectionQuery(of));
  if (of === undefined) return <BackLink to={list}>{label}</BackLink>;
  return (
    <BackLink to="/me/connections/$connectionId" params={{ connectionId: of }} search={{ tab }}>
      {found?.company.display_name ?? t('place.companies')}
    </BackLink>
  );
}
