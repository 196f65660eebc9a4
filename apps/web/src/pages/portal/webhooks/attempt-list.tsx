import { Group as Beside, SegmentedControl, Stack, Text, UnstyledButton } from '@mantine/core';
import type { WebhookAttempt } from '@symbolon/protocol';
import { IconChevronDown } from '@tabler/icons-react';
import { CopyButton } from '../../../parts/copy-button.tsx';
import { usePortalText } from '../../../text/portal/index.tsx';
import { CodeBlock } from '../../../ui/code.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { Group } from '../../../ui/group.tsx';
import { List } from '../../../ui/list.tsx';
import { Status } from '../../../ui/status.tsx';
import classes from './attempt-list.module.css';
import type { Shown, ShownAttempts } from './shown.ts';
import { detailOf } from './state.ts';

const IS_SHOWN: Readonly<Record<Shown, (attempt: WebhookAttempt) => boolean>> = {
  all: () => true,
  failed: ({ delivered }) => !delivered,
  tests: ({ test }) => test,
};

/** The latest attempts of a webhook. One of them is unfolded. */
export function AttemptList({
  attempts,
  shown: { only = 'all', attempt },
  show,
}: {
  attempts: readonly WebhookAttempt[];
  shown: ShownAttempts;
  show: (next: ShownAttempts) => void;
}) {
  const { t } = usePortalText();
  const rows = attempts.filter(IS_SHOWN[only]);
  return (
    <Group
      title={t('webhook.attempts')}
      lead={t('webhook.attempts.lead')}
      aside={
        <SegmentedControl
          size="sm"
          aria-label={t('webhook.show')}
          value={only}
          onChange={(chosen) => show({ only: chosen as Shown })}
          data={[
            { value: 'all', label: t('webhook.show.all') },
            { value: 'failed', label: t('webhook.show.failed') },
            { value: 'tests', label: t('webhook.show.tests') },
          ]}
        />
      }
    >
      {attempts.length === 0 && <Empty title={t('webhook.none')}>{t('webhook.none.text')}</Empty>}
      {attempts.length > 0 && rows.length === 0 && (
        <Empty title={t('webhook.none.shown')}>{t('webhook.none.shown.text')}</Empty>
      )}
      {rows.length > 0 && (
        <List label={t('webhook.attempts')}>
          {rows.map((each) => (
            <Attempt
              key={each.id}
              attempt={each}
              isOpen={each.id === attempt}
              toggle={() => show({ only, attempt: each.id === attempt ? undefined : each.id })}
            />
          ))}
        </List>
      )}
    </Group>
  );
}

function Attempt(props: { attempt: WebhookAttempt; isOpen: boolean; toggle: () => void }) {
  const { t, language } = usePortalText();
  const { attempt, isOpen, toggle } = props;
  const { id, at, event, test, delivered, status, duration_ms: ms } = attempt;
  const exact = new Intl.DateTimeFormat(language, { dateStyle: 'short', timeStyle: 'medium' });
  return (
    <li className={classes.item}>
      <UnstyledButton
        className={classes.row ?? ''}
        aria-expanded={isOpen}
        {...(isOpen && { 'aria-controls': id })}
        onClick={toggle}
      >
        <time className={classes.when} dateTime={at}>
          {exact.format(new Date(at))}
        </time>
        <span className={classes.event}>
          {event}
          {test && ` · ${t('webhook.example')}`}
        </span>
        <Status tone={delivered ? 'good' : 'bad'}>{status ?? t('webhook.noAnswer')}</Status>
        <span className={classes.time}>{t('webhook.ms', { ms })}</span>
        <IconChevronDown size={18} className={classes.chevron} aria-hidden="true" />
      </UnstyledButton>
      {isOpen && <Details {...attempt} />}
    </li>
  );
}

function Details({ id, event_id: eventId, answer, ...attempt }: WebhookAttempt) {
  const { t } = usePortalText();
  return (
    <Stack id={id} gap="sm" className={classes.panel}>
      <Text size="sm">{useSentence(attempt)}</Text>
      {answer !== null && answer !== '' && (
        <CodeBlock label={t('webhook.attempt.answer')}>{answer}</CodeBlock>
      )}
      {answer === '' && (
        <Text size="sm" c="dimmed">
          {t('webhook.attempt.empty')}
        </Text>
      )}
      <Beside gap="sm">
        <Text size="sm" c="dimmed">
          {t('webhook.attempt.id')}: <span className={classes.event}>{eventId}</span>
        </Text>
        <CopyButton value={eventId} label={t('webhook.attempt.copy')} />
      </Beside>
    </Stack>
  );
}

/** What became of it, in words. */
function useSentence(attempt: Pick<WebhookAttempt, 'status' | 'kind' | 'reason' | 'duration_ms'>): string {
  const { t } = usePortalText();
  const { status, kind, reason, duration_ms: ms } = attempt;
  if (kind === null) return t('webhook.attempt.arrived', { ms });
  if (status !== null) return t('webhook.attempt.status', { status, ms });
  const detail = detailOf({ kind, reason: reason ?? '' });
  const words = t(`webhooks.failure.${kind}`, { status: '' });
  return t('webhook.attempt.none', { ms, reason: detail === undefined ? words : `${words} (${detail})` });
}
