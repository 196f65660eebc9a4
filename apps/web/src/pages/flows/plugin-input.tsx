import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import type { ElementView } from '@symbolon/flows';
import type { PluginAnswer } from '@symbolon/protocol';
import { useEffect, useState } from 'react';
import { Problem, useAct } from '../../parts/problem.tsx';
import type { Given } from '../../platform/flows/answers.ts';
import {
  type PluginQuestion,
  pluginAnswer,
  pluginOptions,
  pluginOutputs,
} from '../../platform/flows/plugins.ts';
import { useText } from '../../text/index.tsx';

type Element = Extract<ElementView, { kind: 'plugin' }>;
type Props = {
  runId: string;
  element: Element;
  answer: Given | undefined;
  give: (answer: Given | undefined) => void;
  error: string | undefined;
};
type Block = PluginAnswer['blocks'][number];

/** A field that the company's own server answers: what to search for or type, and what comes of it. */
export function PluginInput({ runId, element, answer, give, error }: Props) {
  const { t } = useText();
  const { busy, error: failure, run } = useAct();
  const [isInvalid, setInvalid] = useState(false);
  const known = parsed(answer);
  const { snapshot, slug, label } = element;
  if (snapshot === null) return null;
  const blocks = known?.blocks ?? [];
  const inputs = Object.fromEntries([...element.inputs].map(([key, value]) => [key, scalar(value)] as const));
  const question: PluginQuestion = { runId, slug, blocks, inputs };
  const plugin = { plugin_id: element.pluginId, field_type: element.fieldType };
  const set = (next: readonly Block[]) => {
    setInvalid(false);
    const ordered = snapshot.blocks.flatMap(({ key }) => next.find((block) => block.key === key) ?? []);
    if (ordered.length === 0) return give(undefined);
    // Without outputs it is not finished, and counts as no answer.
    const { outputs: _, ...unfinished } = JSON.parse(pluginAnswer(plugin, snapshot, ordered, {}));
    give({ kind: 'plugin', text: JSON.stringify(unfinished) });
    const isWhole = snapshot.blocks.every(
      ({ key, required }) => !required || ordered.some((block) => block.key === key),
    );
    if (isWhole && ordered.every(({ id }) => id !== undefined)) finish(ordered);
  };
  const finish = (filled: readonly Block[]) =>
    run(async () => {
      const outputs = await pluginOutputs({ ...question, blocks: filled });
      setInvalid(outputs === undefined);
      if (outputs !== undefined)
        give({ kind: 'plugin', text: pluginAnswer(plugin, snapshot, filled, outputs) });
    });
  const put = (block: Block | undefined, key: string) =>
    set([...blocks.filter((each) => each.key !== key), ...(block ? [block] : [])]);
  const isFinished = known?.outputs !== undefined;
  return (
    <Stack gap="xs" role="group" aria-label={label}>
      <Text fw={550}>{element.required ? label : t('flows.optional', { label })}</Text>
      <Text size="sm" c="dimmed">
        {t('flows.plugin.by', { plugin: snapshot.plugin_name ?? label, host: snapshot.host ?? '' })}
      </Text>
      {snapshot.blocks.map((block) => {
        const filled = blocks.find(({ key }) => key === block.key);
        return block.kind === 'search_select' ? (
          <Search key={block.key} question={question} block={block} filled={filled} put={put} />
        ) : (
          <TextInput
            key={block.key}
            label={block.label}
            type={block.kind === 'date' ? 'date' : 'text'}
            {...(block.kind === 'number' && { inputMode: 'decimal' as const })}
            value={filled?.value == null ? '' : String(filled.value)}
            onChange={({ currentTarget: { value } }) =>
              put(value === '' ? undefined : { ...named(block), value: typed(block.kind, value) }, block.key)
            }
          />
        );
      })}
      {isInvalid && <Text c="var(--mantine-color-error)">{t('flows.plugin.invalid')}</Text>}
      <Problem error={failure} />
      {known?.outputs?.map((output) => (
        <Text key={output.key} size="sm">
          {output.label}: {output.value === null ? '–' : String(output.value)}
        </Text>
      ))}
      {blocks.length > 0 && !isFinished && (
        <Group>
          <Button variant="default" loading={busy} onClick={() => finish(blocks)}>
            {t('flows.plugin.compute', { label })}
          </Button>
        </Group>
      )}
      {error !== undefined && (
        <Text size="sm" c="var(--mantine-color-error)">
          {error}
        </Text>
      )}
    </Stack>
  );
}

type Described = NonNullable<Element['snapshot']>['blocks'][number];

/** A choice of what the plugin finds. */
function Search(props: {
  question: PluginQuestion;
  block: Described;
  filled: Block | undefined;
  put: (block: Block | undefined, key: string) => void;
}) {
  const { question, block, filled, put } = props;
  const { t } = useText();
  const { error, run } = useAct();
  const [query, setQuery] = useState('');
  const [found, setFound] = useState<Awaited<ReturnType<typeof pluginOptions>>>();
  const { runId, slug } = question;
  const asked = JSON.stringify([question.blocks.filter(({ key }) => key !== block.key), question.inputs]);
  useEffect(() => {
    // What was chosen stands in the field as it is.
    if (query === '' || query === String(filled?.value ?? '')) return;
    const [blocks, inputs] = JSON.parse(asked);
    let isCurrent = true;
    const timer = setTimeout(
      () =>
        run(async () => {
          const options = await pluginOptions({ runId, slug, blocks, inputs }, block.key, query);
          if (isCurrent) setFound(options);
        }),
      TYPED_MS,
    );
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [query, asked, runId, slug, block.key, filled?.value, run]);
  const chosen = filled?.id === undefined ? [] : [{ value: filled.id, label: String(filled.value) }];
  const options = (found?.options ?? []).map(({ id, label }) => ({ value: id, label }));
  const data = [...options, ...chosen.filter(({ value }) => options.every((each) => each.value !== value))];
  return (
    <>
      <Select
        label={block.label}
        placeholder={t('flows.plugin.search')}
        description={found?.more ? t('flows.plugin.more') : undefined}
        nothingFoundMessage={found && query !== '' ? t('flows.plugin.nothing') : undefined}
        searchable
        clearable
        // The plugin has filtered already.
        filter={({ options: all }) => all}
        data={data}
        searchValue={query}
        onSearchChange={setQuery}
        value={filled?.id ?? null}
        onChange={(id, option) =>
          put(id === null ? undefined : { ...named(block), id, value: option?.label ?? id }, block.key)
        }
      />
      <Problem error={error} />
    </>
  );
}

/** After the last letter, so that not every letter is a call. */
const TYPED_MS = 250;

const named = ({ key, kind, label }: Described) => ({ key, kind, label });
const typed = (kind: Block['kind'], value: string) =>
  kind === 'number' && Number.isFinite(Number(value)) ? Number(value) : value;

function scalar(value: unknown): string | number | boolean | null {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

function parsed(answer: Given | undefined): Partial<PluginAnswer> | undefined {
  return answer?.kind === 'plugin' ? JSON.parse(answer.text) : undefined;
}
