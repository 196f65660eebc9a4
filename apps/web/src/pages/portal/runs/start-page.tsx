import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import type { FlowSummary, FlowVersion } from '@symbolon/protocol';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type FormEvent, useEffect, useMemo, useState } from 'react';
import { Loaded, LoadedList } from '../../../parts/loaded.tsx';
import { ChooseCustomer } from '../../../parts/portal/choose-customer.tsx';
import { PortalPage, usePortalLogin } from '../../../parts/portal/portal-page.tsx';
import { SameByApi } from '../../../parts/portal/same-by-api.tsx';
import { ServiceKeyForm } from '../../../parts/portal/service-key-form.tsx';
import { useKeptForm } from '../../../parts/portal/use-kept-form.ts';
import { Problem, useAct } from '../../../parts/problem.tsx';
import { Section } from '../../../parts/section.tsx';
import { useKeptDraft } from '../../../parts/use-kept-draft.ts';
import { useServiceKey } from '../../../platform/portal/copies.ts';
import { flowsQuery } from '../../../platform/portal/flow-list.ts';
import { versionQuery } from '../../../platform/portal/flows.ts';
import {
  customerParties,
  draftOfStart,
  type NewRun,
  sharedTagsQuery,
  startNewRun,
  takesShared,
} from '../../../platform/portal/run-start.ts';
import { sameCalls } from '../../../platform/portal/same-calls.ts';
import { requestFieldsQuery } from '../../../platform/portal/services.ts';
import { mayAs } from '../../../platform/portal/session.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { BackLink, Page } from '../../../ui/page.tsx';

const HERE = '/portal/services/$serviceId/runs/new';
const REFERENCE_MOST = 100;

export function StartPage() {
  return (
    <PortalPage>
      <Start />
    </PortalPage>
  );
}

/** Starts a flow with a customer. Both stand in the address where one comes from them. */
function Start() {
  const { t } = usePortalText();
  const { serviceId } = useParams({ from: HERE });
  const { customer } = useSearch({ from: HERE });
  const may = mayAs(usePortalLogin(), 'developer');
  const flows = useRead(flowsQuery(serviceId));
  const published = flows.found?.filter(({ version }) => version !== null);
  return (
    <Page
      title={t('start.title')}
      lead={t('start.lead')}
      back={
        customer === undefined ? (
          <BackLink to="/portal/services/$serviceId/flows" params={{ serviceId }}>
            {t('flows.title')}
          </BackLink>
        ) : (
          <BackLink
            to="/portal/services/$serviceId/customers/$connectionId"
            params={{ serviceId, connectionId: customer }}
          >
            {t('issued.customer')}
          </BackLink>
        )
      }
    >
      {may ? (
        <LoadedList
          of={{ ...flows, found: published }}
          none={t('start.none')}
          noneText={t('start.none.text')}
          height={300}
        >
          {(found) => <OfFlows serviceId={serviceId} flows={found} />}
        </LoadedList>
      ) : (
        <Text>{t('start.viewer')}</Text>
      )}
    </Page>
  );
}

function OfFlows({ serviceId, flows }: { serviceId: string; flows: readonly FlowSummary[] }) {
  const { t } = usePortalText();
  const { flow: wanted, customer } = useSearch({ from: HERE });
  const navigate = useNavigate();
  const flow = flows.find(({ id }) => id === wanted) ?? flows[0];
  const version = useRead(flow && versionQuery({ serviceId, flowId: flow.id }, flow.version ?? 0));
  if (flow === undefined) return null;
  return (
    <>
      <NativeSelect
        label={t('start.flow')}
        autoComplete="off"
        maw={400}
        data={flows.map(({ id, name }) => ({ value: id, label: name || t('flow.unnamed') }))}
        value={flow.id}
        onChange={({ currentTarget: { value } }) =>
          navigate({ to: HERE, params: { serviceId }, search: { flow: value, customer }, replace: true })
        }
      />
      <Loaded of={version} height={200}>
        {(found) => <OfFlow key={flow.id} serviceId={serviceId} flow={flow} version={found} />}
      </Loaded>
      <SameByApi {...sameCalls.startRun(serviceId, flow.id)} />
    </>
  );
}

interface OfFlowProps {
  readonly serviceId: string;
  readonly flow: FlowSummary;
  readonly version: FlowVersion;
}

/** Who takes part, what the company calls the run, and what its texts say. */
function OfFlow({ serviceId, flow, version }: OfFlowProps) {
  const { t } = usePortalText();
  const { company } = usePortalLogin();
  const { customer } = useSearch({ from: HERE });
  const key = useServiceKey(serviceId);
  const parties = customerParties(version.definition);
  const first: Record<string, string> = Object.fromEntries(
    customer === undefined ? [] : parties.map((party) => [party.key, customer]),
  );
  const kept = useKeptForm(`start.${flow.id}`, () => ({ reference: '', chosen: first }));
  const { reference, chosen } = kept.value;
  const [target, ...others] = parties.map((party) => chosen[party.key]);
  const isWhole = target !== undefined && others.every((id) => id !== undefined);
  const run: NewRun['run'] = {
    connectionId: target ?? '',
    bindings: Object.fromEntries(
      Object.entries(chosen).map(([party, connectionId]) => [party, { connectionId }]),
    ),
    ...(reference.trim() !== '' && { reference: reference.trim() }),
  };
  const place = {
    ...{ companyId: company.company_user_id, serviceId, flowId: flow.id },
    version: version.version,
  };
  const needsKey = takesShared(version);
  return (
    <>
      <Section title={t('start.who')}>
        <Stack>
          {parties.map((party) => (
            <ChooseCustomer
              key={party.key}
              serviceId={serviceId}
              label={party.label || party.key}
              chosen={chosen[party.key]}
              choose={(id) => kept.change({ chosen: { ...chosen, [party.key]: id } })}
            />
          ))}
          {parties.length === 0 && <Text>{t('start.nobody')}</Text>}
          <TextInput
            label={t('start.reference')}
            description={t('start.reference.hint')}
            autoComplete="off"
            maxLength={REFERENCE_MOST}
            value={reference}
            onChange={({ currentTarget: { value } }) => kept.change({ reference: value })}
          />
        </Stack>
      </Section>
      {needsKey && key === undefined && <ServiceKeyForm serviceId={serviceId} title={t('start.key')} />}
      {isWhole && (!needsKey || key !== undefined) && (
        <Texts
          key={JSON.stringify(run.bindings)}
          start={{ place, run, key: needsKey ? key : undefined }}
          started={kept.drop}
        />
      )}
    </>
  );
}

type Starting = Omit<NewRun, 'token'>;

/** What the texts of the run say of its customers, and the start. */
function Texts({ start, started }: { start: Starting; started: () => void }) {
  const { place, run, key } = start;
  const { t } = usePortalText();
  const navigate = useNavigate();
  const { busy, error, run: act } = useAct();
  const { typedFor, type, drop } = useTyped(start);
  const read = useRead(key && sharedTagsQuery(start, key));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    act(async () => {
      const changed = Object.entries(read.found ?? {}).flatMap(([tag, text]) => {
        const typed = typedFor(tag);
        return typed === undefined || typed === text ? [] : [[tag, typed] as const];
      });
      const made = await startNewRun({
        ...start,
        run: { ...run, ...(changed.length > 0 && { tags: Object.fromEntries(changed) }) },
      });
      drop();
      started();
      const { serviceId, flowId } = place;
      await navigate({
        to: '/portal/services/$serviceId/flows/$flowId/runs/$runId',
        params: { serviceId, flowId, runId: made.id },
      });
    });
  };
  const button = (
    <Group>
      <Button type="submit" loading={busy}>
        {t('start.button')}
      </Button>
    </Group>
  );
  return (
    <form onSubmit={submit}>
      <Stack>
        {key === undefined ? (
          button
        ) : (
          <Loaded of={read} height={160}>
            {(shared) => (
              <Stack>
                <TagInputs serviceId={place.serviceId} shared={shared} typedFor={typedFor} type={type} />
                {button}
              </Stack>
            )}
          </Loaded>
        )}
        <Problem error={error} />
      </Stack>
    </form>
  );
}

/** What is typed in place of what these customers share, kept as a draft. */
function useTyped({ place: { serviceId, flowId }, run: { bindings }, key }: Starting) {
  const { login } = usePortalLogin();
  const draft = useMemo(
    () => key && draftOfStart(serviceId, flowId, login.id),
    [key, serviceId, flowId, login.id],
  );
  const [all, setAll] = useState<ReadonlyMap<string, string>>(() => new Map());
  useEffect(() => {
    // What was typed meanwhile counts.
    draft?.read().then((begun) => setAll((now) => new Map([...begun, ...now])));
  }, [draft]);
  useKeptDraft(draft, all);
  const nameOf = (tag: string) => `${JSON.stringify(bindings)} ${tag}`;
  return {
    typedFor: (tag: string) => all.get(nameOf(tag)),
    type: (tag: string, text: string) => setAll((before) => new Map(before).set(nameOf(tag), text)),
    drop: () => draft?.drop(),
  };
}

function TagInputs({
  serviceId,
  shared,
  typedFor,
  type,
}: {
  serviceId: string;
  shared: Readonly<Record<string, string>>;
  typedFor: (tag: string) => string | undefined;
  type: (tag: string, text: string) => void;
}) {
  const { t } = usePortalText();
  const rows = useRead(requestFieldsQuery(serviceId)).found?.request_fields;
  const labelOf = (tag: string) => {
    const [, field = tag] = tag.split('.');
    return rows?.find(({ slug }) => slug === field)?.label ?? field;
  };
  if (Object.keys(shared).length === 0) return null;
  return (
    <Section title={t('start.texts')} lead={t('start.texts.lead')}>
      <Stack>
        {Object.entries(shared).map(([tag, text]) => (
          <TextInput
            key={tag}
            label={labelOf(tag)}
            description={text.trim() === '' ? t('start.texts.missing') : undefined}
            autoComplete="off"
            value={typedFor(tag) ?? text}
            onChange={({ currentTarget: { value } }) => type(tag, value)}
          />
        ))}
      </Stack>
    </Section>
  );
}
