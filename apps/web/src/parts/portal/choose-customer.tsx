import { Select } from '@mantine/core';
import { useDeferredValue, useState } from 'react';
import { customersNamedQuery, customersQuery } from '../../platform/portal/customers.ts';
import { useRead } from '../../platform/read.ts';
import { usePortalText } from '../../text/portal/index.tsx';

/** One customer of a service, found by name or code. @param chosen its connection */
export function ChooseCustomer({
  serviceId,
  label,
  chosen,
  choose,
}: {
  serviceId: string;
  label: string;
  chosen: string | undefined;
  choose: (connectionId: string) => void;
}) {
  const { t } = usePortalText();
  const [q, setQ] = useState('');
  const list = useRead(customersQuery(serviceId, useDeferredValue(q)));
  const named = useRead(chosen === undefined ? undefined : customersNamedQuery(serviceId, chosen));
  const known = chosen === undefined ? undefined : named.found?.get(chosen);
  const found = list.found?.customers.filter((row) => row.connection_id !== chosen) ?? [];
  return (
    <Select
      label={label}
      description={t('customers.search')}
      autoComplete="off"
      searchable
      allowDeselect={false}
      data={[...(known ? [known] : []), ...found].map((row) => ({
        value: row.connection_id,
        label: [row.display_name, row.share_code].filter(Boolean).join(', '),
      }))}
      // The platform searches by the beginnings of codes, too.
      filter={({ options }) => options}
      nothingFoundMessage={t('customers.none.found')}
      value={chosen ?? null}
      onSearchChange={(text) => setQ(known !== undefined && text.startsWith(known.display_name) ? '' : text)}
      onChange={(id) => id !== null && choose(id)}
    />
  );
}
