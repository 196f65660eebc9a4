import { Anchor, Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { SymbolonError } from '@symbolon/sdk/device';
import { useId, useState } from 'react';
import { Digits } from '../../parts/digits.tsx';
import { useFocusWhenLost } from '../../parts/focus.ts';
import { Problem, useAct } from '../../parts/problem.tsx';
import { ProofForm } from '../../parts/proof-form.tsx';
import { useNow, When } from '../../parts/when.tsx';
import { approve, type Card, type Decided, deny } from '../../platform/approvals.ts';
import { useText } from '../../text/index.tsx';
import classes from './approval-card.module.css';
import type { Outcome } from './cards.ts';

type Props = {
  card: Card;
  outcome: Outcome | undefined;
  decided: (outcome: Outcome) => void;
  dismiss: () => void;
};

/** One question, one decision: who asks, what they say, approve or deny. */
export function ApprovalCard(props: Props) {
  const { card, outcome } = props;
  const { t } = useText();
  const heading = useId();
  const company = card.company.display_name;
  return (
    <Paper component="article" aria-labelledby={heading} className={classes.card} withBorder p="lg">
      <Stack gap="md">
        <Stack gap={4}>
          <Title order={2} id={heading}>
            {t('approvals.asks', { company })}
          </Title>
          <Text size="sm" c="dimmed">
            {t('approvals.service', { service: card.service.name, code: card.company.company_code })}
            {' · '}
            <When at={card.created_at} />
          </Text>
        </Stack>
        {card.context && <Text className={classes.context}>{card.context}</Text>}
        {outcome === undefined ? <Decision {...props} /> : <Reached {...props} outcome={outcome} />}
      </Stack>
    </Paper>
  );
}

function Reached({ card, outcome, dismiss }: Props & { outcome: Outcome }) {
  const { t } = useText();
  const color = { approved: 'teal', denied: 'red', expired: 'gray', revoked: 'gray', elsewhere: 'gray' }[
    outcome
  ];
  return (
    <Group justify="space-between" role="status">
      <Badge color={color} variant="light" size="lg" tt="none">
        {t(`approvals.outcome.${outcome}`, { service: card.service.name })}
      </Badge>
      <Button variant="subtle" color="gray" onClick={dismiss}>
        {t('app.close')}
      </Button>
    </Group>
  );
}

function Decision({ card, decided }: Props) {
  const { t } = useText();
  const { busy, error, run, clear } = useAct();
  const [asking, setAsked] = useState<'approve' | 'deny'>();
  // A card that arrives takes no focus from anything.
  const [isAnswered, setAnswered] = useState(false);
  const place = useFocusWhenLost(isAnswered);
  const setAsking = (what: 'approve' | 'deny' | undefined) => {
    setAnswered(true);
    setAsked(what);
  };
  const [digits, setDigits] = useState('');
  const reach = ({ status }: Decided) => decided(status === 'pending' ? 'elsewhere' : status);
  const id = card.challenge_id;
  if (asking === 'deny') {
    const say = (notMe: boolean) => () => run(async () => reach(await deny(id, notMe)));
    return (
      <Stack gap="sm" ref={place}>
        <Text fw={600}>{t('approvals.deny.question')}</Text>
        <Problem error={error} />
        <Button color="red" loading={busy} onClick={say(true)}>
          {t('approvals.deny.notMe')}
        </Button>
        <Button variant="default" loading={busy} onClick={say(false)}>
          {t('approvals.deny.me')}
        </Button>
        <Text size="sm" c="dimmed">
          {t('approvals.deny.notMe.text', { company: card.company.display_name })}
        </Text>
        <Anchor component="button" type="button" onClick={() => setAsking(undefined)}>
          {t('app.back')}
        </Anchor>
      </Stack>
    );
  }
  const isReady = !card.number_matching || digits.length === 2;
  return (
    <Stack gap="md">
      {card.number_matching && (
        <Digits
          label={t('approvals.digits', { service: card.service.name })}
          value={digits}
          change={(value) => {
            setDigits(value);
            if (value !== '') clear();
          }}
        />
      )}
      <Problem error={error} />
      {asking === 'approve' && isReady ? (
        <ProofForm
          act={`approve challenge ${id}`}
          given={card.presence}
          label={t('approvals.approve')}
          prove={async (proof) => {
            try {
              reach(await approve(id, proof, card.number_matching ? digits : undefined));
            } catch (failure) {
              const left = triesLeft(failure);
              if (left === undefined) throw failure;
              if (left === 0) decided('denied');
              // The digits are typed again; the message stands beside them.
              setDigits('');
              setAsking(undefined);
              run(() => Promise.reject(failure));
            }
          }}
          cancel={() => setAsking(undefined)}
        />
      ) : (
        <Group grow gap="sm" ref={place}>
          <Button onClick={() => setAsking('approve')} disabled={!isReady}>
            {t('approvals.approve')}
          </Button>
          <Button variant="default" onClick={() => setAsking('deny')}>
            {t('approvals.deny')}
          </Button>
        </Group>
      )}
      <Expiry at={card.expires_at} />
    </Stack>
  );
}

/** How many tries are left after wrong digits; undefined for every other failure. */
function triesLeft(error: unknown): number | undefined {
  if (!(error instanceof SymbolonError) || error.errorKey !== 'twofa.digits_wrong') return undefined;
  const { tries_left: left } = error.details;
  return typeof left === 'number' ? left : 1;
}

function Expiry({ at }: { at: string }) {
  const { t } = useText();
  const now = useNow();
  const left = Math.max(0, Math.round((Date.parse(at) - now) / 1000));
  const time = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
  return (
    <Text size="sm" c="dimmed" className={classes.time} aria-live="off">
      {t('approvals.expires', { time })}
    </Text>
  );
}
