import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import type { Decision, PersonConnection } from '@symbolon/protocol';
import { ForbiddenError } from '@symbolon/sdk/device';
import { createLink, getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { ActButtons } from '../../parts/act-buttons.tsx';
import { firstPicks, pickedOf, rowAsked } from '../../parts/answers/asked.ts';
import { type AllPicked, FieldChoices, ShareButtons } from '../../parts/answers/field-choices.tsx';
import { useOpenFields } from '../../parts/answers/use-open-fields.ts';
import { ChangedKey, isChangedKey } from '../../parts/changed-key.tsx';
import { PageTitle, Panel } from '../../parts/frame.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { MeFrame } from '../../parts/me-frame.tsx';
import { Problem, useAct } from '../../parts/problem.tsx';
import { ProofForm } from '../../parts/proof-form.tsx';
import { TextLink } from '../../parts/text-link.tsx';
import { When } from '../../parts/when.tsx';
import { sealAnswers } from '../../platform/answers.ts';
import type { Fields, OpenField } from '../../platform/fields.ts';
import { useRead } from '../../platform/read.ts';
import {
  type Asking,
  accept,
  actOf,
  askingQuery,
  block,
  type ConnectRequest,
  reject,
} from '../../platform/requests.ts';
import { type SignedIn, useSession } from '../../platform/session.ts';
import { refreshWaiting } from '../../platform/waiting.ts';
import { useText } from '../../text/index.tsx';

const LinkButton = createLink(Button<'a'>);
const route = getRouteApi('/me/requests/$requestId');

/** How a request ended here. */
type Over = { how: 'rejected' | 'blocked' } | { how: 'connected'; connection: PersonConnection };

/** One service asks for a connection: who it is, what it wants, what follows. */
export function RequestPage() {
  const { requestId } = route.useParams();
  return (
    <MeFrame>
      <Request key={requestId} id={requestId} />
    </MeFrame>
  );
}

function Request({ id }: { id: string }) {
  const { t } = useText();
  const session = useSession();
  const [over, setOver] = useState<Over>();
  const read = useRead(askingQuery(id));
  const { found: asking } = read;
  const company = asking?.request.company.display_name ?? '';
  if (over !== undefined) return <Ended over={over} company={company} />;
  return (
    <Panel>
      <TextLink to="/me/requests" size="sm">
        {t('requests.all')}
      </TextLink>
      <PageTitle>{asking ? t('requests.asks', { company }) : t('requests.title')}</PageTitle>
      <Loaded of={read} height={180}>
        {({ request }) => <WhoAsks request={request} />}
      </Loaded>
      {asking && session.state === 'in' && (
        <Answering
          asking={asking}
          session={session}
          over={(how) => {
            setOver(how);
            refreshWaiting();
          }}
        />
      )}
    </Panel>
  );
}

function WhoAsks({ request }: { request: ConnectRequest }) {
  const { t, language } = useText();
  const { company, service } = request;
  const month = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric' });
  return (
    <Paper component="section" aria-label={t('consent.who')} withBorder p="md">
      <Stack gap={6}>
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
    </Paper>
  );
}

type AnsweringProps = { asking: Asking; session: SignedIn; over: (how: Over) => void };

/** What the service wants to know, answered by the person's fields. */
function Answering({ asking, session, over }: AnsweringProps) {
  const needsFields = asking.wanted.request_fields.length > 0;
  const { added, ...read } = useOpenFields(needsFields);
  const deciding = { asking, session, over, added };
  if (!needsFields) return <Deciding {...deciding} fields={undefined} />;
  return (
    <Loaded of={read} height={140}>
      {(fields) => <Deciding {...deciding} fields={fields} />}
    </Loaded>
  );
}

function Deciding(props: AnsweringProps & { fields: Fields | undefined; added: (field: OpenField) => void }) {
  const { asking, session, over, fields, added } = props;
  const { request, wanted } = asking;
  const { t, count } = useText();
  const { busy, error, run, clear } = useAct();
  const [proving, setProving] = useState<readonly Decision[]>();
  const company = request.company.display_name;
  const asked = wanted.request_fields.map((row) => rowAsked(row, request));
  const [picked, setPicked] = useState<AllPicked>(() => (fields ? firstPicks(asked, fields) : new Map()));
  const connected = (connection: PersonConnection) => over({ how: 'connected', connection });
  const connect = () =>
    run(async () => {
      const rows = pickedOf('row', asked, picked);
      const decisions = await sealAnswers(session.person.person_user_id, wanted.service, rows);
      try {
        connected(await accept(request, decisions));
      } catch (failure) {
        if (!wantsProof(failure)) throw failure;
        setProving(decisions);
      }
    });
  const label =
    picked.size === 0
      ? t('requests.connect', { company })
      : count('requests.share', picked.size, { company });
  return (
    <>
      <FieldChoices
        asked={asked}
        fields={fields}
        picked={picked}
        change={(next) => {
          clear();
          setPicked(next);
        }}
        added={added}
      />
      <Stack gap="xs">
        <Text fw={600}>{t('consent.follows')}</Text>
        <Text size="sm">{t('consent.follows.shareCode', { app: company })}</Text>
        <Text size="sm">{t('consent.follows.connect', { company })}</Text>
        {asked.length > 0 && <Text size="sm">{t('consent.follows.sealed', { app: company })}</Text>}
      </Stack>
      {isChangedKey(error) ? (
        <ChangedKey
          error={error}
          named={{ kind: 'service', id: wanted.service.id, publicKey: wanted.service.public_key }}
          name={company}
          company={company}
          label={t('keys.confirm')}
          confirmed={connect}
        />
      ) : (
        <Problem error={error} />
      )}
      {proving === undefined ? (
        <ShareButtons label={label} share={connect} busy={busy} asked={asked} picked={picked}>
          <Refusing request={request} disabled={busy} over={over} />
        </ShareButtons>
      ) : (
        <ProofForm
          act={actOf(request)}
          strong
          label={label}
          prove={async (proof) => connected(await accept(request, proving, proof))}
          cancel={() => setProving(undefined)}
        />
      )}
    </>
  );
}

function wantsProof(error: unknown): boolean {
  return error instanceof ForbiddenError && error.errorKey === 'connections.two_factor_required';
}

/** The other ways out: declining, and not to be asked again. */
function Refusing(props: { request: ConnectRequest; disabled: boolean; over: (how: Over) => void }) {
  const { request, disabled, over } = props;
  const { t } = useText();
  const { busy, error, run } = useAct();
  const [blocking, setBlocking] = useState(false);
  const end = (act: typeof reject, how: 'rejected' | 'blocked') => () =>
    run(async () => {
      await act(request);
      over({ how });
    });
  return (
    <>
      <Button variant="default" onClick={end(reject, 'rejected')} disabled={busy || disabled}>
        {t('consent.decline')}
      </Button>
      {blocking ? (
        <Stack gap="sm">
          <Text size="sm">{t('requests.block.text', { service: request.service.name })}</Text>
          <ActButtons
            color="red"
            label={t('requests.block', { service: request.service.name })}
            busy={busy}
            act={end(block, 'blocked')}
            cancel={() => setBlocking(false)}
          />
        </Stack>
      ) : (
        <Button variant="subtle" color="gray" onClick={() => setBlocking(true)} disabled={busy || disabled}>
          {t('requests.block', { service: request.service.name })}
        </Button>
      )}
      <Problem error={error} />
    </>
  );
}

function Ended({ over, company }: { over: Over; company: string }) {
  const { t } = useText();
  return (
    <Panel>
      <PageTitle>{t(`requests.${over.how}`, { company })}</PageTitle>
      <Text c="dimmed">{t(`requests.${over.how}.text`, { company })}</Text>
      <Group>
        {over.how === 'connected' && (
          <LinkButton
            component="a"
            to="/me/messages/$connectionId"
            params={{ connectionId: over.connection.connection_id }}
          >
            {t('requests.write', { company })}
          </LinkButton>
        )}
        <LinkButton component="a" to="/me/requests" variant="default">
          {t('requests.all')}
        </LinkButton>
      </Group>
    </Panel>
  );
}
