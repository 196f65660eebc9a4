import { Alert, Button, Stack } from '@mantine/core';
import type { FlowNode } from '@symbolon/flows';
import type { FlowRun, FlowRunStep } from '@symbolon/protocol';
import type { OpenFlowRun } from '@symbolon/sdk/device';
import { useLocation } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { GivenStep } from '../../../parts/answers/given-step.tsx';
import { MakingDocuments } from '../../../parts/answers/making-documents.tsx';
import { StepForm } from '../../../parts/answers/step-form.tsx';
import { Loaded } from '../../../parts/loaded.tsx';
import { usePortalLogin } from '../../../parts/portal/portal-page.tsx';
import { ServiceKeyForm } from '../../../parts/portal/service-key-form.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { isWrongKey, lockServiceKey, type OpenKey, useServiceKey } from '../../../platform/portal/copies.ts';
import type { Customers } from '../../../platform/portal/customers.ts';
import type { FlowPlace } from '../../../platform/portal/flows.ts';
import {
  answeredSteps,
  draftOfRun,
  makeRunDocuments,
  openRunQuery,
  pluginsOfRun,
  runFileQuery,
  submitRun,
} from '../../../platform/portal/run-answers.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Group } from '../../../ui/group.tsx';
import { AnswerFile } from '../customers/answer-file.tsx';
import { customersIn, isBoundOtherwise, stepOf, turnOf } from './state.ts';

interface Props {
  readonly place: FlowPlace;
  readonly run: FlowRun;
  readonly steps: readonly FlowRunStep[];
  readonly customers: Customers;
  /** The login may answer in the name of the company. */
  readonly mayAnswer: boolean;
  readonly reload: () => Promise<void>;
}

/** What was answered, opened in this browser, and the step that waits for the company. */
export function RunAnswers(props: Props) {
  const { place, run, steps, mayAnswer } = props;
  const { t } = usePortalText();
  const key = useServiceKey(place.serviceId);
  const read = useRead(key && openRunQuery(place, run, key));
  const turn = mayAnswer ? turnOf(run, steps) : undefined;
  const here = useRef<HTMLDivElement>(null);
  const { hash } = useLocation();
  useEffect(() => {
    if (hash === 'now' && turn === 'answer') here.current?.focus();
  }, [hash, turn]);
  const isEmpty = !run.answers.some(({ for_user_id: user }) => user === run.company_user_id);
  if (turn === undefined && isEmpty) return null;
  return (
    <Stack ref={here} tabIndex={-1} gap="lg">
      {key === undefined || isWrongKey(read.error) ? (
        <>
          <Problem error={read.error} />
          <ServiceKeyForm
            serviceId={place.serviceId}
            title={t(`run.key.${turn ?? 'read'}`, { step: stepOf(run) ?? t('board.step.unknown') })}
          />
        </>
      ) : (
        <Loaded of={read} height={240}>
          {(open) => <Opened {...props} open={open} serviceKey={key} />}
        </Loaded>
      )}
    </Stack>
  );
}

type OpenedProps = Props & { open: OpenFlowRun; serviceKey: OpenKey };

function Opened(props: OpenedProps) {
  const { place, run, customers, mayAnswer, reload, open, serviceKey } = props;
  const { t } = usePortalText();
  const isSound = open.issues.length === 0 && open.isConsistent && !isBoundOtherwise(run, customers);
  const { fieldTypes } = open.state;
  const answered = answeredSteps(open);
  return (
    <>
      <Group
        title={t('run.answers')}
        aside={
          <Button variant="default" size="sm" onClick={() => lockServiceKey(place.serviceId)}>
            {t('customer.lock')}
          </Button>
        }
        {...(answered.length === 0 && { lead: t('run.answers.none') })}
      >
        <Stack gap="sm">
          {answered.map((step) => (
            <GivenStep
              key={step.key}
              step={step}
              fieldTypes={fieldTypes}
              file={({ slug, label }) => (
                <AnswerFile
                  label={label}
                  query={(report) => runFileQuery(place, { run, key: serviceKey, slug }, report)}
                />
              )}
            />
          ))}
        </Stack>
      </Group>
      {!isSound && (
        <Alert color="orange" variant="light">
          {t('run.inconsistent')}
        </Alert>
      )}
      {mayAnswer && isSound && open.step !== null && (
        <CompanyStep key={open.step.key} {...props} node={open.step} />
      )}
      {mayAnswer && isSound && open.isGenerator && (
        <MakingDocuments make={() => makeRunDocuments(place, run, serviceKey)} made={reload} />
      )}
    </>
  );
}

/** The step that waits for the company. */
function CompanyStep({
  place,
  customers,
  reload,
  open,
  serviceKey: key,
  node,
}: OpenedProps & { node: FlowNode }) {
  const { t } = usePortalText();
  const { login, company } = usePortalLogin();
  const { run } = open;
  const draft = useMemo(() => draftOfRun(place, run, node, login.id), [place, run, node, login.id]);
  const [plugins] = useState(() => pluginsOfRun(place, run, key));
  return (
    <StepForm
      {...{ open, node, draft, plugins }}
      parties={partiesOf(run, customers, company.name)}
      submit={async (given, report) => {
        await submitRun(place, { open, key }, given, report);
        draft.drop();
        await reload();
      }}
      outdated={reload}
    />
  );

  /** Everybody who gets a copy, by the labels of their parties. */
  function partiesOf(
    { definition, bindings, company_user_id: companyId }: FlowRun,
    all: Customers,
    own: string,
  ) {
    const theirs = new Map(customersIn(run, all).map(({ key: party, customer }) => [party, customer]));
    return definition.parties
      .filter((party) => Object.hasOwn(bindings, party.key))
      .map((party) => {
        const name = bindings[party.key] === companyId ? own : theirs.get(party.key)?.display_name;
        const label = party.label || party.key;
        return name === undefined ? label : t('run.party', { party: label, name });
      })
      .join(', ');
  }
}
