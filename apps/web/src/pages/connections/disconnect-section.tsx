import { Button, Group, List, Stack } from '@mantine/core';
import { useState } from 'react';
import { ActButtons } from '../../parts/act-buttons.tsx';
import { Problem, useAct } from '../../parts/problem.tsx';
import { Section } from '../../parts/section.tsx';
import { type Connection, disconnect } from '../../platform/connections.ts';
import { useText } from '../../text/index.tsx';

const WHAT_HAPPENS = [
  'disconnect.answers',
  'disconnect.messages',
  'disconnect.documents',
  'disconnect.contracts',
  'disconnect.again',
] as const;

/** Ends the connection, once the person has read what happens then. */
export function DisconnectSection({ connection, ended }: { connection: Connection; ended: () => void }) {
  const { t } = useText();
  const { busy, error, run, clear } = useAct();
  const [isOpen, setOpen] = useState(false);
  const company = connection.company.display_name;
  return (
    <Section title={t('disconnect.title')} lead={t('disconnect.lead', { company })}>
      {isOpen ? (
        <Stack>
          <List size="sm">
            {WHAT_HAPPENS.map((key) => (
              <List.Item key={key}>{t(key, { company })}</List.Item>
            ))}
          </List>
          <Problem error={error} />
          <ActButtons
            color="red"
            label={t('disconnect.confirm', { company })}
            busy={busy}
            act={() =>
              run(async () => {
                await disconnect(connection);
                ended();
              })
            }
            cancel={() => {
              clear();
              setOpen(false);
            }}
          />
        </Stack>
      ) : (
        <Group>
          <Button variant="default" onClick={() => setOpen(true)}>
            {t('disconnect.open', { company })}
          </Button>
        </Group>
      )}
    </Section>
  );
}
