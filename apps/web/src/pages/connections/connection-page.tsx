import { Group, Paper, Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useOpenFields } from '../../parts/answers/use-open-fields.ts';
import { PageTitle } from '../../parts/frame.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { MeFrame } from '../../parts/me-frame.tsx';
import { Section } from '../../parts/section.tsx';
import { TextLink } from '../../parts/text-link.tsx';
import { When } from '../../parts/when.tsx';
import { type Connection, connectionQuery } from '../../platform/connections.ts';
import { useRead } from '../../platform/read.ts';
import { shownValue } from '../../platform/shown-value.ts';
import { refreshWaiting } from '../../platform/waiting.ts';
import { useText } from '../../text/index.tsx';
import { ConsentSection } from './consent-section.tsx';
import { DisconnectSection } from './disconnect-section.tsx';
import { SharedSection } from './shared-section.tsx';

const route = getRouteApi('/me/connections/$connectionId');

/** One connection: what the service gets, what it asks for, and how to end it. */
export function ConnectionPage() {
  const { connectionId } = route.useParams();
  return (
    <MeFrame>
      <One key={connectionId} id={connectionId} />
    </MeFrame>
  );
}

function One({ id }: { id: string }) {
  const { t } = useText();
  const [hasEnded, setEnded] = useState(false);
  const read = useRead(connectionQuery(id));
  const { found } = read;
  const back = (
    <Text size="sm">
      <TextLink to="/me/connections">{t('connections.all')}</TextLink>
    </Text>
  );
  if (found !== undefined && hasEnded)
    return (
      <Stack gap="lg">
        {back}
        <PageTitle>{t('connections.ended', { company: found.company.display_name })}</PageTitle>
        <Text c="dimmed">{t('connections.ended.text', { company: found.company.display_name })}</Text>
      </Stack>
    );
  return (
    <Stack gap="lg">
      {back}
      <PageTitle>{found?.company.display_name ?? t('connections.title')}</PageTitle>
      <Loaded of={read} height={240}>
        {(shown) => (
          <>
            <Head connection={shown} />
            <Answers
              connection={shown}
              changed={(next) => {
                read.change(() => next);
                refreshWaiting();
              }}
            />
            <DisconnectSection connection={shown} ended={() => setEnded(true)} />
          </>
        )}
      </Loaded>
    </Stack>
  );
}

function Head({ connection }: { connection: Connection }) {
  const { t } = useText();
  const { connection_id: connectionId, company, service, connected_at: since } = connection;
  return (
    <Paper component="section" aria-label={t('connections.with')} withBorder p="lg">
      <Stack gap={6}>
        <Text>{t('consent.service', { service: service.name })}</Text>
        <Text size="sm" c="dimmed">
          {t('consent.company', { company: company.display_name, code: company.company_code })} ·{' '}
          {t('connections.since')} <When at={since} />
        </Text>
        <Group gap="md">
          <TextLink size="sm" to="/me/messages/$connectionId" params={{ connectionId }}>
            {t('requests.write', { company: company.display_name })}
          </TextLink>
          <TextLink size="sm" to="/me/documents" search={{ q: company.display_name }}>
            {t('connections.documents', { company: company.display_name })}
          </TextLink>
        </Group>
      </Stack>
    </Paper>
  );
}

type AnswersProps = { connection: Connection; changed: (next: Connection) => void };

/** What both sides give each other. */
function Answers(props: AnswersProps) {
  const { connection } = props;
  const { t, language } = useText();
  const { added, ...open } = useOpenFields();
  const company = connection.company.display_name;
  return (
    <>
      <Loaded of={open} height={180}>
        {(fields) => (
          <>
            <ConsentSection {...props} fields={fields} added={added} />
            <SharedSection {...props} fields={fields} added={added} />
          </>
        )}
      </Loaded>
      {connection.shared.length > 0 && (
        <Section title={t('connections.theirs', { company })} lead={t('connections.theirs.text')}>
          {connection.shared.map(({ slug, label, type, value }) => (
            <div key={slug}>
              <Text size="sm" c="dimmed">
                {label}
              </Text>
              <Text style={{ overflowWrap: 'anywhere' }}>
                {shownValue(value, open.found?.types.resolved.get(type), language)}
              </Text>
            </div>
          ))}
        </Section>
      )}
    </>
  );
}
