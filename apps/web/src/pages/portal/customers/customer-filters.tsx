import { Button, Group, NativeSelect } from '@mantine/core';
import type { CustomerType, RequestField } from '@symbolon/protocol';
import { ANY_REQUIRED, type CustomersWanted, missingOf } from '../../../platform/portal/customers.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Search } from '../../../ui/search.tsx';

export const KINDS: readonly CustomerType[] = ['person', 'company'];

interface Filtering {
  readonly wanted: CustomersWanted;
  /** What the service asks; undefined while it is read. */
  readonly rows: readonly RequestField[] | undefined;
  readonly change: (next: CustomersWanted) => void;
}

/** Whom the list shows: by a name or a code, of one kind, without an answer. */
export function CustomerFilters({ wanted, rows = [], change }: Filtering) {
  const { t } = usePortalText();
  const { q = '', kind = '', missing = '' } = wanted;
  const known = [ANY_REQUIRED, ...rows.map(missingOf)];
  const labelOf = useLabels(rows);
  return (
    <>
      <Search label={t('customers.search')} value={q} change={(next) => change({ ...wanted, q: next })} />
      <NativeSelect
        autoComplete="off"
        label={t('customers.kind')}
        data={[
          { value: '', label: t('customers.kind.all') },
          ...KINDS.map((value) => ({ value, label: t(`customers.kind.${value}.many`) })),
        ]}
        value={kind}
        onChange={({ currentTarget: { value } }) =>
          change({ ...wanted, kind: KINDS.find((each) => each === value) })
        }
      />
      <NativeSelect
        autoComplete="off"
        label={t('customers.missing')}
        maw={320}
        data={[
          { value: '', label: t('customers.missing.all') },
          ...known.map((value) => ({ value, label: labelOf(value) })),
          // What the address says, before the rows are read or when the row is gone.
          ...(missing === '' || known.includes(missing) ? [] : [{ value: missing, label: missing }]),
        ]}
        value={missing}
        onChange={({ currentTarget: { value } }) => change({ ...wanted, missing: value })}
      />
    </>
  );
}

/** Leaves out one thing that is searched for. */
export function LeaveOut({ wanted, rows = [], change }: Filtering) {
  const { t } = usePortalText();
  const labelOf = useLabels(rows);
  const { q, kind, missing } = wanted;
  const said = [
    q && { key: 'q', filter: q, rest: { ...wanted, q: undefined } },
    kind && { key: 'kind', filter: t(`customers.kind.${kind}.many`), rest: { ...wanted, kind: undefined } },
    missing && { key: 'missing', filter: labelOf(missing), rest: { ...wanted, missing: undefined } },
  ];
  return (
    <Group gap="xs">
      {said.map(
        (each) =>
          each && (
            <Button key={each.key} variant="default" size="sm" onClick={() => change(each.rest)}>
              {t('customers.without', { filter: each.filter })}
            </Button>
          ),
      )}
    </Group>
  );
}

function useLabels(rows: readonly RequestField[]): (missing: string) => string {
  const { t } = usePortalText();
  return (missing) =>
    missing === ANY_REQUIRED
      ? t('customers.missing.any')
      : (rows.find((row) => missingOf(row) === missing)?.label ?? missing);
}
