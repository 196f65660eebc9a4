import { Stack } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { Service } from '@symbolon/protocol';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { customersQuery } from '../../platform/portal/customers.ts';
import { services } from '../../platform/portal/services.ts';
import { useRead } from '../../platform/read.ts';
import { usePortalText } from '../../text/portal/index.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import type { DeskGroup, DeskPlace } from '../../ui/desk.tsx';
import { IconTile } from '../../ui/icon.tsx';
import { List, RowLink } from '../../ui/list.tsx';
import { Search } from '../../ui/search.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import classes from './portal-page.module.css';

/** Services whose customers are searched at once, and rows of each that are shown. */
const [SEARCHED, SHOWN] = [5, 5];
/** Of a name. With fewer almost everybody is found. */
const LETTERS = 2;
/** After the last letter, before customers are searched. */
const TYPING_MS = 200;

/** Where one goes by a few letters. */
export function GoToSheet(props: { groups: readonly DeskGroup[]; opened: boolean; close: () => void }) {
  const { groups, opened, close } = props;
  const { t } = usePortalText();
  return (
    <Sheet title={t('goTo.title')} opened={opened} close={close} closeLabel={t('app.close')}>
      <Stack mih={360} gap="md">
        <Found groups={groups} close={close} />
      </Stack>
    </Sheet>
  );
}

/** What the letters find: arrows go through it, Enter takes the first. */
function Found({ groups, close }: { groups: readonly DeskGroup[]; close: () => void }) {
  const { t } = usePortalText();
  const [typed, setTyped] = useState('');
  const wanted = typed.trim();
  const [asked] = useDebouncedValue(wanted, TYPING_MS);
  const { found = [] } = useRead(services);
  const hits = (text: string) => text.toLocaleLowerCase().includes(wanted.toLocaleLowerCase());
  const listed = new Set<string>();
  const places = groups
    .flatMap((group) => group.places.flatMap(withInner))
    .concat(found.map(({ id, name }) => ({ to: `/portal/services/${id}`, title: name })))
    .filter(({ to, title }) => hits(title) && !listed.has(to) && listed.add(to));
  return (
    <search
      className={classes.found}
      onKeyDown={move}
      onClick={({ target }) => target instanceof Element && target.closest('a') && close()}
    >
      <Search label={t('goTo.search')} value={typed} change={setTyped} />
      {places.length > 0 && (
        <List label={t('goTo.places')}>
          {places.map(({ to, title, of, icon: Drawn }) => (
            <RowLink
              key={to}
              to={to}
              parts={{
                leading: Drawn && <IconTile icon={Drawn} />,
                title,
                ...(of !== undefined && { detail: of }),
              }}
            />
          ))}
        </List>
      )}
      {asked.length >= LETTERS &&
        found.slice(0, SEARCHED).map((service) => <Customers key={service.id} service={service} q={asked} />)}
    </search>
  );
}

type Listed = DeskPlace & { readonly of?: string };

const withInner = (place: DeskPlace): Listed[] => [
  place,
  ...(place.inner ?? []).map((inner) => ({ ...inner, of: place.title })),
];

function Customers({ service, q }: { service: Service; q: string }): ReactNode {
  const { found } = useRead(customersQuery(service.id, q));
  if (found === undefined || found.customers.length === 0) return null;
  return (
    <List label={service.name}>
      {found.customers.slice(0, SHOWN).map(({ connection_id: connectionId, display_name: name }) => (
        <RowLink
          key={connectionId}
          to="/portal/services/$serviceId/customers/$connectionId"
          params={{ serviceId: service.id, connectionId }}
          parts={{ leading: <Avatar name={name} />, title: name, detail: service.name }}
        />
      ))}
    </List>
  );
}

/** Arrows go from the field through what was found and back; Enter in the field takes the first. */
function move(event: KeyboardEvent<HTMLElement>): void {
  const links = [...event.currentTarget.querySelectorAll('a')];
  const at = links.indexOf(document.activeElement as HTMLAnchorElement);
  // Enter also ends the writing of a word, in Japanese or Chinese.
  if (event.nativeEvent.isComposing) return;
  if (event.key === 'Enter' && at === -1) links[0]?.click();
  else if (event.key === 'ArrowDown') links[Math.min(at + 1, links.length - 1)]?.focus();
  else if (event.key === 'ArrowUp')
    (at > 0 ? links[at - 1] : event.currentTarget.querySelector('input'))?.focus();
  else return;
  event.preventDefault();
}
