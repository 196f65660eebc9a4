import { Alert, Button, Group, Text } from '@mantine/core';
import type { Webhook, WebhookTest } from '@symbolon/protocol';
import { IconRefresh, IconSend } from '@tabler/icons-react';
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

export type Acts = ReturnType<typeof useWebhookActs>;

/**
 * What can be done with a webhook: one that fails is tried, an example event is sent, it is paused, resumed, switched off and on, and
 * deleted.
 * @param deleted called when it has gone
 */
export function useWebhookActs(serviceId: string, webhook: Webhook, deleted?: () => void) {
  const { id, enabled, paused } = webhook;
  const { busy, error, run } = useAct();
  const [result, setResult] = useState<WebhookTest>();
  const [isTried, setIsTried] = useState(false);
  const [asked, setAsked] = useState<'off' | 'delete'>();
  const act = (does: () => Promise<unknown>) =>
    run(async () => {
      setIsTried(false);
      await does();
      await outdate(webhooksQuery(serviceId).key);
      setAsked(undefined);
    });
  return {
    webhook,
    busy,
    error,
    result,
    isTried,
    asked,
    setAsked,
    send: () =>
      run(async () => {
        setResult(undefined);
        setResult(await testWebhook(serviceId, id));
        await outdate(attemptsQuery(serviceId, id).key);
      }),
    tryNow: () =>
      act(async () => {
        await probeWebhook(serviceId, id);
        setIsTried(true);
      }),
    pause: () => act(() => changeWebhook(serviceId, id, { paused: !paused })),
    toggle: () => act(() => changeWebhook(serviceId, id, { enabled: !enabled })),
    remove: () =>
      deleted === undefined
        ? act(() => deleteWebhook(serviceId, id))
        : run(async () => {
            await deleteWebhook(serviceId, id);
            deleted();
          }),
  };
}

/** All of it in one row. */
export function WebhookActs({ serviceId, webhook }: { serviceId: string; webhook: Webhook }) {
  const acts = useWebhookActs(serviceId, webhook);
  return (
    <>
      <Group gap="xs">
        <TryButton {...acts} />
        <SendButton {...acts} />
        <PauseButton {...acts} />
        <ToggleButton {...acts} />
        <DeleteButton {...acts} />
      </Group>
      <WhatCame {...acts} />
    </>
  );
}

const named = (label: string, { url }: Webhook) => ({ 'aria-label': `${label}: ${url}`, children: label });

export function TryButton({ webhook, busy, tryNow }: Acts) {
  const { t } = usePortalText();
  if (stateOf(webhook) !== 'bad') return null;
  return (
    <Button
      size="sm"
      leftSection={<IconRefresh size={18} aria-hidden="true" />}
      disabled={busy}
      onClick={tryNow}
      {...named(t('webhook.tryNow'), webhook)}
    />
  );
}

export function SendButton({ webhook: { url }, busy, send }: Acts) {
  const { t } = usePortalText();
  return (
    <Button
      variant="default"
      size="sm"
      leftSection={<IconSend size={18} aria-hidden="true" />}
      loading={busy}
      aria-label={t('webhooks.test.name', { url })}
      onClick={send}
    >
      {t('webhooks.test')}
    </Button>
  );
}

/** One that is off holds nothing. */
export function PauseButton({ webhook, busy, pause }: Acts) {
  const { t } = usePortalText();
  if (!webhook.enabled) return null;
  return (
    <Button
      variant={webhook.paused ? 'filled' : 'default'}
      size="sm"
      disabled={busy}
      onClick={pause}
      {...named(t(webhook.paused ? 'webhooks.resume' : 'webhooks.pause'), webhook)}
    />
  );
}

export function ToggleButton({ webhook, busy, toggle, setAsked }: Acts) {
  const { t } = usePortalText();
  const { enabled } = webhook;
  return (
    <Button
      variant="default"
      size="sm"
      disabled={busy}
      onClick={enabled ? () => setAsked('off') : toggle}
      {...named(t(enabled ? 'webhooks.off' : 'webhooks.on'), webhook)}
    />
  );
}

export function DeleteButton({ webhook, busy, setAsked }: Acts) {
  const { t } = usePortalText();
  return (
    <Button
      variant="subtle"
      color="red"
      size="sm"
      disabled={busy}
      onClick={() => setAsked('delete')}
      {...named(t('webhooks.delete'), webhook)}
    />
  );
}

/** What became of the last act, and the question before it is switched off or deleted. */
export function WhatCame(acts: Acts) {
  const { error, result, isTried, asked } = acts;
  const { t } = usePortalText();
  return (
    <>
      {asked === undefined && <Problem error={error} />}
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
      {asked !== undefined && <AskFirst {...acts} asked={asked} />}
    </>
  );
}

/** What is lost by it stands there before the click. */
function AskFirst({
  webhook,
  busy,
  error,
  asked,
  setAsked,
  toggle,
  remove,
}: Acts & { asked: 'off' | 'delete' }) {
  const { t } = usePortalText();
  const close = () => setAsked(undefined);
  return (
    <Question title={t(`webhooks.${asked}.title`)} close={close}>
      <Text size="sm">{t(`webhooks.${asked}.text`, { count: webhook.backlog })}</Text>
      <Problem error={error} />
      <ActButtons
        label={t(`webhooks.${asked}`)}
        busy={busy}
        color="red"
        act={asked === 'off' ? toggle : remove}
        cancel={close}
      />
    </Question>
  );
}
