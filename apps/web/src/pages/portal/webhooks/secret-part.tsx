import { Group as Beside, Button, NativeSelect, Stack, Text } from '@mantine/core';
import type { Webhook } from '@symbolon/protocol';
import { useState } from 'react';
import { ActButtons } from '../../../parts/act-buttons.tsx';
import { Question } from '../../../parts/portal/question.tsx';
import { Problem, useAct } from '../../../parts/problem.tsx';
import { When } from '../../../parts/when.tsx';
import {
  endPreviousSecret,
  regenerateSecret,
  webhookQuery,
  webhooksQuery,
} from '../../../platform/portal/webhooks.ts';
import { outdate } from '../../../platform/queries.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Group } from '../../../ui/group.tsx';
import { WebhookSecret } from './webhook-secret.tsx';

/** Hours for which two secrets hold, and the text of each choice. */
const OVERLAPS = [
  [24, 'webhook.secret.overlap.day'],
  [72, 'webhook.secret.overlap.days'],
  [168, 'webhook.secret.overlap.week'],
  [0, 'webhook.secret.overlap.none'],
] as const;

/** The HMAC secret of a webhook: renewed while the one before it holds, and that one ended. */
export function SecretPart({ serviceId, webhook }: { serviceId: string; webhook: Webhook }) {
  const { t } = usePortalText();
  const { id, hmac_secret: masked, previous_secret_until: until } = webhook;
  const { busy, error, run } = useAct();
  const [asked, setAsked] = useState<'renew' | 'end'>();
  const [hours, setHours] = useState<number>(OVERLAPS[0][0]);
  const [made, setMade] = useState<string>();
  const act = (does: () => Promise<unknown>) =>
    run(async () => {
      await does();
      await Promise.all([outdate(webhookQuery(serviceId, id).key), outdate(webhooksQuery(serviceId).key)]);
      setAsked(undefined);
    });
  const renew = () =>
    act(async () => {
      const { hmac_secret_once: secret } = await regenerateSecret(serviceId, id, hours);
      setMade(secret);
    });
  return (
    <Group title={t('webhook.secret')} lead={t('webhook.secret.lead')}>
      <Stack gap="sm">
        <Text size="sm">
          {t('webhook.secret.now')}{' '}
          <Text span ff="monospace">
            {masked}
          </Text>
        </Text>
        {until !== undefined && (
          <Text size="sm">
            {t('webhook.secret.until')} <When at={until} />.
          </Text>
        )}
        <Beside gap="xs">
          {until === undefined ? (
            <Button variant="default" size="sm" onClick={() => setAsked('renew')}>
              {t('webhook.secret.renew')}
            </Button>
          ) : (
            <Button variant="default" size="sm" onClick={() => setAsked('end')}>
              {t('webhook.secret.end')}
            </Button>
          )}
        </Beside>
      </Stack>
      {asked === 'renew' && (
        <Question title={t('webhook.secret.renew')} close={() => setAsked(undefined)}>
          <Overlap hours={hours} choose={setHours} />
          <Problem error={error} />
          <ActButtons
            label={t('webhook.secret.renew')}
            busy={busy}
            act={renew}
            cancel={() => setAsked(undefined)}
          />
        </Question>
      )}
      {asked === 'end' && (
        <Question title={t('webhook.secret.end.title')} close={() => setAsked(undefined)}>
          <Text size="sm">{t('webhook.secret.end.text')}</Text>
          <Problem error={error} />
          <ActButtons
            label={t('webhook.secret.end')}
            busy={busy}
            color="red"
            act={() => act(() => endPreviousSecret(serviceId, id))}
            cancel={() => setAsked(undefined)}
          />
        </Question>
      )}
      {made !== undefined && (
        <WebhookSecret lead={t('webhook.secret.made')} secret={made} close={() => setMade(undefined)} />
      )}
    </Group>
  );
}

/** How long the former secret holds beside the new one. */
function Overlap({ hours, choose }: { hours: number; choose: (hours: number) => void }) {
  const { t } = usePortalText();
  return (
    <NativeSelect
      autoComplete="off"
      label={t('webhook.secret.overlap')}
      description={t('webhook.secret.overlap.hint')}
      value={String(hours)}
      data={OVERLAPS.map(([value, key]) => ({ value: String(value), label: t(key) }))}
      onChange={(event) => choose(Number(event.currentTarget.value))}
    />
  );
}
