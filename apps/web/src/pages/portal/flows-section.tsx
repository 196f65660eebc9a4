import { Button, FileButton, Group, Stack, Text, TextInput } from '@mantine/core';
import type { FlowSummary } from '@symbolon/protocol';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ActButtons } from '../../parts/act-buttons.tsx';
import { LoadedList } from '../../parts/loaded.tsx';
import { usePortalLogin } from '../../parts/portal/portal-page.tsx';
import { Question } from '../../parts/portal/question.tsx';
import { Problem, useAct } from '../../parts/problem.tsx';
import { Section } from '../../parts/section.tsx';
import { TextLink } from '../../parts/text-link.tsx';
import { When } from '../../parts/when.tsx';
import { flowsQuery } from '../../platform/portal/flow-list.ts';
import { createFlow, deleteFlow, importFlow } from '../../platform/portal/flows.ts';
import { mayAs } from '../../platform/portal/session.ts';
import { beganFlow } from '../../platform/portal/untouched.ts';
import { useRead } from '../../platform/read.ts';
import { usePortalText } from '../../text/portal/index.tsx';
import { Status } from '../../ui/status.tsx';
import { type Column, DataTable } from '../../ui/table.tsx';
import { emptyFlow } from './flow/edits.ts';

/** The flows of a service, and the ways to a new one. */
export function FlowsSection({ serviceId }: { serviceId: string }) {
  const { t } = usePortalText();
  const read = useRead(flowsQuery(serviceId));
  const { found: list, load } = read;
  const mayEdit = mayAs(usePortalLogin(), 'developer');
  return (
    <Section title={t('flows.title')} lead={t('flows.lead')}>
      <LoadedList of={read} none={t('flows.none')} noneText={t('flows.none.text')} />
      {list !== undefined && list.length > 0 && (
        <FlowTable serviceId={serviceId} list={list} mayEdit={mayEdit} reload={load} />
      )}
      {mayEdit && <NewFlow serviceId={serviceId} />}
    </Section>
  );
}

type TableProps = { serviceId: string; list: readonly FlowSummary[]; mayEdit: boolean; reload: () => void };

function FlowTable({ serviceId, list, mayEdit, reload }: TableProps) {
  const { t } = usePortalText();
  const [deleting, setDeleting] = useState<FlowSummary>();
  const columns: Column<FlowSummary>[] = [
    {
      key: 'name',
      title: t('portal.service.name'),
      cell: ({ id, name }) => (
        <TextLink to="/portal/services/$serviceId/flows/$flowId" params={{ serviceId, flowId: id }} fw={600}>
          {name || t('flow.unnamed')}
        </TextLink>
      ),
    },
    { key: 'state', title: t('flows.state'), cell: (flow) => <FlowState flow={flow} /> },
    { key: 'changed', title: t('flows.changed'), cell: ({ updated_at: at }) => <When at={at} /> },
    { key: 'acts', title: t('flows.acts'), cell: (flow) => acts(flow) },
  ];
  return (
    <>
      <DataTable label={t('flows.table')} columns={columns} rows={list} keyOf={({ id }) => id} />
      {deleting !== undefined && (
        <DeleteFlow
          serviceId={serviceId}
          flow={deleting}
          close={() => setDeleting(undefined)}
          done={() => {
            setDeleting(undefined);
            reload();
          }}
        />
      )}
    </>
  );

  function acts(flow: FlowSummary) {
    return (
      <Group gap="xs" wrap="nowrap">
        <TextLink
          to="/portal/services/$serviceId/flows/$flowId/runs"
          params={{ serviceId, flowId: flow.id }}
          size="sm"
          aria-label={t('runs.of', { name: flow.name })}
        >
          {t('runs.title')}
        </TextLink>
        {mayEdit && (
          <Button
            size="compact-sm"
            h={32}
            variant="subtle"
            color="red"
            aria-label={t('flows.delete.name', { name: flow.name })}
            onClick={() => setDeleting(flow)}
          >
            {t('flows.delete')}
          </Button>
        )}
      </Group>
    );
  }
}

function FlowState({ flow: { version, changed } }: { flow: FlowSummary }) {
  const { t } = usePortalText();
  if (version === null) return <Status>{t('flow.unpublished')}</Status>;
  return (
    <Status tone={changed ? 'warn' : 'good'}>
      {t(changed ? 'flows.state.changed' : 'flows.state.published', { version })}
    </Status>
  );
}

/** Deleting takes the runs along, so it asks for the name. */
function DeleteFlow(props: { serviceId: string; flow: FlowSummary; close: () => void; done: () => void }) {
  const { serviceId, flow, close, done } = props;
  const { t } = usePortalText();
  const { busy, error, run } = useAct();
  const [typed, setTyped] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run(async () => {
      await deleteFlow({ serviceId, flowId: flow.id });
      done();
    });
  };
  return (
    <Question title={t('flows.delete.name', { name: flow.name })} close={close}>
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">{t('flows.delete.text')}</Text>
          <TextInput
            label={t('flows.delete.type', { name: flow.name })}
            autoComplete="off"
            data-autofocus
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Problem error={error} />
          <ActButtons
            label={t('flows.delete')}
            color="red"
            busy={busy}
            disabled={typed.trim() !== flow.name.trim()}
            cancel={close}
          />
        </Stack>
      </form>
    </Question>
  );
}

/** A flow is drawn here, or comes from a package. */
function NewFlow({ serviceId }: { serviceId: string }) {
  const { t } = usePortalText();
  const { busy, error, run } = useAct();
  const navigate = useNavigate();
  const open = (flowId: string) =>
    navigate({ to: '/portal/services/$serviceId/flows/$flowId', params: { serviceId, flowId } });
  const create = () =>
    run(async () => {
      const begun = emptyFlow(t('flows.new.name'), t('flows.new.party'), t('flows.new.step'));
      const { id } = await createFlow(serviceId, begun);
      beganFlow(id);
      await open(id);
    });
  const take = (file: File | null) =>
    file !== null &&
    run(async () => {
      await open((await importFlow(serviceId, new Uint8Array(await file.arrayBuffer()))).id);
    });
  return (
    <Stack gap="sm">
      <Problem error={error} />
      <Group>
        <Button onClick={create} loading={busy}>
          {t('flows.new')}
        </Button>
        <FileButton accept="application/zip,.zip" onChange={take}>
          {(button) => (
            <Button {...button} variant="default" disabled={busy}>
              {t('flows.import')}
            </Button>
          )}
        </FileButton>
      </Group>
    </Stack>
  );
}
