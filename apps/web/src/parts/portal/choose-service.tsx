import { Select } from '@mantine/core';
import type { Service } from '@symbolon/protocol';
import { usePortalText } from '../../text/portal/index.tsx';

/** Of which service a page shows what it shows. @param all what is chosen where it shows all of them, by an empty id */
export function ChooseService({
  found,
  chosen,
  choose,
  all,
}: {
  found: readonly Service[];
  chosen: Service | undefined;
  choose: (id: string) => void;
  all?: string;
}) {
  const { t } = usePortalText();
  return (
    <Select
      label={t('customers.service')}
      data={[
        ...(all === undefined ? [] : [{ value: '', label: all }]),
        ...found.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      value={chosen?.id ?? ''}
      autoComplete="off"
      allowDeselect={false}
      onChange={(id) => id !== null && choose(id)}
    />
  );
}
