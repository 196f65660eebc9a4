import { Button } from '@mantine/core';
import { firstPicks, rowAsked } from '../../parts/answers/asked.ts';
import { Problem, useAct } from '../../parts/problem.tsx';
import { Section } from '../../parts/section.tsx';
import { decline, provide } from '../../platform/connections.ts';
import { useText } from '../../text/index.tsx';
import { Answering, type AnsweringProps } from './answering.tsx';

/** What the service has asked for since it was connected. */
export function ConsentSection(props: AnsweringProps) {
  const { connection, changed } = props;
  const { t, count } = useText();
  const { busy, error, run } = useAct();
  const { pending_consent: consent } = connection;
  if (consent === null) return null;
  const company = connection.company.display_name;
  const asked = consent.request_fields.map((row) => rowAsked(row, connection));
  return (
    <Section title={t('connections.asks', { company })} lead={t('connections.asks.text')}>
      <Answering
        key={consent.id}
        {...props}
        asked={asked}
        first={firstPicks(asked, props.fields)}
        label={(answers) =>
          answers === 0 ? t('connections.provide.none') : count('connections.provide', answers, { company })
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
    </Section>
  );
}
