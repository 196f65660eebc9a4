import { Button, Group as Side, Stack, Text } from '@mantine/core';
import type { Service } from '@symbolon/protocol';
import { IconCircleCheck, IconInfoCircle } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { CopyButton } from '../../../parts/copy-button.tsx';
import { Problem, useAct } from '../../../parts/problem.tsx';
import { TextLink } from '../../../parts/text-link.tsx';
import { raisedQuery } from '../../../platform/portal/logs.ts';
import { requestFieldsQuery } from '../../../platform/portal/services.ts';
import {
  type ChangedAnswer,
  type TestPerson as Made,
  mailsCodes,
  testPersonAt,
  withoutExample,
} from '../../../platform/portal/test-person.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { Group } from '../../../ui/group.tsx';
import { Note } from '../../../ui/note.tsx';

/** For developers: a made person who connects to the service, so that it is tried without a phone. */
export function TestPerson({ service }: { service: Service }) {
  const { t } = usePortalText();
  const { id, name } = service;
  const [person] = useState(() => testPersonAt(service));
  const [made, setMade] = useState<Made>();
  const [hasEnded, setEnded] = useState(false);
  const { busy, error, run } = useAct();
  const asked = useRead(requestFieldsQuery(id)).found;
  // To ask begins to note them: what the test person does stands among the events afterwards.
  useRead(raisedQuery(id));
  useEffect(() => person.close, [person]);
  const make = () =>
    run(async () => {
      setMade(await person.make());
      setEnded(false);
    });
  const gone = () => {
    setMade(undefined);
    setEnded(true);
  };
  if (asked === undefined) return null;
  return (
    <Group title={t('code.try')} lead={t('code.try.lead', { name })}>
      {asked.request_fields.length === 0 ? (
        <TextLink to="/portal/services/$serviceId/asks" params={{ serviceId: id }}>
          {t('overview.live.asks', { service: name })}
        </TextLink>
      ) : made ? (
        <Customer service={service} made={made} person={person} gone={gone} />
      ) : (
        <Stack align="start" gap="sm">
          {hasEnded && (
            <Text size="sm" role="status">
              {t('code.try.ended')}
            </Text>
          )}
          <Refusal error={error} />
          <Button variant="default" loading={busy} onClick={make}>
            {t('code.try.make')}
          </Button>
        </Stack>
      )}
    </Group>
  );
}

/** Why there is no test person. */
function Refusal({ error }: { error: unknown }) {
  const { t } = usePortalText();
  const label = withoutExample(error);
  if (!mailsCodes(error) && label === undefined) return <Problem error={error} />;
  return (
    <div role="alert">
      <Note icon={IconInfoCircle} tone="warn">
        {label === undefined ? t('code.try.mailed') : t('code.try.noExample', { label })}
      </Note>
    </div>
  );
}

interface CustomerProps {
  readonly service: Service;
  readonly made: Made;
  readonly person: ReturnType<typeof testPersonAt>;
  /** The connection has ended. */
  readonly gone: () => void;
}

/** The test person is a customer: who they are, and what they do next. Links open beside this page, whose end is theirs. */
function Customer({ service: { id, name }, made, person, gone }: CustomerProps) {
  const { t } = usePortalText();
  const secret = (value: string, label: string) => (
    <Side gap="sm">
      <Text ff="monospace">{value}</Text>
      <CopyButton value={value} label={label} />
    </Side>
  );
  return (
    <Stack gap="sm">
      <div role="status">
        <Note icon={IconCircleCheck} tone="good">
          {t('code.try.connected', { name })}{' '}
          <TextLink
            to="/portal/services/$serviceId/customers/$connectionId"
            params={{ serviceId: id, connectionId: made.connectionId }}
            target="_blank"
            fz="inherit"
          >
            {t('code.try.customer')}
          </TextLink>
        </Note>
      </div>
      <Facts
        facts={[
          [t('code.try.email'), secret(made.email, t('code.try.email.copy'))],
          [t('code.try.password'), secret(made.password, t('code.try.password.copy'))],
        ]}
      />
      <Text size="sm">
        {t('code.try.once')}{' '}
        <TextLink to="/sign-in" target="_blank" fz="inherit">
          {t('code.try.signIn')}
        </TextLink>
      </Text>
      {made.unanswered.length > 0 && (
        <Text size="sm">{t('code.try.left', { labels: made.unanswered.join(', ') })}</Text>
      )}
      <Acts serviceId={id} canChange={made.canChange} person={person} gone={gone} />
      <Text size="sm" c="dimmed">
        {t('code.try.open')}
      </Text>
    </Stack>
  );
}

function Acts({
  serviceId,
  canChange,
  person,
  gone,
}: Pick<CustomerProps, 'person' | 'gone'> & { serviceId: string; canChange: boolean }) {
  const { t } = usePortalText();
  const [changed, setChanged] = useState<ChangedAnswer>();
  const change = useAct();
  const end = useAct();
  return (
    <>
      {!canChange && <Text size="sm">{t('code.try.noLive')}</Text>}
      <div role="status">
        {changed && (
          <Text size="sm">
            {t('code.try.changed', { ...changed })}{' '}
            <TextLink
              to="/portal/services/$serviceId/events"
              params={{ serviceId }}
              target="_blank"
              fz="inherit"
            >
              {t('events.title')}
            </TextLink>
            {' · '}
            <TextLink to="/portal/webhooks" target="_blank" fz="inherit">
              {t('code.try.webhooks')}
            </TextLink>
          </Text>
        )}
      </div>
      <Problem error={change.error ?? end.error} />
      <Side>
        {canChange && (
          <Button
            loading={change.busy}
            disabled={end.busy}
            onClick={() => change.run(async () => setChanged(await person.change()))}
          >
            {t('code.try.change')}
          </Button>
        )}
        <Button
          variant="default"
          loading={end.busy}
          disabled={change.busy}
          onClick={() => end.run(() => person.end().then(gone))}
        >
          {t('code.try.end')}
        </Button>
      </Side>
    </>
  );
}
