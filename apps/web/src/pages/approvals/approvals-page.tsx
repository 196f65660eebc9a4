import { Stack, Text } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import { EmptyState, PageTitle } from '../../parts/frame.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { MeFrame } from '../../parts/me-frame.tsx';
import { Problem, useAct } from '../../parts/problem.tsx';
import { openCards, statusOf } from '../../platform/approvals.ts';
import { closeNotifications, showsApprovals } from '../../platform/push.ts';
import { useRead } from '../../platform/read.ts';
import { useText } from '../../text/index.tsx';
import { ApprovalCard } from './approval-card.tsx';
import { CardList, type Outcome, outcomeOf, type Shown } from './cards.ts';
import { PushSwitch } from './push-switch.tsx';

export function ApprovalsPage() {
  return (
    <MeFrame>
      <Approvals />
    </MeFrame>
  );
}

function Approvals() {
  const { t } = useText();
  const { read, shown, error, take, decide, dismiss } = useCards();
  useEffect(showsApprovals, []);
  return (
    <Stack gap="lg">
      <PageTitle>{t('approvals.title')}</PageTitle>
      {/* What arrives is told to those who cannot see it. */}
      <Stack gap="lg" aria-live="polite">
        <Loaded of={read} height={180} />
        <Problem error={error} retry={take} />
        {shown?.map(({ card, outcome }) => (
          <ApprovalCard
            key={card.challenge_id}
            card={card}
            outcome={outcome}
            decided={(reached) => decide(card.challenge_id, reached)}
            dismiss={() => dismiss(card.challenge_id)}
          />
        ))}
        {shown?.length === 0 && (
          <EmptyState title={t('approvals.none')}>
            <Text c="dimmed">{t('approvals.none.text')}</Text>
          </EmptyState>
        )}
      </Stack>
      <PushSwitch />
    </Stack>
  );
}

/** The cards that are open, and those that were answered while the page was looked at. */
function useCards() {
  const [list] = useState(() => new CardList());
  const [shown, setShown] = useState<readonly Shown[]>();
  const read = useRead(openCards);
  const { found: cards } = read;
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
  return { read, shown, error, take, decide, dismiss };
}
