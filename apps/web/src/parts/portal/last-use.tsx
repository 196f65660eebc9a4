import { Text } from '@mantine/core';
import { clientUsesQuery } from '../../platform/portal/account.ts';
import { useRead } from '../../platform/read.ts';
import { usePortalText } from '../../text/portal/index.tsx';
import { When } from '../when.tsx';

/** When a client last obtained a token. Of one from before the platform kept this it says nothing, until it is used. */
export function LastUse({ clientId }: { clientId: string }) {
  const { t } = usePortalText();
  const { found } = useRead(clientUsesQuery);
  const use = found?.find(({ client_id }) => client_id === clientId);
  if (use === undefined) return null;
  return (
    <Text component="span" display="block" size="sm" c="dimmed">
      {use.last_used_at === null ? (
        t('access.use.none')
      ) : (
        <>
          {t('access.use')} <When at={use.last_used_at} />
        </>
      )}
    </Text>
  );
}
