import { Alert, Button, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, lazy, Suspense, useEffect, useState } from 'react';
import { CompanyAvatar } from '../../parts/company-avatar.tsx';
import { Connecting } from '../../parts/connecting.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { KeyWords } from '../../parts/key-words.tsx';
import { LinkButton } from '../../parts/link-button.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { MeFrame } from '../../parts/me-frame.tsx';
import { QrCode } from '../../parts/qr-code.tsx';
import type { Connection } from '../../platform/connections.ts';
import { useRead } from '../../platform/read.ts';
import { type Codes, connect, wantedQuery } from '../../platform/requests.ts';
import { useSession } from '../../platform/session.ts';
import { refreshWaiting } from '../../platform/waiting.ts';
import { useInsideText } from '../../text/inside/index.tsx';
import { Empty } from '../../ui/empty.tsx';
import { BackLink, Page } from '../../ui/page.tsx';
import { codesIn, isKeyPart, searchOf } from './codes.ts';
import classes from './connect-page.module.css';

const Scanner = lazy(() => import('./scanner.tsx').then(({ Scanner }) => ({ default: Scanner })));
const WAYS = ['scan', 'type', 'mine'] as const;
type Way = (typeof WAYS)[number];

/** Connects with a company: by its QR code, its code typed in, or by showing one's own. */
export function ConnectPage() {
  const { code, k: key } = useSearch({ from: '/me/connect' });
  const found = code === undefined ? undefined : codesIn(code);
  const isDamaged = key !== undefined && !isKeyPart(key);
  return (
    <MeFrame>
      {found === undefined || isDamaged ? (
        <Finding given={isDamaged ? undefined : code} isDamaged={isDamaged} />
      ) : (
        <Found key={code} codes={{ ...found, key: key ?? found.key }} />
      )}
    </MeFrame>
  );
}

function Finding({ given = '', isDamaged }: { given: string | undefined; isDamaged: boolean }) {
  const { t } = useInsideText();
  // Who holds the device in the hand points it at a code; who sits before it types.
  const [way, setWay] = useState<Way>(() =>
    given === '' && matchMedia('(pointer: coarse)').matches ? 'scan' : 'type',
  );
  const [isChosen, setChosen] = useState(false);
  return (
    <Page title={t('place.connect')} lead={t('connect.lead')}>
      {isDamaged && (
        <Alert color="orange" variant="light" role="alert">
          {t('error.sdk.link_invalid')}
        </Alert>
      )}
      <SegmentedControl
        fullWidth
        size="md"
        value={way}
        onChange={(chosen) => {
          setWay(chosen as Way);
          setChosen(true);
        }}
        data={WAYS.map((value) => ({ value, label: t(`connect.way.${value}`) }))}
      />
      {way === 'type' && <Typing given={given} />}
      {way === 'mine' && <Mine />}
      {way === 'scan' && (
        <Suspense>
          <Scanning isChosen={isChosen} />
        </Suspense>
      )}
    </Page>
  );
}

function Typing({ given }: { given: string }) {
  const { t } = useInsideText();
  const navigate = useNavigate();
  const [text, setText] = useState(given);
  const [isWrong, setWrong] = useState(given !== '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const codes = codesIn(text);
    if (codes === undefined) return setWrong(true);
    return navigate({ to: '/me/connect', search: searchOf(codes) });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={t('connect.code')}
          description={t('connect.code.hint')}
          error={isWrong && t('connect.code.wrong')}
          placeholder="K7M4XQ / BIKE"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          required
          classNames={{ input: classes.code ?? '' }}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setWrong(false);
          }}
        />
        <Button type="submit">{t('connect.lookUp')}</Button>
      </Stack>
    </form>
  );
}

/** The camera. The browser asks for it when the person has pressed for it, and not because a page was opened. */
function Scanning({ isChosen }: { isChosen: boolean }) {
  const { t } = useInsideText();
  const navigate = useNavigate();
  const [mayOpen, setMayOpen] = useState<boolean | undefined>(isChosen || undefined);
  useEffect(() => {
    if (isChosen) return;
    cameraIsAllowed().then((is) => setMayOpen((before) => before || is));
  }, [isChosen]);
  if (mayOpen === undefined) return null;
  if (!mayOpen)
    return (
      <Empty
        title={t('connect.hold')}
        act={<Button onClick={() => setMayOpen(true)}>{t('connect.openCamera')}</Button>}
      >
        {t('connect.openCamera.text')}
      </Empty>
    );
  return (
    <Scanner
      read={(text) => {
        const codes = codesIn(text);
        if (codes === undefined) return false;
        navigate({ to: '/me/connect', search: searchOf(codes) });
        return true;
      }}
    />
  );
}

/** Whether the person allowed it before. Some browsers do not say. */
const cameraIsAllowed = () =>
  navigator.permissions.query({ name: 'camera' }).then(
    ({ state }) => state === 'granted',
    () => false,
  );

/** The person's own code, for those who ask by it. */
function Mine() {
  const { t } = useInsideText();
  const session = useSession();
  if (session.state !== 'in') return null;
  const { share_code: code, display_name: name } = session.person;
  return (
    <Stack align="center" gap="md">
      <Text ta="center">{t('connect.mine.text')}</Text>
      <QrCode text={code} label={t('connect.mine.qr', { name })} />
      <p className={classes.mine}>{code}</p>
      <CopyButton value={code} label={t('me.copyCode')} />
    </Stack>
  );
}

/** The service with the codes: who it is, what it asks, what follows. */
function Found({ codes }: { codes: Codes }) {
  const { t } = useInsideText();
  const session = useSession();
  const read = useRead(wantedQuery(codes));
  const [connected, setConnected] = useState<Connection>();
  const { found: wanted } = read;
  const company = wanted?.company.display_name ?? t('place.connect');
  if (connected !== undefined) return <Connected connection={connected} />;
  return (
    <Page back={<BackLink to="/me/connect">{t('place.connect')}</BackLink>} title={company}>
      <Loaded of={read} height={200}>
        {({ company: found, service }) => (
          <div className={classes.who}>
            <CompanyAvatar company={found} size={56} />
            <div>
              <Text fw={600}>{service.name}</Text>
              <Text size="sm" c="dimmed">
                {t('consent.company', { company: found.display_name, code: found.company_code })}
              </Text>
              <KeyWords publicKey={service.public_key} />
              <Text size="sm" c="dimmed">
                {t('companies.words.text', { company: found.display_name })}
              </Text>
            </div>
          </div>
        )}
      </Loaded>
      {wanted && session.state === 'in' && (
        <Stack>
          <Connecting
            wanted={wanted}
            codes={codes}
            session={session}
            connect={(decisions, proof) => connect(wanted, decisions, proof)}
            connected={(connection) => {
              setConnected(connection);
              refreshWaiting();
            }}
            others={() => (
              <LinkButton component="a" to="/me/connect" variant="default">
                {t('app.cancel')}
              </LinkButton>
            )}
          />
        </Stack>
      )}
    </Page>
  );
}

function Connected({ connection }: { connection: Connection }) {
  const { t } = useInsideText();
  const company = connection.company.display_name;
  return (
    <Page title={t('requests.connected', { company })} lead={t('requests.connected.text', { company })}>
      <LinkButton
        component="a"
        to="/me/connections/$connectionId"
        params={{ connectionId: connection.connection_id }}
      >
        {t('connect.open', { company })}
      </LinkButton>
    </Page>
  );
}
