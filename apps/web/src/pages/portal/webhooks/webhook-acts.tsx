import { Alert, Button, Group, Text } from '@mantine/core';
import type { Webhook, WebhookTest } from '@symbolon/protocol';
import { useState } from 'react';
import { ActButtons } from '../../../parts/act-buttons.tsx';
import { Question } from '../../../parts/portal/question.tsx';
import { Problem, useAct } from '../../../parts/problem.tsx';
import {
  attemptsQuery,
  changeWebhook,
  deleteWebhook,
  probeWebhook,
  testWebhook,
  webhooksQuery,
} from '../../../platform/portal/webhooks.ts';
import { outdate } from '../../../platform/queries.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { stateOf } from './state.ts';

/** Tries one that fails, sends an example event and says what became of it; pauses, resumes and deletes. */
export function WebhookActs({
  serviceId,
  webhook,
  deleted,
}: {
  serviceId: string;
  webhook: Webhook;
  /** Called when it has gone. */
  deleted?: () => void;
}) {
  const { t } = usePortalText();
  const { id, enabled, backlog } = webhook;
  const { busy, error, run } = useAct();
  const [result, setResult] = useState<WebhookTest>();
  const [isTried, setIsTried] = useState(false);
  const [isDeleting, setIsDeleting] = useState(false);
  const send = () =>
    run(async () => {
      setResult(undefined);
      setResult(await testWebhook(serviceId, id));
      await outdate(attemptsQuery(serviceId, id).key);
    });
  const act = (does: () => Promise<unknown>) =>
    run(async () => {
      setIsTried(false);
      await does();
      await outdate(webhooksQuery(serviceId).key);
      setIsDeleting(false);
    });
  const tryNow = () =>
    act(async () => {
      await probeWebhook(serviceId, id);
      setIsTried(true);
    });
  const remove = () =>
    deleted === undefined
      ? act(() => deleteWebhook(serviceId, id))
      : run(async () => {
          await deleteWebhook(serviceId, id);
          deleted();
        });
  return (
    <>
      <ActRow
        webhook={webhook}
        busy={busy}
        tryNow={tryNow}
        send={send}
        toggle={() => act(() => changeWebhook(serviceId, id, { enabled: !enabled }))}
        remove={() => setIsDeleting(true)}
      />
      {!isDeleting && <Problem error={error} />}
      {result !== undefined && (
        <Alert role="status" variant="light" color={result.delivered ? 'teal' : 'red'}>
          {result.delivered
            ? t('webhooks.test.delivered', { ms: result.duration_ms })
            : t('webhooks.test.failed', { reason: result.reason ?? '' })}
        </Alert>
      )}
      {isTried && (
        <Alert role="status" variant="light">
          {t('webhook.tried')}
        </Alert>
      )}
      {isDeleting && (
        <Question title={t('webhooks.delete.title')} close={() => setIsDeleting(false)}>
          <Text size="sm">{t('webhooks.delete.text', { count: backlog })}</Text>
          <Problem error={error} />
          <ActButtons
            label={t('webhooks.delete')}
            busy={busy}
            color="red"
            act={remove}
            cancel={() => setIsDeleting(false)}
          />
        </Question>
      )}
    </>
  );
}

function ActRow(props: {
  webhook: Webhook;
  busy: boolean;
  tryNow: () => void;
  send: () => void;
  toggle: () => void;
  remove: () => void;
}) {
  const { webhook, busy, tryNow, send, toggle, remove } = props;
  const { t } = usePortalText();
  const { url, enabled } = webhook;
  const named = (label: string) => ({ 'aria-label': `${label}: ${url}`, children: label });
  return (
    <Group gap="xs">
      {stateOf(webhook) === 'bad' && (
        <Button size="sm" disabled={busy} onClick={tryNow} {...named(t('webhook.tryNow'))} />
      )}
      <Button
        variant="default"
        size="sm"
        loading={busy}
        aria-label={t('webhooks.test.name', { url })}
        onClick={send}
      >
        {t('webhooks.test')}
      </Button>
      <Button
        variant="default"
        size="sm"
        disabled={busy}
        onClick={toggle}
        {...named(t(enabled ? 'webhooks.pause' : 'webhooks.resume'))}
      />
      <Button
        variant="subtle"
        color="red"
        size="sm"
        disabled={busy}
        onClick={remove}
        {...named(t('webhooks.delete'))}
      />
    </Group>
  );
}
