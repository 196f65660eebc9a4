import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { PORTAL_PLACES } from '../../platform/forms.ts';
import { tabSettings } from '../../text/settings.ts';
import type { Place } from '../../ui/endless-table.tsx';

/**
 * Where one is in the list of a page. It is kept in this tab for the page as the history of the browser knows it, so that Back and a
 * reload return there and a link does not, until the login signs out.
 */
export function usePlace() {
  const { history } = useRouter();
  const [kept] = useState(() => {
    const name = `${PORTAL_PLACES}${history.location.state.__TSR_key}`;
    const [top, id = ''] = (tabSettings.read(name) ?? '0').split(' ');
    return { name, from: { id, top: Number(top) } };
  });
  return { from: kept.from, keep: ({ id, top }: Place) => tabSettings.keep(kept.name, `${top} ${id}`) };
}
