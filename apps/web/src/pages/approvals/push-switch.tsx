import { Paper, Stack, Switch, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Problem, useAct } from '../../parts/problem.tsx';
import { type PushState, pushState, subscribe, unsubscribe } from '../../platform/push.ts';
import { useText } from '../../text/index.tsx';

/** Whether this device hears of requests while no page is open. */
export function PushSwitch() {
  const { t } = useText();
  const { busy, error, run } = useAct();
  const [state, setState] = useState<PushState>();
  useEffect(() => {
    run(async () => setState(await pushState()));
  }, [run]);
  if (state === undefined) return <Problem error={error} />;
  const isOn = state === 'on';
  const canSwitch = isOn || state === 'off' || state === 'refused';
  return (
    <Paper withBorder p="lg">
      <Stack gap="xs">
        <Switch
          checked={isOn}
          disabled={!canSwitch || busy}
          label={t('push.switch')}
          onChange={() => run(async () => setState(isOn ? await unsubscribe() : await subscribe()))}
        />
        <Text size="sm" c="dimmed">
          {t(`push.${state}`)}
        </Text>
        <Problem error={error} />
      </Stack>
    </Paper>
  );
}
