import { Button, Stack, Text } from '@mantine/core';
import type { PersonConnection } from '@symbolon/protocol';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { CompanyAvatar } from '../../parts/company-avatar.tsx';
import { Connecting } from '../../parts/connecting.tsx';
import { useFocusWhenLost } from '../../parts/focus.ts';
import { LinkButton } from '../../parts/link-button.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { MeFrame } from '../../parts/me-frame.tsx';
import { Problem, useAct } from '../../parts/problem.tsx';
import { When } from '../../parts/when.tsx';
import { keys, outdate } from '../../platform/queries.ts';
import { useRead } from '../../platform/read.ts';
import {
  accept,
  askingQuery,
  block,
  type ConnectRequest,
  codesOf,
  reject,
  unblock,
} from '../../platform/requests.ts';
import { useSession } from '../../platform/session.ts';
import { offerUndo } from '../../platform/undo.ts';
import { refreshWaiting } from '../../platform/waiting.ts';
import { useInsideText } from '../../text/inside/index.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { Requests } from './requests-page.tsx';

const route = getRouteApi('/me/requests/$requestId');

/** How a request ended here. */
type Over = { how: 'rejected' } | { how: 'connected'; connection: PersonConnection };

/** One service asks for a connection, over the list of all: who it is, what it wants, what follows. */
export function RequestPage() {
  const { requestId } = route.useParams();
  return (
    <MeFrame>
      <Requests />
      <Request key={requestId} id={requestId} />
    </MeFrame>
  );
}

function Request({ id }: { id: string }) {
  const { t } = useInsideText();
  const session = useSession();
  const navigate = useNavigate();
  const [over, setOver] = useState<Over>();
  const read = useRead(askingQuery(id));
  const { found: asking } = read;
  const company = asking?.request.company.display_name ?? '';
  const end = (how: Over) => {
    setOver(how);
    refreshWaiting();
  };
  const asks = asking ? t('requests.asks', { company }) : t('requests.title');
  return (
    <Sheet
      opened
      close={() => navigate({ to: '/me/requests' })}
      closeLabel={t('app.close')}
      {...(asking && { picture: <CompanyAvatar company={asking.request.company} size={48} /> })}
      title={over === undefined ? asks : t(`requests.${over.how}`, { company })}
    >
      <Stack gap="md">
        {over !== undefined ? (
          <Ended over={over} company={company} />
        ) : (
          <>
            <Loaded of={read} height={180}>
              {({ request }) => <WhoAsks request={request} />}
            </Loaded>
            {asking && session.state === 'in' && (
              <Connecting
                wanted={asking.wanted}
                codes={codesOf(asking.request)}
                session={session}
                connect={(decisions, proof) => accept(asking.request, decisions, proof)}
                connected={(connection) => end({ how: 'connected', connection })}
                others={(isBusy) => <Refusing request={asking.request} disabled={isBusy} over={end} />}
              />
            )}
          </>
        )}
      </Stack>
    </Sheet>
  );
}

function WhoAsks({ request }: { request: ConnectRequest }) {
  const { t, language } = useInsideText();
  const { company, service } = request;
  const month = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric' });
  return (
    <section aria-label={t('consent.who')}>
      <Stack gap={2}>
        <Text fw={650}>{service.name}</Text>
        <Text size="sm" c="dimmed">
          {t('consent.company', { company: company.display_name, code: company.company_code })}
        </Text>
        <Text size="sm" c="dimmed">
          {t('consent.since', { date: month.format(new Date(company.since)) })}
        </Text>
        <Text size="sm" c="dimmed">
          {t('requests.expires')} <When at={request.expires_at} />
        </Text>
      </Stack>
    </section>
  );
}

/** The other ways out: declining, and not to be asked again, which is taken back as quickly. */
function Refusing(props: { request: ConnectRequest; disabled: boolean; over: (how: Over) => void }) {
  const { request, disabled, over } = props;
  const { t } = useInsideText();
  const navigate = useNavigate();
  const { busy, error, run } = useAct();
  const decline = () =>
    run(async () => {
      await reject(request);
      over({ how: 'rejected' });
    });
  const hide = () =>
    run(async () => {
      await block(request);
      const shown = () => Promise.all([refreshWaiting(), outdate(keys.blocked)]);
      offerUndo({
        text: t('requests.blocked.of', { service: request.service.name }),
        undo: async () => {
          await unblock(request);
          await shown();
        },
      });
      await shown();
      await navigate({ to: '/me/requests' });
    });
  return (
    <>
      <Button variant="default" onClick={decline} disabled={busy || disabled}>
        {t('consent.decline')}
      </Button>
      <Button variant="subtle" color="gray" onClick={hide} disabled={busy || disabled}>
        {t('requests.block', { service: request.service.name })}
      </Button>
      <Problem error={error} />
    </>
  );
}

function Ended({ over, company }: { over: Over; company: string }) {
  const { t } = useInsideText();
  const place = useFocusWhenLost();
  return (
    <Stack gap="sm" ref={place} role="status">
      <Text c="dimmed">{t(`requests.${over.how}.text`, { company })}</Text>
      {over.how === 'connected' && (
        <LinkButton
          component="a"
          to="/me/messages/$connectionId"
          params={{ connectionId: over.connection.connection_id }}
        >
          {t('requests.write', { company })}
        </LinkButton>
      )}
      <LinkButton component="a" to="/me/requests" variant="default" data-autofocus>
        {t('requests.all')}
      </LinkButton>
    </Stack>
  );
}
