import { Stack, Text } from '@mantine/core';
import type { FlowNode } from '@symbolon/flows';
import { ConflictError, type OpenFlowRun, type PluginFields } from '@symbolon/sdk/device';
import { type FormEvent, type ReactNode, useEffect, useMemo, useState } from 'react';
import type { Draft } from '../../platform/drafts.ts';
import { type AllGiven, checkStep, elementsOf, type Given, withoutFiles } from '../../platform/flows/step.ts';
import type { Report } from '../../platform/uploads.ts';
import { useInsideText } from '../../text/inside/index.tsx';
import { ActButtons } from '../act-buttons.tsx';
import { Problem, useAct } from '../problem.tsx';
import { Section } from '../section.tsx';
import { useKeptDraft } from '../use-kept-draft.ts';
import { typedOf } from './field-input.tsx';
import { Sending } from './files-input.tsx';
import { type Beside, StepElements, type UpdateGiven } from './step-elements.tsx';
import classes from './step-form.module.css';

interface Props {
  readonly open: OpenFlowRun;
  readonly node: FlowNode;
  /** What was begun of the step: another object is another draft. */
  readonly draft: Draft<Given>;
  readonly plugins: PluginFields;
  /** Everybody who gets a copy. */
  readonly parties: string;
  readonly submit: (given: AllGiven, report: Report) => Promise<void>;
  /** Somebody has answered meanwhile: the run is read again. */
  readonly outdated: () => void;
  readonly beside?: Beside;
  /** What is shown instead of an error; `again` sends once more. */
  readonly instead?: (error: unknown, again: () => void) => ReactNode;
}

/** The step that waits for who looks at it: texts, fields, and where the answers go. */
export function StepForm(props: Props) {
  const { open, node, draft } = props;
  const [begun, setBegun] = useState<{ first: AllGiven; draft: Draft<Given> }>();
  useEffect(() => {
    draft.read().then((kept) => {
      const first = new Map([...defaultsOf(open, node), ...kept]);
      setBegun({ first, draft });
    });
  }, [open, node, draft]);
  return begun === undefined ? null : <Form {...props} {...begun} />;
}

/** What stands in the fields at first. */
function defaultsOf(open: OpenFlowRun, node: FlowNode): AllGiven {
  return new Map(
    elementsOf(open, node).flatMap((element): [string, Given][] => {
      const type = element.kind === 'field' ? open.state.fieldTypes.resolve(element.fieldType) : undefined;
      if (element.kind !== 'field' || type?.lane !== 'inline' || element.answer === null) return [];
      const text =
        typeof element.answer === 'object' ? JSON.stringify(element.answer) : String(element.answer);
      return [[element.slug, { kind: 'value', value: typedOf(type, text) }]];
    }),
  );
}

function Form(props: Props & { first: AllGiven }) {
  const { open, node, draft, plugins, parties, submit, outdated, beside, instead, first } = props;
  const { t, count } = useInsideText();
  const { busy, error, run: attempt, clear } = useAct();
  const { given, update } = useGiven(first, draft);
  const [isTried, setTried] = useState(false);
  const [sent, setSent] = useState<number>();
  const checked = useMemo(() => checkStep(open, node, given), [open, node, given]);
  const elements = useMemo(() => elementsOf({ ...open, state: checked.state }, node), [open, node, checked]);
  const [reading, setReading] = useState(0);
  const issues = isTried ? checked.issues : [];
  const send = () =>
    attempt(async () => {
      try {
        await submit(given, setSent);
      } catch (failure) {
        if (failure instanceof ConflictError && failure.errorKey === 'flows.not_your_turn') outdated();
        throw failure;
      } finally {
        setSent(undefined);
      }
    });
  const tryToSend = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (checked.issues.length === 0) send();
  };
  const answers = checked.texts.size;
  return (
    <Section title={node.title} lead={t('flows.step.lead')}>
      <form onSubmit={tryToSend} noValidate className={classes.form}>
        <Stack gap="lg">
          <StepElements
            fieldTypes={open.state.fieldTypes}
            plugins={plugins}
            elements={elements}
            given={given}
            issues={issues}
            update={(slug, next) => {
              clear();
              update(slug, next);
            }}
            reading={(by) => setReading((files) => files + by)}
            beside={beside}
          />
          <Text size="sm" c="dimmed">
            {t('flows.goesTo', { parties })}
          </Text>
          {issues.length > 0 && (
            <Text c="var(--mantine-color-error)" role="alert">
              {t('flows.wrong')}
            </Text>
          )}
          {instead?.(error, send) ?? <Problem error={error} />}
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

/** What was answered so far, kept as a draft. */
function useGiven(first: AllGiven, draft: Draft<Given>) {
  const [given, setGiven] = useState(first);
  const typed = useMemo(() => (given === first ? undefined : withoutFiles(given)), [given, first]);
  useKeptDraft(draft, typed);
  const update: UpdateGiven = (slug, next) =>
    setGiven((before) => {
      const answer = next(before.get(slug));
      const others = new Map([...before].filter(([key]) => key !== slug));
      return answer === undefined ? others : others.set(slug, answer);
    });
  return { given, update };
}
