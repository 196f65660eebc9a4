import { Select } from '@mantine/core';
import type { Service } from '@symbolon/protocol';
import { usePortalText } from '../../text/portal/index.tsx';

/** Of which service a page shows what it shows. */
export function ChooseService({
  found,
  chosen,
  choose,
}: {
  found: readonly Service[];
  chosen: Service;
  choose: (id: string) => void;
}) {
  const { t } = usePortalText();
  return (
    <Select
      label={t('customers.service')}
      data={found.map(({ id, name }) => ({ value: id, label: name }))}
      value={chosen.id}
      autoComplete="off"
      allowDeselect={false}
      onChange={(id) => id !== null && choose(id)}
    />
  );
}
