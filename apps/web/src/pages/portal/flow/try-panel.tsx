import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import {
  checkAnswers,
  chooseOutputs,
  documentValues,
  followWay,
  partyView,
  type RunState,
  type StepView,
  valuesOf,
} from '@symbolon/flows';
import { type FormEvent, useEffect, useMemo, useState } from 'react';
import { usePortalText } from '../../../text/portal/index.tsx';
import { useEditor } from './context.ts';
import classes from './panels.module.css';
import { TrialInput } from './trial-input.tsx';

type Answers = Readonly<Record<string, string>>;

/** Answers the flow here, with the code that parties' devices run. Nothing is sent. */
export function TryPanel({ mark }: { mark: (way: readonly string[]) => void }) {
  const { t } = usePortalText();
  const { definition, surroundings, issues } = useEditor();
  const [answers, setAnswers] = useState<Answers>({});
  const [submitted, setSubmitted] = useState<readonly string[]>([]);
  const state = useMemo<RunState>(
    () => ({
      definition,
      fieldTypes: surroundings.fieldTypes,
      answers: new Map(Object.entries(answers)),
      referenceDate: new Date().toISOString().slice(0, 10),
    }),
    [definition, surroundings, answers],
  );
  const way = useMemo(() => followWay(state, new Set(submitted)), [state, submitted]);
  const { nodes, ended } = way;
  useEffect(() => mark(nodes), [mark, nodes]);
  useEffect(() => () => mark([]), [mark]);
  const current = ended ? undefined : definition.nodes.find(({ key }) => key === nodes.at(-1));
  const restart = () => {
    setAnswers({});
    setSubmitted([]);
  };
  const title = (key: string) => definition.nodes.find((node) => node.key === key)?.title || key;
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {t('try.lead')}
      </Text>
      {issues.length > 0 && (
        <Alert variant="light" color="orange">
          {t('try.issues')}
        </Alert>
      )}
      <Text size="sm" aria-live="polite">
        {nodes.map(title).join(' → ')}
      </Text>
      {current !== undefined && (
        <TrialStep
          key={current.key}
          state={state}
          way={nodes}
          node={current.key}
          set={(slug, value) => setAnswers({ ...answers, [slug]: value })}
          submit={() => setSubmitted([...submitted, current.key])}
        />
      )}
      {ended && <TrialEnd state={state} way={nodes} />}
      {submitted.length > 0 && (
        <Group gap="xs">
          <Button
            size="compact-sm"
            h={32}
            variant="default"
            onClick={() => setSubmitted(submitted.slice(0, -1))}
          >
            {t('try.back')}
          </Button>
          <Button size="compact-sm" h={32} variant="default" onClick={restart}>
            {t('try.restart')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

type StepProps = {
  state: RunState;
  way: readonly string[];
  node: string;
  set: (slug: string, value: string) => void;
  submit: () => void;
};

function TrialStep({ state, way, node: key, set, submit }: StepProps) {
  const { t, maybe } = usePortalText();
  const { definition } = state;
  const node = definition.nodes.find((each) => each.key === key);
  const party = definition.parties.find((each) => each.key === node?.party);
  const [wasTried, setTried] = useState(false);
  const tagValues = useSampleTags();
  const view = partyView(state, { way, current: key, tagValues }, node?.party ?? '').steps.find(
    (each) => each.key === key,
  );
  if (node === undefined || view === undefined) return null;
  // What stands in the input as a default counts as an answer.
  const given = new Map(state.answers);
  for (const element of view.elements) {
    if (element.kind === 'field' && !given.has(element.slug) && element.answer !== null)
      given.set(element.slug, element.answer);
  }
  const values = valuesOf({ ...state, answers: given }, way);
  const problems = checkAnswers(node, { ...state, answers: given }, values);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (problems.length > 0) return;
    for (const [slug, value] of given) if (!state.answers.has(slug)) set(slug, String(value));
    submit();
  };
  const errorOf = (slug: string) => {
    const found = wasTried ? problems.find((each) => each.slug === slug) : undefined;
    return found && (maybe(`try.${found.code}`) ?? found.message);
  };
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="sm" className={classes.part}>
        <Stack gap={0}>
          <Text size="xs" c="dimmed">
            {t('try.turn', { party: party?.label || node.party })}
          </Text>
          <Text fw={650}>{view.title}</Text>
        </Stack>
        {view.elements.map((element, index) =>
          element.kind === 'text' ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: texts have no id of their own
            <TrialText key={index} pieces={element.pieces} />
          ) : (
            <TrialInput
              key={element.slug}
              element={element}
              value={String(given.get(element.slug) ?? '')}
              change={(value) => set(element.slug, value)}
              error={errorOf(element.slug)}
            />
          ),
        )}
        <Group>
          <Button type="submit">{t('try.answer', { party: party?.label || node.party })}</Button>
        </Group>
      </Stack>
    </form>
  );
}

type Pieces = Extract<StepView['elements'][number], { kind: 'text' }>['pieces'];

function TrialText({ pieces }: { pieces: Pieces }) {
  return (
    <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
      {pieces
        .map((piece) =>
          piece.kind === 'link' ? `${piece.text}${piece.host ? ` (${piece.host})` : ''}` : piece.text,
        )
        .join('')}
    </Text>
  );
}

/** A trial binds no party: tags of parties show their names. */
function useSampleTags(): ReadonlyMap<string, string> {
  const { definition } = useEditor();
  return useMemo(() => {
    const tags = definition.nodes.flatMap(({ elements }) =>
      elements.flatMap((each) =>
        each.kind === 'text' ? [...(each.body ?? '').matchAll(/\{\{\s*([a-z0-9_.]+)\s*\}\}/gi)] : [],
      ),
    );
    return new Map(tags.map(([, key = '']) => [key.toLowerCase(), `[${key.toLowerCase()}]`]));
  }, [definition]);
}

/** What a run that was answered so has at its end. */
function TrialEnd({ state, way }: { state: RunState; way: readonly string[] }) {
  const { t } = usePortalText();
  const { names, draft } = useEditor();
  const { definition } = state;
  const values = valuesOf(state, way);
  const last = definition.nodes.find(({ key }) => key === way.at(-1));
  const outputs =
    definition.output_mode === 'document' && last ? chooseOutputs(last, values, () => true) : [];
  const fileOf = (key: string | undefined) =>
    draft.flow.assets.find(({ asset_key: each }) => each === key)?.original_name ?? key;
  return (
    <Stack gap="sm" className={classes.part} role="status">
      <Text fw={650}>{t('try.end')}</Text>
      <dl className={classes.values}>
        {Object.entries(documentValues(state, values)).map(([key, text]) => (
          <div key={key}>
            <dt>{names(key)}</dt>
            <dd>{text === '' ? t('try.file') : text}</dd>
          </div>
        ))}
      </dl>
      {outputs.map(({ output, rule }) => (
        <Text key={output.key} size="sm">
          {t('try.document', {
            name: output.name,
            file: fileOf(rule.asset_key) ?? names(rule.source_field ?? ''),
            signers:
              output.signers
                .filter(({ sign, accept }) => sign || accept)
                .map(({ party }) => definition.parties.find(({ key }) => key === party)?.label || party)
                .join(', ') || '–',
          })}
        </Text>
      ))}
    </Stack>
  );
}
