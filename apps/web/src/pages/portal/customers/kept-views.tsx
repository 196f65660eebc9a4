import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import type { Service } from '@symbolon/protocol';
import { type FormEvent, useState } from 'react';
import { ActButtons } from '../../../parts/act-buttons.tsx';
import { usePortalLogin } from '../../../parts/portal/portal-page.tsx';
import type { CustomersWanted } from '../../../platform/portal/customers.ts';
import { type KeptView, useKeptViews } from '../../../platform/portal/kept-views.ts';
import { offerUndo } from '../../../platform/undo.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Sheet } from '../../../ui/sheet.tsx';
import { Tab, Tabs } from '../../../ui/tabs.tsx';

/** Whose customers, and what is searched for among them. */
export interface CustomersSearch extends CustomersWanted {
  readonly service: string;
}

/** How the address says it: without what is empty. */
export const addressOf = ({ service, q, kind, missing }: CustomersSearch) => ({
  service,
  q: q || undefined,
  kind,
  missing: missing || undefined,
});

/** What staff looks at again and again, by name; and what is looked at now is kept here, or changed. */
export function KeptViews({ now, found }: { now: CustomersSearch; found: readonly Service[] }) {
  const { t } = usePortalText();
  const { views, keep, drop } = useKeptViews<CustomersSearch>(usePortalLogin().login.id, 'customers');
  const [opened, setOpened] = useState(false);
  const isNow = ({ search }: KeptView<CustomersSearch>) =>
    JSON.stringify(addressOf(search)) === JSON.stringify(addressOf(now));
  // A service may be gone.
  const shown = views.filter(({ search }) => found.some(({ id }) => id === search.service));
  const here = shown.find(isNow);
  const close = () => setOpened(false);
  return (
    <Group gap="xs">
      {shown.length > 0 && (
        <Tabs label={t('views.title')}>
          {shown.map((view) => (
            <Tab
              key={view.name}
              to="/portal/customers"
              search={addressOf(view.search)}
              isHere={view === here}
            >
              {view.name}
            </Tab>
          ))}
        </Tabs>
      )}
      <Button variant="subtle" size="sm" onClick={() => setOpened(true)}>
        {here === undefined ? t('views.keep') : t('views.change')}
      </Button>
      <Sheet
        title={here === undefined ? t('views.keep') : t('views.change')}
        opened={opened}
        close={close}
        closeLabel={t('app.close')}
      >
        <ViewForm
          view={here}
          isTaken={(name) => name !== here?.name && views.some((each) => each.name === name)}
          keep={(name) => {
            keep({ name, search: now }, here?.name);
            close();
          }}
          drop={(view) => {
            drop(view.name);
            offerUndo({ text: t('views.dropped', { name: view.name }), undo: async () => keep(view) });
            close();
          }}
          cancel={close}
        />
      </Sheet>
    </Group>
  );
}

function ViewForm({
  view,
  isTaken,
  keep,
  drop,
  cancel,
}: {
  /** None where what is looked at is not kept. */
  view: KeptView<CustomersSearch> | undefined;
  isTaken: (name: string) => boolean;
  keep: (name: string) => void;
  drop: (view: KeptView<CustomersSearch>) => void;
  cancel: () => void;
}) {
  const { t } = usePortalText();
  const [typed, setTyped] = useState(view?.name ?? '');
  const name = typed.trim();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    keep(name);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm" c="dimmed">
          {t('views.lead')}
        </Text>
        <TextInput
          label={t('customers.name')}
          required
          autoComplete="off"
          maxLength={60}
          value={typed}
          error={isTaken(name) && t('views.taken')}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <ActButtons
          label={t('views.keep')}
          busy={false}
          disabled={name === '' || isTaken(name)}
          cancel={cancel}
        />
        {view !== undefined && (
          <Group>
            <Button variant="subtle" color="red" onClick={() => drop(view)}>
              {t('views.drop')}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}
