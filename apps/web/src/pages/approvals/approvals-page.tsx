import { Skeleton, Stack, Text } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import { EmptyState, PageTitle } from '../../parts/frame.tsx';
import { MeFrame } from '../../parts/me-frame.tsx';
import { Problem } from '../../parts/problem.tsx';
import { openCards, statusOf } from '../../platform/approvals.ts';
import { closeNotifications, showsApprovals } from '../../platform/push.ts';
import { useSignals } from '../../platform/signals.ts';
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
  const { shown, error, decide, dismiss, refresh } = useCards();
  useSignals(refresh);
  useEffect(showsApprovals, []);
  return (
    <Stack gap="lg">
      <PageTitle>{t('approvals.title')}</PageTitle>
      {/* What arrives is told to those who cannot see it. */}
      <Stack gap="lg" aria-live="polite">
        {error !== undefined && <Problem error={error} retry={refresh} />}
        {shown === undefined && error === undefined && <Skeleton h={180} radius={8} />}
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
  const [error, setError] = useState<unknown>();
  const decide = useCallback(
    (id: string, outcome: Outcome) => {
      list.decide(id, outcome);
      setShown(list.shown);
      if (list.shown.every((each) => each.outcome !== undefined)) closeNotifications();
    },
    [list],
  );
  const refresh = useCallback(async () => {
    const take = list.list();
    try {
      const gone = take(await openCards());
      setError(undefined);
      setShown(list.shown);
      // A card that is no longer open stays until the person has seen what became of it.
      for (const id of gone) decide(id, outcomeOf(await statusOf(id)));
    } catch (failure) {
      setError(failure);
    }
  }, [list, decide]);
  useEffect(() => {
    refresh();
  }, [refresh]);
  const dismiss = (id: string) => {
    list.dismiss(id);
    setShown(list.shown);
  };
  return { shown, error, decide, dismiss, refresh };
}
