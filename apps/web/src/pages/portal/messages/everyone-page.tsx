import { Button, Stack, Text, Textarea } from '@mantine/core';
import type { SentBroadcastList, Service } from '@symbolon/protocol';
import { limits } from '@symbolon/protocol/constants';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ActButtons } from '../../../parts/act-buttons.tsx';
import { Loaded, LoadedList } from '../../../parts/loaded.tsx';
import { marksOf, NewerOlder } from '../../../parts/portal/pager.tsx';
import { PortalPage, usePortalLogin } from '../../../parts/portal/portal-page.tsx';
import { Question } from '../../../parts/portal/question.tsx';
import { SameByApi } from '../../../parts/portal/same-by-api.tsx';
import { ServicePage } from '../../../parts/portal/service-page.tsx';
import { useKeptForm } from '../../../parts/portal/use-kept-form.ts';
import { Problem, useAct } from '../../../parts/problem.tsx';
import { When } from '../../../parts/when.tsx';
import { broadcastsQuery, sendToEveryone } from '../../../platform/portal/broadcasts.ts';
import { sameCalls } from '../../../platform/portal/same-calls.ts';
import { mayAs } from '../../../platform/portal/session.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Group } from '../../../ui/group.tsx';
import { List, Row } from '../../../ui/list.tsx';
import { BackLink } from '../../../ui/page.tsx';

const HERE = '/portal/messages/everyone';

export function EveryonePage() {
  return (
    <PortalPage>
      <OfServices />
    </PortalPage>
  );
}

/** What a service writes to all its people. The page of the list stands in the address, too. */
function OfServices() {
  const { t } = usePortalText();
  const { service: wanted, way } = useSearch({ from: HERE });
  const navigate = useNavigate();
  return (
    <ServicePage
      title={t('everyone.title')}
      lead={t('everyone.lead')}
      wanted={wanted}
      back={(service) => (
        <BackLink to="/portal/messages" search={{ service }}>
          {t('inbox.all')}
        </BackLink>
      )}
      choose={(service) => navigate({ to: HERE, search: { service }, replace: true })}
    >
      {(service) => (
        <>
          <OfService key={service.id} service={service} way={way} />
          <SameByApi {...sameCalls.everyone(service.id)} />
        </>
      )}
    </ServicePage>
  );
}

function OfService({ service, way }: { service: Service; way: string | undefined }) {
  const { t } = usePortalText();
  const navigate = useNavigate();
  const { before, ways } = marksOf(way, (next) =>
    navigate({ to: HERE, search: { service: service.id, way: next } }),
  );
  const sent = useRead(broadcastsQuery(service.id, before));
  const may = mayAs(usePortalLogin(), 'admin');
  return (
    <>
      <Loaded of={sent} height={200}>
        {(found) =>
          may ? <Writing service={service} found={found} /> : <Text>{t('everyone.adminsOnly')}</Text>
        }
      </Loaded>
      <Group title={t('everyone.sent')}>
        <LoadedList
          of={{ ...sent, found: sent.found?.broadcasts }}
          none={t('everyone.none')}
          noneText={t('everyone.none.text')}
        >
          {(rows) => (
            <List label={t('everyone.sent')}>
              {rows.map(({ broadcast_id: id, body, created_at: at }) => (
                <Row key={id} title={body} detail={<When at={at} />} />
              ))}
            </List>
          )}
        </LoadedList>
        <NewerOlder {...ways(sent.found?.next)} />
      </Group>
    </>
  );
}

/** It goes to everyone at once and cannot be taken back: how many that are is said before. */
function Writing({ service, found }: { service: Service; found: SentBroadcastList }) {
  const { t, count } = usePortalText();
  const { busy, error, run } = useAct();
  const { value, change, drop } = useKeptForm(`everyone.${service.id}`, () => ({ body: '' }));
  const [isAsked, setIsAsked] = useState(false);
  const [reached, setReached] = useState<number>();
  const { recipients, most } = found;
  const isTooMany = most !== null && recipients > most;
  const ask = (event: FormEvent) => {
    event.preventDefault();
    setReached(undefined);
    setIsAsked(true);
  };
  const send = () =>
    run(async () => {
      const sent = await sendToEveryone(service.id, value.body);
      drop();
      change({ body: '' });
      setIsAsked(false);
      setReached(sent.recipients);
    });
  return (
    <form onSubmit={ask}>
      <Stack>
        <Textarea
          label={t('everyone.text')}
          description={t('everyone.text.hint')}
          autoComplete="off"
          autosize
          minRows={4}
          maxRows={12}
          maxLength={limits.broadcastTextMost}
          value={value.body}
          onChange={(event) => change({ body: event.currentTarget.value })}
        />
        {isTooMany && <Text size="sm">{t('everyone.tooMany', { most })}</Text>}
        <Button type="submit" disabled={value.body.trim() === '' || recipients === 0 || isTooMany}>
          {count('everyone.send', recipients)}
        </Button>
        {recipients === 0 && <Text size="sm">{t('everyone.nobody')}</Text>}
        <Text size="sm" role="status">
          {reached !== undefined && count('everyone.reached', reached)}
        </Text>
      </Stack>
      {isAsked && (
        <Question title={count('everyone.ask', recipients)} close={() => setIsAsked(false)}>
          <Text size="sm">{t('everyone.ask.text')}</Text>
          <Problem error={error} />
          <ActButtons
            label={t('everyone.ask.send')}
            busy={busy}
            act={send}
            cancel={() => setIsAsked(false)}
          />
        </Question>
      )}
    </form>
  );
}
