import { lazy, useCallback, useEffect, useState } from 'react';
import { useAct } from '../../parts/problem.tsx';
import { openCards, statusOf } from '../../platform/approvals.ts';
import { closeNotifications, showsApprovals } from '../../platform/push.ts';
import { useRead } from '../../platform/read.ts';
import { useSession } from '../../platform/session.ts';
import { useOutdating } from '../../platform/signals.ts';
import { InsideTextProvider } from '../../text/inside/index.tsx';
import { CardList, type Outcome, outcomeOf, type Shown } from './cards.ts';
import { askAgain, putOff, useOrder } from './put-off.ts';

/** Most visits meet nothing that waits, so the sheet is loaded with the first that does. */
const ApprovalSheet = lazy(() =>
  import('./approval-sheet.tsx').then((module) => ({ default: module.ApprovalSheet })),
);

/** What services ask stands over every page of a person: when the app is opened, when it is looked at again, and as it arrives. */
export function ApprovalsOver() {
  const session = useSession();
  return session.state === 'in' ? <Over key={session.person.person_user_id} /> : null;
}

function Over() {
  useOutdating();
  useEffect(() => showsApprovals(askAgain), []);
  useEffect(() => {
    const look = () => document.visibilityState === 'visible' && askAgain();
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  const { shown, error, take, decide, dismiss } = useCards();
  const order = useOrder();
  const [current, setCurrent] = useState<string>();
  const open = shown.filter(({ outcome }) => outcome === undefined);
  const next = nextOf(shown, order, current);
  const id = next?.card.challenge_id;
  useEffect(() => setCurrent(id), [id]);
  if (next === undefined || id === undefined) return null;
  return (
    <InsideTextProvider>
      <ApprovalSheet
        key={id}
        card={next.card}
        outcome={next.outcome}
        others={open.filter(({ card }) => card.challenge_id !== id).length}
        unread={error}
        retry={take}
        decided={(reached) => decide(id, reached)}
        close={() => {
          setCurrent(undefined);
          if (next.outcome === undefined) putOff(id);
          else dismiss(id);
        }}
      />
    </InsideTextProvider>
  );
}

/** The card that is shown stays; then the one that the person wants, then the newest that waits. */
function nextOf(
  shown: readonly Shown[],
  { putOff: off, wanted }: ReturnType<typeof useOrder>,
  current: string | undefined,
): Shown | undefined {
  const byId = (id: string | undefined) => shown.find(({ card }) => card.challenge_id === id);
  const isWaiting = ({ card, outcome }: Shown) => outcome === undefined && !off.has(card.challenge_id);
  const asked = byId(wanted);
  if (asked?.outcome === undefined && asked !== undefined) return asked;
  return byId(current) ?? shown.find(isWaiting);
}

/** The cards that are open, and those that were answered while they were looked at. */
function useCards() {
  const [list] = useState(() => new CardList());
  const [shown, setShown] = useState<readonly Shown[]>([]);
  const { found: cards } = useRead(openCards);
  const decide = useCallback(
    (id: string, outcome: Outcome) => {
      list.decide(id, outcome);
      setShown(list.shown);
      if (list.shown.every((each) => each.outcome !== undefined)) closeNotifications();
    },
    [list],
  );
  const { error, run } = useAct();
  const take = useCallback(() => {
    if (cards === undefined) return;
    const gone = list.take(cards);
    setShown(list.shown);
    // A card that is no longer open stays until the person has seen what became of it.
    run(async () => {
      for (const id of gone) decide(id, outcomeOf(await statusOf(id)));
    });
  }, [list, cards, decide, run]);
  useEffect(take, [take]);
  const dismiss = (id: string) => {
    list.dismiss(id);
    setShown(list.shown);
  };
  return { shown, error, take, decide, dismiss };
}
