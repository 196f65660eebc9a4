import { Stack, Switch, Text } from '@mantine/core';
import { Problem, useAct } from '../../parts/problem.tsx';
import { pushQuery, subscribe, unsubscribe } from '../../platform/push.ts';
import { useRead } from '../../platform/read.ts';
import { useInsideText } from '../../text/inside/index.tsx';

/** Whether this device hears of requests while no page is open. */
export function PushSwitch() {
  const { t } = useInsideText();
  const { busy, error, run } = useAct();
  const { found: state, error: unread, change } = useRead(pushQuery);
  if (state === undefined) return <Problem error={unread} />;
  const flip = async () => {
    const next = await (state === 'on' ? unsubscribe() : subscribe());
    change(() => next);
  };
  const isOn = state === 'on';
  const canSwitch = isOn || state === 'off' || state === 'refused';
  return (
    <Stack gap="xs">
      <Switch
        checked={isOn}
        disabled={!canSwitch || busy}
        label={t('push.switch')}
        onChange={() => run(flip)}
      />
      <Text size="sm" c="dimmed">
        {t(`push.${state}`)}
      </Text>
      <Problem error={error} />
    </Stack>
  );
}
