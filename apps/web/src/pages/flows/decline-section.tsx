import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { ActButtons } from '../../parts/act-buttons.tsx';
import { Problem, useAct } from '../../parts/problem.tsx';
import { Section } from '../../parts/section.tsx';
import { pageFlows, type Run } from '../../platform/flows/runs.ts';
import { useInsideText } from '../../text/inside/index.tsx';

/** The way out of a run that goes on. */
export function DeclineSection({ run, done }: { run: Run; done: (run: Run) => Promise<void> }) {
  const { t } = useInsideText();
  const { busy, error, run: attempt } = useAct();
  const [isOpen, setOpen] = useState(false);
  if (run.status === 'completed' || run.status === 'cancelled') return null;
  const company = run.company.display_name;
  return (
    <Section title={t('flows.decline.title')} lead={t('flows.decline.lead', { company })}>
      {isOpen ? (
        <Stack gap="sm">
          <Text size="sm">{t('flows.decline.text', { company })}</Text>
          <Problem error={error} />
          <ActButtons
            color="red"
            label={t('flows.decline', { name: run.flow_name })}
            busy={busy}
            act={() => attempt(async () => done(await pageFlows().decline(run.id)))}
            cancel={() => setOpen(false)}
          />
        </Stack>
      ) : (
        <Group>
          <Button variant="default" onClick={() => setOpen(true)}>
            {t('flows.decline', { name: run.flow_name })}
          </Button>
        </Group>
      )}
    </Section>
  );
}
