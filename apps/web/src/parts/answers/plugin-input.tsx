import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import type { PluginSnapshot } from '@symbolon/protocol';
import { type FilledBlocks, type PluginFields, type PluginOption, pluginAnswer } from '@symbolon/sdk/device';
import { type ReactNode, useEffect, useState } from 'react';
import type { PluginGiven } from '../../platform/given.ts';
import { useText } from '../../text/index.tsx';
import { Problem, useAct } from '../problem.tsx';

/** What asks: an element of a flow, a row of a service or a claim of a site. */
type Element = {
  readonly slug: string;
  readonly label: string;
  readonly required: boolean;
  readonly snapshot: PluginSnapshot | null;
  readonly inputs: ReadonlyMap<string, unknown>;
};
type Block = PluginSnapshot['blocks'][number];
type Filled = NonNullable<Parameters<PluginFields['outputs']>[1]>;
type Props = {
  plugins: PluginFields;
  element: Element;
  answer: PluginGiven | undefined;
  give: (answer: PluginGiven | undefined) => void;
  error: string | undefined;
  /** Stands below the label. */
  why?: ReactNode;
};

/** A field that the company's own server answers: what to search for or type, and what comes of it. */
export function PluginInput({ plugins, element, answer, give, error, why }: Props) {
  const { t } = useText();
  const { busy, error: failure, run } = useAct();
  const [isInvalid, setInvalid] = useState(false);
  const { snapshot, slug, label } = element;
  if (snapshot === null) return null;
  const { blocks = {}, text } = answer ?? {};
  const isWhole = (filled: FilledBlocks) =>
    snapshot.blocks.every(({ key, required }) => !required || filled[key] !== undefined);
  const finish = (filled: FilledBlocks) =>
    run(async () => {
      const computed = await plugins.outputs(slug, filledOf(element, filled));
      setInvalid('picksInvalid' in computed);
      if ('picksInvalid' in computed) return;
      const finished = pluginAnswer(await plugins.spec(slug), filled, computed.outputs);
      give({ kind: 'plugin', blocks: filled, text: finished });
    });
  const put = (key: string, value: PluginOption | string | number | undefined) => {
    setInvalid(false);
    const { [key]: _, ...others } = blocks;
    const filled = value === undefined ? others : { ...others, [key]: value };
    give(Object.keys(filled).length === 0 ? undefined : { kind: 'plugin', blocks: filled });
    // What is typed is not whole after each letter; what is picked is.
    if (isWhole(filled) && typeof value === 'object') finish(filled);
  };
  return (
    <Stack gap="xs" role="group" aria-label={label}>
      <Text fw={550}>{element.required ? label : t('flows.optional', { label })}</Text>
      {why}
      <Text size="sm" c="dimmed">
        {snapshot.host
          ? t('flows.plugin.by', { plugin: snapshot.plugin_name ?? label, host: snapshot.host })
          : t('flows.plugin.byPlatform', { plugin: snapshot.plugin_name ?? label })}
      </Text>
      {snapshot.blocks.map((block) =>
        block.kind === 'search_select' ? (
          <Search
            key={block.key}
            plugins={plugins}
            element={element}
            block={block}
            blocks={blocks}
            put={(value) => put(block.key, value)}
          />
        ) : (
          <TextInput
            key={block.key}
            label={block.label}
            type={block.kind === 'date' ? 'date' : 'text'}
            autoComplete="on"
            {...(block.kind === 'number' && { inputMode: 'decimal' as const })}
            value={String(blocks[block.key] ?? '')}
            onChange={({ currentTarget: { value } }) => put(block.key, typedOf(block, value))}
          />
        ),
      )}
      {isInvalid && <Text c="var(--mantine-color-error)">{t('flows.plugin.invalid')}</Text>}
      <Problem error={failure} />
      {text === undefined ? (
        isWhole(blocks) && (
          <Group>
            <Button variant="default" loading={busy} onClick={() => finish(blocks)}>
              {t('flows.plugin.compute', { label })}
            </Button>
          </Group>
        )
      ) : (
        <Outputs text={text} />
      )}
      {error !== undefined && (
        <Text size="sm" c="var(--mantine-color-error)">
          {error}
        </Text>
      )}
    </Stack>
  );
}

/** What the plugin computed. */
function Outputs({ text }: { text: string }) {
  const { outputs } = JSON.parse(text) as { outputs: { key: string; label: string; value: unknown }[] };
  return (
    <div role="status">
      {outputs.map(({ key, label, value }) => (
        <Text key={key} size="sm">
          {label}: {value === null ? '–' : String(value)}
        </Text>
      ))}
    </div>
  );
}

/** A choice of what the plugin finds. */
function Search(props: {
  plugins: PluginFields;
  element: Element;
  block: Block;
  blocks: FilledBlocks;
  put: (value: PluginOption | undefined) => void;
}) {
  const { plugins, element, block, blocks, put } = props;
  const { t } = useText();
  const { error, run } = useAct();
  const [query, setQuery] = useState('');
  const [found, setFound] = useState<{ options: readonly PluginOption[]; more: boolean }>();
  const filled = blocks[block.key];
  const chosen = typeof filled === 'object' ? filled : undefined;
  const { [block.key]: _, ...others } = blocks;
  const asked = JSON.stringify(filledOf(element, others));
  useEffect(() => {
    // What was chosen stands in the field as it is.
    if (query === '' || query === chosen?.label) return;
    let isCurrent = true;
    const timer = setTimeout(
      () =>
        run(async () => {
          const offered = await plugins.options(element.slug, block.key, query, JSON.parse(asked));
          if (isCurrent) setFound('picksInvalid' in offered ? { options: [], more: false } : offered);
        }),
      TYPED_MS,
    );
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [query, asked, plugins, element.slug, block.key, chosen?.label, run]);
  const options = new Map((found?.options ?? []).map((option) => [option.id, option]));
  if (chosen !== undefined) options.set(chosen.id, chosen);
  return (
    <>
      <Select
        label={block.label}
        placeholder={t('flows.plugin.search')}
        description={found?.more ? t('flows.plugin.more') : undefined}
        nothingFoundMessage={found && query !== '' ? t('flows.plugin.nothing') : undefined}
        autoComplete="off"
        searchable
        clearable
        // The plugin has filtered already.
        filter={({ options: all }) => all}
        data={[...options.values()].map(({ id, label }) => ({ value: id, label }))}
        searchValue={query}
        onSearchChange={setQuery}
        value={chosen?.id ?? null}
        onChange={(id) => put(id === null ? undefined : options.get(id))}
      />
      <Problem error={error} />
    </>
  );
}

/** After the last letter, so that not every letter is a call. */
const TYPED_MS = 250;

function typedOf({ kind }: Block, text: string): string | number | undefined {
  if (text === '') return undefined;
  return kind === 'number' && Number.isFinite(Number(text)) ? Number(text) : text;
}

/** What is sent to the plugin. */
function filledOf({ inputs }: Element, blocks: FilledBlocks): Filled {
  const entries = Object.entries(blocks);
  return {
    picks: Object.fromEntries(
      entries.flatMap(([key, value]) => (typeof value === 'object' ? [[key, value.id]] : [])),
    ),
    values: Object.fromEntries(
      entries.flatMap(([key, value]) =>
        typeof value === 'object' || value === undefined ? [] : [[key, value]],
      ),
    ),
    inputs: Object.fromEntries([...inputs].map(([key, value]) => [key, scalarOf(value)])),
  };
}

function scalarOf(value: unknown): string | number | boolean | null {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}
