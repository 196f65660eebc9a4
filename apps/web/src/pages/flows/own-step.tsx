import { Select } from '@mantine/core';
import type { FlowNode } from '@symbolon/flows';
import { useMemo, useState } from 'react';
import { typedOf } from '../../parts/answers/field-input.tsx';
import type { Beside } from '../../parts/answers/step-elements.tsx';
import { StepForm } from '../../parts/answers/step-form.tsx';
import { useOpenFields } from '../../parts/answers/use-open-fields.ts';
import { ChangedKey, isChangedKey } from '../../parts/changed-key.tsx';
import { Problem } from '../../parts/problem.tsx';
import type { Fields } from '../../platform/fields.ts';
import { draftOfStep, recipientsQuery, submitStep } from '../../platform/flows/answers.ts';
import { type OpenRun, pageFlows, type Run } from '../../platform/flows/runs.ts';
import { useRead } from '../../platform/read.ts';
import type { SignedIn } from '../../platform/session.ts';
import { useInsideText } from '../../text/inside/index.tsx';
import { hasNewParties, NewParties } from './new-parties.tsx';

type Props = {
  open: OpenRun;
  node: FlowNode;
  session: SignedIn;
  done: (run: Run) => Promise<void>;
  /** Another party has answered meanwhile: the run is read again. */
  outdated: () => void;
};

/** The step that waits for the person. */
export function OwnStep({ open, node, session, done, outdated }: Props) {
  const { t } = useInsideText();
  const draft = useMemo(() => draftOfStep(open.run, node, session), [open, node, session]);
  const [plugins] = useState(() => pageFlows().plugins(open.run));
  const { found: fields } = useOpenFields();
  return (
    <StepForm
      {...{ open, node, draft, plugins, outdated }}
      parties={partiesOf(open, session, t('flows.you'))}
      submit={async (given, report) => {
        const answered = await submitStep(open, given, report);
        draft.drop();
        await done(answered);
      }}
      beside={(field) => <FromMyData {...field} fields={fields} />}
      instead={(error, again) =>
        isChangedKey(error) ? (
          <Changed open={open} session={session} error={error} confirmed={again} />
        ) : hasNewParties(error) ? (
          <NewParties open={open} error={error} taken={again} />
        ) : undefined
      }
    />
  );
}

/** Everybody who gets a copy, by the labels of their parties. */
function partiesOf({ run, state }: OpenRun, { person }: SignedIn, you: string): string {
  const labels = state.definition.parties
    .filter(({ key }) => Object.hasOwn(run.bindings, key))
    .map(({ key, label }) => {
      if (run.bindings[key] === person.person_user_id) return `${label} (${you})`;
      return run.bindings[key] === run.company_user_id ? `${label} (${run.company.display_name})` : label;
    });
  return labels.join(', ');
}

/** Takes the answer from the person's own fields. */
function FromMyData({ element, type, fields, give }: Parameters<Beside>[0] & { fields: Fields | undefined }) {
  const { t } = useInsideText();
  const usable = (fields?.fields ?? []).filter(
    (field) =>
      field.text &&
      element.choices === null &&
      (field.type === type.type || fields?.types.resolved.get(field.type)?.lineage.includes(type.type)),
  );
  if (usable.length === 0) return null;
  return (
    <Select
      size="sm"
      autoComplete="off"
      aria-label={t('flows.from.mine', { label: element.label })}
      placeholder={t('flows.from.mine', { label: element.label })}
      data={usable.map(({ id, label }) => ({ value: id, label }))}
      value={null}
      onChange={(id) => {
        const field = usable.find((each) => each.id === id);
        if (field?.text)
          give({ kind: 'value', value: typedOf(type, field.text), isPrivate: field.isPrivate });
      }}
    />
  );
}

/** A party has another key than before. */
function Changed(props: {
  open: OpenRun;
  session: SignedIn;
  error: Parameters<typeof ChangedKey>[0]['error'];
  confirmed: () => void;
}) {
  const { open, session, error, confirmed } = props;
  const { t } = useInsideText();
  const { run } = open;
  const { found: keys } = useRead(recipientsQuery(run, session));
  const company = run.company.display_name;
  const isService = error.errorKey === 'sdk.service_key_changed';
  const id = String(isService ? run.service_id : error.details.person_id);
  const publicKey = keys?.get(isService ? run.company_user_id : id);
  if (publicKey === undefined) return <Problem error={error} />;
  const party = Object.entries(run.bindings).find(([, user]) => user === id)?.[0];
  const label = open.state.definition.parties.find(({ key }) => key === party)?.label;
  const name = isService ? company : (label ?? company);
  return (
    <ChangedKey
      error={error}
      named={{ kind: isService ? 'service' : 'person', id, publicKey }}
      name={name}
      company={name}
      label={t('keys.confirm')}
      confirmed={confirmed}
    />
  );
}
