import { Alert, Button, Stack, Text } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import { AwaySheet } from '../../parts/away-page.tsx';
import { WhoAsks } from '../../parts/consent/who-asks.tsx';
import { Frame, Panel, Sheet } from '../../parts/frame.tsx';
import { LoadingPage } from '../../parts/loading-page.tsx';
import { Loading } from '../../parts/mark.tsx';
import { Problem, useAct } from '../../parts/problem.tsx';
import { SignedInAs } from '../../parts/signed-in-as.tsx';
import { type Begun, begin, leave, openRequest, type Request } from '../../platform/consent.ts';
import { resumeAgain, useSession } from '../../platform/session.ts';
import { useText } from '../../text/index.tsx';
import { PageTitle } from '../../ui/page.tsx';
import { SignInPanel } from '../sign-in.tsx';
import { Ask, loadParts } from './ask.tsx';

/** The query as the browser was sent here, before the router could rewrite it. */
const QUERY = location.search;
/** The same request again, for the person who signs in next. */
const HERE = location.pathname + QUERY;

/** A site asks: who it is, what it wants, what follows; share or decline. */
export function ConsentPage() {
  const { t } = useText();
  const { error, run } = useAct();
  const [request, setRequest] = useState<Request>();
  useEffect(() => {
    run(async () => {
      const opened = await openRequest(QUERY);
      if ('redirect_to' in opened) return leave(opened);
      loadParts(opened);
      setRequest(opened);
    });
  }, [run]);
  if (error !== undefined) {
    return (
      <Frame>
        <Sheet title={t('consent.broken')} lead={t('consent.broken.text')}>
          <Problem error={error} />
        </Sheet>
      </Frame>
    );
  }
  if (request === undefined) return <LoadingPage />;
  return (
    <Frame asSheet>
      <Steps request={request} />
    </Frame>
  );
}

/** Another screen waits: was it you? Then signing in, then the question itself. */
function Steps({ request }: { request: Request }) {
  const { t } = useText();
  const session = useSession();
  const { company } = request;
  const [started, setStarted] = useState(!request.detached);
  const [over, setOver] = useState<'shared' | 'declined'>();
  const [notMe, setNotMe] = useState(false);
  if (over !== undefined) {
    return (
      <Sheet title={t(`consent.${over}`)} lead={t(`consent.${over}.text`)}>
        {null}
      </Sheet>
    );
  }
  if (!started && !notMe) {
    return (
      <Panel>
        <WhoAsks
          request={request}
          title={t(textOf(request), { company: company.display_name, code: company.company_code })}
          lead={t(`${textOf(request)}.text`, screenOf(request))}
        />
        <Stack gap="sm">
          <Button onClick={() => setStarted(true)}>{t('consent.detached.yes')}</Button>
          <Button
            variant="default"
            onClick={() => (session.state === 'in' ? setNotMe(true) : setOver('declined'))}
          >
            {t('consent.detached.no')}
          </Button>
        </Stack>
        <SignedInAs next={HERE} />
      </Panel>
    );
  }
  if (session.state === 'unknown') return <Loading />;
  if (session.state === 'away') return <AwaySheet error={session.error} retry={resumeAgain} />;
  if (session.state === 'out') {
    return (
      <Panel>
        <WhoAsks request={request} title={t('consent.signIn', { app: request.app.name })} />
        <SignInPanel next={HERE} />
      </Panel>
    );
  }
  return <Bound request={request} notMe={notMe} over={setOver} />;
}

/** The request belongs to the person from here on. */
function Bound(props: { request: Request; notMe: boolean; over: (how: 'shared' | 'declined') => void }) {
  const { request, notMe, over } = props;
  const { t } = useText();
  const { error, run } = useAct();
  const [begun, setBegun] = useState<Begun>();
  const start = useCallback(() => run(async () => setBegun(await begin(request))), [run, request]);
  useEffect(() => {
    start();
  }, [start]);
  return (
    <Stack gap="lg">
      {error !== undefined && (
        <>
          <PageTitle>{t('consent.broken')}</PageTitle>
          <Problem error={error} retry={start} />
          <SignedInAs next={HERE} />
        </>
      )}
      {begun === undefined && error === undefined && <Loading />}
      {begun !== undefined && <Ask request={request} begun={begun} notMe={notMe} here={HERE} over={over} />}
      {request.detached && begun !== undefined && (
        <Alert color="orange" variant="light">
          <Text size="sm">{t(`${textOf(request)}.reminder`, screenOf(request))}</Text>
        </Alert>
      )}
    </Stack>
  );
}

/** Which texts tell of the other screen: nothing vouches for one whose digits are typed. */
const textOf = ({ needs }: Request) => (needs.digits ? 'consent.detached.stranger' : 'consent.detached');

/** Where the other screen is: the company names an address, and nothing proves that the screen is there. */
function screenOf({ app, company }: Request): { host: string; company: string } {
  const host = URL.canParse(app.origin) ? new URL(app.origin).host : app.origin;
  return { host, company: company.display_name };
}
