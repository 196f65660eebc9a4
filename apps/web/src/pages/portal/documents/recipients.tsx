import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import type { ServiceCustomer } from '@symbolon/protocol';
import { useDeferredValue, useState } from 'react';
import { LoadedList } from '../../../parts/loaded.tsx';
import { customersQuery } from '../../../platform/portal/customers.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Search } from '../../../ui/search.tsx';

/** Whom something is sent to: customers of the service, found by name or code. Those that were chosen stay while one searches. */
export function Recipients({
  serviceId,
  chosen,
  choose,
}: {
  serviceId: string;
  chosen: readonly ServiceCustomer[];
  choose: (next: readonly ServiceCustomer[]) => void;
}) {
  const { t, language } = usePortalText();
  const [q, setQ] = useState('');
  const list = useRead(customersQuery(serviceId, useDeferredValue(q)));
  const without = (id: string) => chosen.filter(({ connection_id: each }) => each !== id);
  const isChosen = (id: string) => chosen.some(({ connection_id: each }) => each === id);
  const found = list.found?.customers;
  const others = found?.filter(({ connection_id: id }) => !isChosen(id)) ?? [];
  return (
    <Stack gap="sm">
      {chosen.length > 0 && (
        <Text size="sm">
          {new Intl.ListFormat(language).format(chosen.map(({ display_name: name }) => name))}
        </Text>
      )}
      <Search label={t('customers.search')} value={q} change={setQ} />
      <LoadedList
        of={{ ...list, found }}
        none={q === '' ? t('customers.none') : t('customers.none.found')}
        noneText={q === '' ? t('customers.none.text') : t('customers.none.found.text')}
      >
        {(rows) =>
          rows.map((row) => (
            <Checkbox
              key={row.connection_id}
              label={row.display_name}
              description={row.share_code}
              checked={isChosen(row.connection_id)}
              onChange={({ currentTarget: { checked } }) =>
                choose(checked ? [...chosen, row] : without(row.connection_id))
              }
            />
          ))
        }
      </LoadedList>
      {typeof list.found?.next === 'string' && (
        <Text size="sm" c="dimmed">
          {t('issued.to.more')}
        </Text>
      )}
      {others.length > 1 && (
        <Group>
          <Button variant="default" size="sm" onClick={() => choose([...chosen, ...others])}>
            {t('issued.to.all', { count: others.length })}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
