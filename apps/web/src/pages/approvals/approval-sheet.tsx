import { Button, Stack, Text } from '@mantine/core';
import { SymbolonError } from '@symbolon/sdk/device';
import { IconClock, IconMapPin } from '@tabler/icons-react';
import { useState } from 'react';
import { Digits } from '../../parts/digits.tsx';
import { useFocusWhenLost } from '../../parts/focus.ts';
import { Problem, useAct } from '../../parts/problem.tsx';
import { ProofForm } from '../../parts/proof-form.tsx';
import { TextLink } from '../../parts/text-link.tsx';
import { TimeLeft } from '../../parts/time-left.tsx';
import { When } from '../../parts/when.tsx';
import { approve, type Card, type Decided, deny } from '../../platform/approvals.ts';
import { useInsideText } from '../../text/inside/index.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { IconTile } from '../../ui/icon.tsx';
import { List, Row } from '../../ui/list.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { Status } from '../../ui/status.tsx';
import classes from './approval-sheet.module.css';
import type { Outcome } from './cards.ts';

type Props = {
  card: Card;
  outcome: Outcome | undefined;
  /** How many more wait. */
  others: number;
  /** Why it is not known what became of it. */
  unread: unknown;
  retry: () => void;
  decided: (outcome: Outcome) => void;
  close: () => void;
};

/** One question, one decision: who asks, what they say, approve or not. */
export function ApprovalSheet(props: Props) {
  const { card, outcome, others, unread, retry, close } = props;
  const { t, count } = useInsideText();
  const company = card.company.display_name;
  const [isDisowned, setDisowned] = useState(false);
  return (
    <Sheet
      opened
      close={close}
      closeLabel={t(outcome === undefined ? 'approvals.later' : 'app.close')}
      picture={<Avatar name={company} size={56} />}
      title={t('approvals.asks', { company })}
    >
      <Stack gap="md">
        {/* A card that arrives takes the focus to where no key does anything. */}
        <Text size="sm" c="dimmed" tabIndex={-1} data-autofocus className={classes.lead}>
          {t('approvals.service', { service: card.service.name, code: card.company.company_code })}
        </Text>
        <List>
          {card.context && <Row leading={<IconTile icon={IconMapPin} />} title={card.context} />}
          <Row
            leading={<IconTile icon={IconClock} />}
            title={
              <>
                {t('approvals.asked')} <When at={card.created_at} />
              </>
            }
            trailing={outcome === undefined ? <TimeLeft until={card.expires_at} /> : <span />}
          />
        </List>
        <Problem error={unread} retry={retry} />
        {outcome === undefined ? (
          <Decision {...props} disowned={() => setDisowned(true)} />
        ) : (
          <Reached company={company} outcome={outcome} isDisowned={isDisowned} close={close} />
        )}
        {others > 0 && (
          <Text size="sm" c="dimmed" ta="center" role="status">
            {count('approvals.others', others)}
          </Text>
        )}
      </Stack>
    </Sheet>
  );
}

const TONES = {
  approved: 'good',
  denied: 'bad',
  expired: 'neutral',
  revoked: 'neutral',
  elsewhere: 'neutral',
} as const;

function Reached(props: { company: string; outcome: Outcome; isDisowned: boolean; close: () => void }) {
  const { company, outcome, isDisowned, close } = props;
  const { t } = useInsideText();
  const place = useFocusWhenLost();
  return (
    <Stack gap="md" ref={place}>
      <div role="status" className={classes.centre}>
        <Status tone={TONES[outcome]}>{t(`approvals.outcome.${outcome}`)}</Status>
      </div>
      {isDisowned && (
        <Text size="sm">
          {t('approvals.disowned', { company })}{' '}
          <TextLink to="/me/enrolments" size="sm" onClick={close}>
            {t('approvals.disowned.mute')}
          </TextLink>
        </Text>
      )}
      <Button variant="default" onClick={close}>
        {t('app.close')}
      </Button>
    </Stack>
  );
}

function Decision({ card, decided, disowned }: Props & { disowned: () => void }) {
  const { t } = useInsideText();
  const { busy, error, run, clear } = useAct();
  const [isProving, setProving] = useState(false);
  const place = useFocusWhenLost();
  const [digits, setDigits] = useState('');
  const reach = ({ status }: Decided) => decided(status === 'pending' ? 'elsewhere' : status);
  const id = card.challenge_id;
  const company = card.company.display_name;
  const isReady = !card.number_matching || digits.length === 2;
  const say = (notMe: boolean) =>
    run(async () => {
      const said = await deny(id, notMe);
      if (notMe) disowned();
      reach(said);
    });
  return (
    <Stack gap="md">
      {card.number_matching && (
        <div className={classes.centre}>
          <Digits
            label={t('approvals.digits', { service: card.service.name })}
            value={digits}
            change={(value) => {
              setDigits(value);
              if (value !== '') clear();
            }}
          />
        </div>
      )}
      <Problem error={error} />
      {isProving && isReady ? (
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
              setProving(false);
              run(() => Promise.reject(failure));
            }
          }}
          cancel={() => setProving(false)}
        />
      ) : (
        <Stack gap="xs" ref={place}>
          <Button onClick={() => setProving(true)} disabled={!isReady || busy}>
            {t('approvals.approve')}
          </Button>
          <Button variant="default" onClick={() => say(true)} disabled={busy}>
            {t('approvals.deny.notMe')}
          </Button>
          <Text size="sm" c="dimmed" ta="center">
            {t('approvals.deny.notMe.text', { company })}
          </Text>
          <Button variant="subtle" color="gray" onClick={() => say(false)} disabled={busy}>
            {t('approvals.deny')}
          </Button>
        </Stack>
      )}
    </Stack>
  );
}

/** How many tries are left after wrong digits; undefined for every other failure. */
function triesLeft(error: unknown): number | undefined {
  if (!(error instanceof SymbolonError) || error.errorKey !== 'twofa.digits_wrong') return undefined;
  const { tries_left: left } = error.details;
  return typeof left === 'number' ? left : 1;
}
