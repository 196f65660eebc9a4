import { useState } from 'react';
import type { Fields } from '../../platform/fields.ts';
import { FORMS } from '../../platform/forms.ts';
import { currentSession } from '../../platform/session.ts';
import { useKeptInTab } from '../use-kept-in-tab.ts';
import { type Asked, candidates, type Picked } from './asked.ts';

/** What was chosen, by the keys of what is asked. */
export type AllPicked = ReadonlyMap<string, Picked>;
export type Picks = ReturnType<typeof usePicked>;

/** What the person did with one question: the field that answers, and whether a new one is being typed. */
type Kept = { readonly id?: string | undefined; readonly live?: boolean; readonly isAdding?: boolean };

/**
 * What the person picks of what is asked. Names of fields are kept in this tab, no values; what a plugin answered is not kept.
 * @param about who asks
 * @param touched when the person picks
 */
export function usePicked(
  about: string,
  asked: readonly Asked[],
  fields: Fields | undefined,
  first: AllPicked | (() => AllPicked),
  touched: () => void,
) {
  const session = currentSession();
  const personId = session.state === 'in' ? session.person.person_user_id : '';
  const [start] = useState(first);
  const [answered, setAnswered] = useState<AllPicked>(new Map());
  const kept = useKeptInTab<Readonly<Record<string, Kept>>>(`${FORMS}${personId}.${about}`, () => ({}));
  const pickedFor = (each: Asked): Picked | undefined => {
    if (each.plugin) return answered.get(each.key);
    const own = kept.value[each.key];
    if (own === undefined || fields === undefined) return start.get(each.key);
    const field = candidates(each, fields).find(({ id }) => id === own.id);
    return field && { field, live: each.mustLive || (each.mayLive && own.live === true) };
  };
  const picked: AllPicked = new Map(
    asked.flatMap((each) => {
      const choice = pickedFor(each);
      return choice ? [[each.key, choice] as const] : [];
    }),
  );
  return {
    picked,
    drop: kept.drop,
    isAdding: ({ key }: Asked) => kept.value[key]?.isAdding === true,
    setAdding(each: Asked, isAdding: boolean) {
      kept.change({ [each.key]: { ...keptOf(picked.get(each.key)), isAdding } });
    },
    pick({ key, plugin }: Asked, choice: Picked | undefined) {
      touched();
      if (plugin)
        setAnswered((before) => {
          const others = new Map([...before].filter(([other]) => other !== key));
          return choice ? others.set(key, choice) : others;
        });
      else kept.change({ [key]: keptOf(choice) });
    },
  };
}

const keptOf = (choice: Picked | undefined): Kept =>
  choice?.field ? { id: choice.field.id, live: choice.live } : {};
