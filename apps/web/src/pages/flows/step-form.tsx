import { Anchor, Select, Stack, Text } from '@mantine/core';
import type { ResolvedFieldType } from '@symbolon/field-types';
import type { AnswerIssue, ElementView, FlowNode } from '@symbolon/flows';
import { ConflictError } from '@symbolon/sdk/device';
import { type FormEvent, useEffect, useMemo, useState } from 'react';
import { ActButtons } from '../../parts/act-buttons.tsx';
import { useExample } from '../../parts/answers/example.ts';
import { FieldInput, typedOf } from '../../parts/answers/field-input.tsx';
import { FilesInput, Sending } from '../../parts/answers/files-input.tsx';
import { PluginInput } from '../../parts/answers/plugin-input.tsx';
import { useOpenFields } from '../../parts/answers/use-open-fields.ts';
import { ChangedKey, isChangedKey } from '../../parts/changed-key.tsx';
import { Problem, useAct } from '../../parts/problem.tsx';
import { Section } from '../../parts/section.tsx';
import { useKeptDraft } from '../../parts/use-kept-draft.ts';
import type { Fields } from '../../platform/fields.ts';
import {
  type AllGiven,
  checkStep,
  draftOfStep,
  type Given,
  recipientsQuery,
  submitStep,
  withoutFiles,
} from '../../platform/flows/answers.ts';
import { type OpenRun, pageFlows, type Run, stepsOf } from '../../platform/flows/runs.ts';
import { useRead } from '../../platform/read.ts';
import type { SignedIn } from '../../platform/session.ts';
import { useInsideText } from '../../text/inside/index.tsx';
import classes from './flow-page.module.css';
import { hasNewParties, NewParties } from './new-parties.tsx';

type Props = {
  open: OpenRun;
  node: FlowNode;
  session: SignedIn;
  done: (run: Run) => Promise<void>;
  /** Another party has answered meanwhile: the run is read again. */
  outdated: () => void;
};

/** The step that waits for the person: texts, fields, and where the answers go. */
export function StepForm(props: Props) {
  const { open, node, session } = props;
  const [begun, setBegun] = useState<{ first: AllGiven; draft: StepDraft }>();
  useEffect(() => {
    const draft = draftOfStep(open.run, node, session);
    draft.read().then((kept) => {
      const first = new Map([...defaultsOf(open, session), ...kept]);
      setBegun({ first, draft });
    });
  }, [open, node, session]);
  return begun === undefined ? null : <Form {...props} {...begun} />;
}

type StepDraft = ReturnType<typeof draftOfStep>;

/** What the step that waits for the person is made of. */
const elementsOf = (open: OpenRun, { person }: SignedIn): readonly ElementView[] =>
  stepsOf(open, person.person_user_id).find(({ current }) => current)?.elements ?? [];

/** What stands in the fields at first. */
function defaultsOf(open: OpenRun, session: SignedIn): AllGiven {
  return new Map(
    elementsOf(open, session).flatMap((element): [string, Given][] => {
      const type = element.kind === 'field' ? open.state.fieldTypes.resolve(element.fieldType) : undefined;
      if (element.kind !== 'field' || type?.lane !== 'inline' || element.answer === null) return [];
      const text =
        typeof element.answer === 'object' ? JSON.stringify(element.answer) : String(element.answer);
      return [[element.slug, { kind: 'value', value: typedOf(type, text) }]];
    }),
  );
}

function Form(props: Props & { first: AllGiven; draft: StepDraft }) {
  const { open, node, session, done, outdated, first, draft } = props;
  const { t, count } = useInsideText();
  const { busy, error, run: attempt, clear } = useAct();
  const { given, update } = useGiven(first, draft);
  const [isTried, setTried] = useState(false);
  const [sent, setSent] = useState<number>();
  const checked = useMemo(() => checkStep(open, node, given), [open, node, given]);
  const elements = useMemo(
    () => elementsOf({ ...open, state: checked.state }, session),
    [open, checked, session],
  );
  const [reading, setReading] = useState(0);
  const issues = isTried ? checked.issues : [];
  const send = () =>
    attempt(async () => {
      try {
        const answered = await submitStep(open, given, setSent);
        draft.drop();
        await done(answered);
      } catch (failure) {
        if (failure instanceof ConflictError && failure.errorKey === 'flows.not_your_turn') outdated();
        throw failure;
      } finally {
        setSent(undefined);
      }
    });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (checked.issues.length === 0) send();
  };
  const answers = checked.texts.size;
  return (
    <Section title={node.title} lead={t('flows.step.lead')}>
      <form onSubmit={submit} noValidate className={classes.form}>
        <Stack gap="lg">
          <Elements
            open={open}
            elements={elements}
            given={given}
            issues={issues}
            update={(slug, next) => {
              clear();
              update(slug, next);
            }}
            reading={(by) => setReading((files) => files + by)}
          />
          <Text size="sm" c="dimmed">
            {t('flows.goesTo', { parties: partiesOf(open, session, t('flows.you')) })}
          </Text>
          {issues.length > 0 && (
            <Text c="var(--mantine-color-error)" role="alert">
              {t('flows.wrong')}
            </Text>
          )}
          {isChangedKey(error) ? (
            <Changed open={open} session={session} error={error} confirmed={send} />
          ) : hasNewParties(error) ? (
            <NewParties open={open} error={error} taken={send} />
          ) : (
            <Problem error={error} />
          )}
          <Sending sent={sent} />
          <div className={classes.send}>
            <ActButtons
              label={answers === 0 ? t('flows.send.none') : count('flows.send', answers)}
              busy={busy}
              disabled={reading > 0}
            />
          </div>
        </Stack>
      </form>
    </Section>
  );
}

/** What the person has answered so far, kept as a draft. */
function useGiven(first: AllGiven, draft: StepDraft) {
  const [given, setGiven] = useState(first);
  const typed = useMemo(() => (given === first ? undefined : withoutFiles(given)), [given, first]);
  useKeptDraft(draft, typed);
  const update: Update = (slug, next) =>
    setGiven((before) => {
      const answer = next(before.get(slug));
      const others = new Map([...before].filter(([key]) => key !== slug));
      return answer === undefined ? others : others.set(slug, answer);
    });
  return { given, update };
}

type Update = (slug: string, next: (now: Given | undefined) => Given | undefined) => void;

/** The texts and fields of the step, in its order. */
function Elements(props: {
  open: OpenRun;
  elements: readonly ElementView[];
  given: AllGiven;
  issues: readonly AnswerIssue[];
  update: Update;
  reading: (by: 1 | -1) => void;
}) {
  const { open, elements, given, issues, update, reading } = props;
  const { t } = useInsideText();
  const { found: fields } = useOpenFields();
  const [plugins] = useState(() => pageFlows().plugins(open.run));
  return elements.map((element, index) => {
    if (element.kind === 'text')
      // biome-ignore lint/suspicious/noArrayIndexKey: texts have no keys, and stay in their order
      return <Body key={index} pieces={element.pieces} />;
    const issue = issues.find(({ slug }) => slug === element.slug);
    const common = {
      answer: given.get(element.slug),
      give: (answer: Given | undefined) => update(element.slug, () => answer),
    };
    return element.kind === 'plugin' ? (
      <PluginInput
        key={element.slug}
        plugins={plugins}
        element={element}
        {...common}
        error={issue && t(`flows.issue.${issue.code}`)}
        answer={common.answer?.kind === 'plugin' ? common.answer : undefined}
      />
    ) : (
      <FieldElement
        key={element.slug}
        element={element}
        type={open.state.fieldTypes.resolve(element.fieldType)}
        issue={issue}
        fields={fields}
        update={(next) => update(element.slug, next)}
        reading={reading}
        {...common}
      />
    );
  });
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

/** A text with its values in it. */
function Body({ pieces }: { pieces: Extract<ElementView, { kind: 'text' }>['pieces'] }) {
  const { t } = useInsideText();
  return (
    <Text style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
      {pieces.map((piece, index) =>
        piece.kind === 'link' && piece.href !== null ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces stay in their order
          <span key={index}>
            <Anchor href={piece.href} target="_blank" rel="noopener noreferrer">
              {piece.text}
            </Anchor>{' '}
            ({piece.host})
          </span>
        ) : piece.kind === 'missing' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces stay in their order
          <Text key={index} span c="dimmed" fs="italic" title={t('flows.notFilled')}>
            {piece.text}
          </Text>
        ) : (
          piece.text
        ),
      )}
    </Text>
  );
}

type FieldProps = {
  element: Extract<ElementView, { kind: 'field' }>;
  type: ResolvedFieldType | undefined;
  fields: Fields | undefined;
  answer: Given | undefined;
  give: (answer: Given | undefined) => void;
  update: (next: (now: Given | undefined) => Given | undefined) => void;
  reading: (by: 1 | -1) => void;
  issue: AnswerIssue | undefined;
};

function FieldElement({ element, type, fields, answer, give, update, reading, issue }: FieldProps) {
  const { t } = useInsideText();
  const exampleOf = useExample();
  if (type === undefined) return null;
  const example = issue?.code === 'value_invalid' ? exampleOf(type) : undefined;
  const error = issue && [t(`flows.issue.${issue.code}`), example].filter(Boolean).join(' ');
  const { required, min, max } = element;
  const label = required ? element.label : t('flows.optional', { label: element.label });
  if (type.lane !== 'inline') {
    const contentOf = (given: Given | undefined) =>
      given?.kind === 'file' ? given.content : { type, chosen: {}, entries: {} };
    return (
      <Stack gap="xs" role="group" aria-label={label}>
        <Text fw={550}>{label}</Text>
        <FilesInput
          type={type}
          label={label}
          content={contentOf(answer)}
          change={(next) =>
            update((now) => {
              const { chosen, entries } = next(contentOf(now));
              return Object.keys(chosen).length === 0
                ? undefined
                : { kind: 'file', content: { type, chosen, entries } };
            })
          }
          reading={reading}
        />
        {error !== undefined && (
          <Text size="sm" c="var(--mantine-color-error)">
            {error}
          </Text>
        )}
      </Stack>
    );
  }
  const hint =
    min !== null && max !== null
      ? t('flows.between', { least: min, most: max })
      : min !== null
        ? t('flows.least', { least: min })
        : max !== null
          ? t('flows.most', { most: max })
          : undefined;
  return (
    <Stack gap={6}>
      <FieldInput
        type={type}
        label={label}
        options={element.choices ?? undefined}
        required={false}
        hint={hint}
        error={error}
        value={answer?.kind === 'value' ? answer.value : typedOf(type, '')}
        change={(value) => give({ kind: 'value', value })}
      />
      <FromMyData element={element} type={type} fields={fields} give={give} />
    </Stack>
  );
}

/** Takes the answer from the person's own fields. */
function FromMyData({
  element,
  type,
  fields,
  give,
}: Pick<FieldProps, 'element' | 'fields' | 'give'> & { type: ResolvedFieldType }) {
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
