import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import type { Service } from '@symbolon/protocol';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { EndlessList } from '../../../parts/portal/endless-list.tsx';
import { OneByOne, useOneByOne } from '../../../parts/portal/one-by-one.tsx';
import { PortalPage, usePortalLogin } from '../../../parts/portal/portal-page.tsx';
import { SameByApi } from '../../../parts/portal/same-by-api.tsx';
import { ServicePage } from '../../../parts/portal/service-page.tsx';
import { useKeptForm } from '../../../parts/portal/use-kept-form.ts';
import { Section } from '../../../parts/section.tsx';
import { When } from '../../../parts/when.tsx';
import { askedSoFar, askToConnect, type Codes, codesIn } from '../../../platform/portal/connect-requests.ts';
import { portalKeys } from '../../../platform/portal/keys.ts';
import { sameCalls } from '../../../platform/portal/same-calls.ts';
import { mayAs } from '../../../platform/portal/session.ts';
import { outdate } from '../../../platform/queries.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { BackLink } from '../../../ui/page.tsx';
import { Status } from '../../../ui/status.tsx';

const HERE = '/portal/customers/asking';
/** Of what is typed: some thousands of codes. */
const TEXT_MOST = 50_000;
const TONES = { open: 'accent', accepted: 'good', rejected: 'neutral' } as const;

export function AskingPage() {
  return (
    <PortalPage>
      <OfServices />
    </PortalPage>
  );
}

/** Whom a service asks to connect. */
function OfServices() {
  const { t } = usePortalText();
  const { service: wanted } = useSearch({ from: HERE });
  const navigate = useNavigate();
  return (
    <ServicePage
      title={t('asking.title')}
      lead={t('asking.lead')}
      wanted={wanted}
      back={(service) => (
        <BackLink to="/portal/customers" search={{ service }}>
          {t('customers.title')}
        </BackLink>
      )}
      choose={(service) => navigate({ to: HERE, search: { service }, replace: true })}
    >
      {(service) => (
        <>
          <OfService key={service.id} service={service} />
          <SameByApi {...sameCalls.asking(service.id)} />
        </>
      )}
    </ServicePage>
  );
}

function OfService({ service: { id, audience } }: { service: Service }) {
  const { t } = usePortalText();
  const may = mayAs(usePortalLogin(), 'support');
  if (audience === 'company') return <Text>{t('asking.companies')}</Text>;
  return (
    <>
      {may && <Asking serviceId={id} />}
      <Asked serviceId={id} />
    </>
  );
}

function Asking({ serviceId }: { serviceId: string }) {
  const { t, count } = usePortalText();
  const { value, change, drop } = useKeptForm(`asking.${serviceId}`, () => ({ text: '' }));
  const { work, start, drop: close } = useOneByOne<string>();
  const found = codesIn(value.text);
  const ask = async (codes: readonly string[], before = 0) => {
    await start(codes, (code) => askToConnect(serviceId, code), before);
    await outdate(portalKeys.connectRequests(serviceId));
  };
  if (work !== undefined) {
    const more = () => {
      drop();
      change({ text: '' });
      close();
    };
    return (
      <OneByOne
        work={work}
        words="asking"
        retry={ask}
        nameOf={(code) => ({ key: code, name: code })}
        onward={
          <Group>
            <Button variant="default" size="sm" onClick={more}>
              {t('asking.more')}
            </Button>
          </Group>
        }
      />
    );
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void ask(found.codes);
  };
  return (
    <Section title={t('asking.ask')}>
      <form onSubmit={submit}>
        <Stack>
          <Textarea
            label={t('asking.codes')}
            description={t('asking.codes.hint')}
            autoComplete="off"
            spellCheck={false}
            autosize
            minRows={3}
            maxRows={12}
            maxLength={TEXT_MOST}
            value={value.text}
            onChange={({ currentTarget: { value: text } }) => change({ text })}
          />
          <Preview {...found} />
          <Group>
            <Button type="submit" disabled={found.codes.length === 0}>
              {count('asking.button', found.codes.length)}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

/** What will be asked, before anybody is. */
function Preview({ codes, repeated, others }: Codes) {
  const { t, count, language } = usePortalText();
  const list = new Intl.ListFormat(language);
  const shown = others.slice(0, 20);
  return (
    <Text size="sm" role="status">
      {codes.length > 0 && t('asking.willAsk', { codes: list.format(codes.slice(0, 20)) })}{' '}
      {codes.length > 20 && count('asking.andMore', codes.length - 20)}{' '}
      {repeated > 0 && count('asking.repeated', repeated)}{' '}
      {shown.length > 0 && t('asking.others', { words: list.format(shown) })}
    </Text>
  );
}

/** Whom it asked in the last 30 days, and what became of it. */
function Asked({ serviceId }: { serviceId: string }) {
  const { t, count } = usePortalText();
  return (
    <Section title={t('asking.asked')} lead={t('asking.asked.lead')}>
      <EndlessList
        label={t('asking.table')}
        list={askedSoFar(serviceId)}
        columns={[
          { key: 'code', title: t('customers.code'), cell: (row) => row.share_code },
          {
            key: 'state',
            title: t('flows.state'),
            cell: ({ state }) => <Status tone={TONES[state]}>{t(`asking.state.${state}`)}</Status>,
          },
          { key: 'since', title: t('asking.since'), cell: (row) => <When at={row.created_at} /> },
          {
            key: 'until',
            title: t('asking.until'),
            wide: true,
            cell: (row) => row.state === 'open' && <When at={row.expires_at} />,
          },
        ]}
        none={t('asking.none')}
        noneText={t('asking.none.text')}
        told={(rows, hasMore) => count(hasMore ? 'asking.soFar' : 'asking.count', rows)}
        csv={(rows) => ({
          name: 'connect-requests',
          heads: ['request_id', 'share_code', 'state', 'created_at', 'expires_at'],
          rows: rows.map((row) => [
            ...[row.request_id, row.share_code, row.state, row.created_at, row.expires_at],
          ]),
        })}
      />
    </Section>
  );
}
