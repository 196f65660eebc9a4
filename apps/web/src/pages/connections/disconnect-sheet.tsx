import { List, Stack, Text } from '@mantine/core';
import { ActButtons } from '../../parts/act-buttons.tsx';
import { Problem, useAct } from '../../parts/problem.tsx';
import { type Connection, disconnect } from '../../platform/connections.ts';
import { useInsideText } from '../../text/inside/index.tsx';
import { Sheet } from '../../ui/sheet.tsx';

const WHAT_HAPPENS = [
  'disconnect.answers',
  'disconnect.messages',
  'disconnect.documents',
  'disconnect.contracts',
  'disconnect.again',
] as const;

/** Ends the connection, once the person has read what happens then. */
export function DisconnectSheet(props: {
  connection: Connection;
  opened: boolean;
  close: () => void;
  ended: () => void;
}) {
  const { connection, opened, close, ended } = props;
  const { t } = useInsideText();
  const { busy, error, run, clear } = useAct();
  const company = connection.company.display_name;
  const stop = () => {
    clear();
    close();
  };
  return (
    <Sheet title={t('disconnect.title')} opened={opened} close={stop} closeLabel={t('app.close')}>
      <Stack>
        <Text>{t('disconnect.lead', { company })}</Text>
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
          cancel={stop}
        />
      </Stack>
    </Sheet>
  );
}
