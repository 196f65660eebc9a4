import { Button, Stack, Text } from '@mantine/core';
import { IconListCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { firstPicks, rowAsked } from '../../parts/answers/asked.ts';
import { useFieldLabel } from '../../parts/field-label.ts';
import { Problem, useAct } from '../../parts/problem.tsx';
import { decline, provide } from '../../platform/connections.ts';
import { useInsideText } from '../../text/inside/index.tsx';
import { IconTile } from '../../ui/icon.tsx';
import { List, RowButton } from '../../ui/list.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { Status } from '../../ui/status.tsx';
import { Answering, type AnsweringProps } from './answering.tsx';

/** What the service has asked for since it was connected. */
export function ConsentSection(props: AnsweringProps) {
  const { connection, fields, changed } = props;
  const { t, count } = useInsideText();
  const labelOf = useFieldLabel();
  const { busy, error, run } = useAct();
  const [isOpen, setOpen] = useState(false);
  const { pending_consent: consent } = connection;
  if (consent === null) return null;
  const company = connection.company.display_name;
  const asked = consent.request_fields.map((row) => rowAsked(row, connection));
  const names = asked.map((each) => labelOf.asked(each, fields.types));
  return (
    <>
      <List label={t('connections.asks', { company })}>
        <RowButton
          onClick={() => setOpen(true)}
          leading={<IconTile icon={IconListCheck} tone="accent" />}
          title={t('connections.asks', { company })}
          detail={names.join(', ')}
          trailing={<Status tone="accent">{t('companies.answer')}</Status>}
        />
      </List>
      <Sheet
        title={t('connections.asks', { company })}
        opened={isOpen}
        close={() => setOpen(false)}
        closeLabel={t('app.close')}
      >
        <Stack>
          <Text size="sm" c="dimmed">
            {t('connections.asks.text')}
          </Text>
          <Answering
            key={consent.id}
            {...props}
            about={consent.id}
            asked={asked}
            first={firstPicks(asked, fields)}
            label={(answers) =>
              answers === 0
                ? t('connections.provide.none')
                : count('connections.provide', answers, { company })
            }
            share={(personId, rows) => provide(personId, consent.id, connection, rows)}
          >
            <Button
              variant="default"
              loading={busy}
              onClick={() => run(async () => changed(await decline(consent.id)))}
            >
              {t('consent.decline')}
            </Button>
            <Problem error={error} />
          </Answering>
        </Stack>
      </Sheet>
    </>
  );
}
