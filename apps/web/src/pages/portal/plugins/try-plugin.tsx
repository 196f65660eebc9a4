import { NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import type { Plugin, PluginFieldType } from '@symbolon/protocol';
import { useState } from 'react';
import { PluginInput } from '../../../parts/answers/plugin-input.tsx';
import type { PluginGiven } from '../../../platform/given.ts';
import { pluginToTry, snapshotOf } from '../../../platform/portal/plugins.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Sheet } from '../../../ui/sheet.tsx';

/** What a plugin offers, as people meet it. Nothing of it is kept. */
export function TryPlugin(props: { plugin: Plugin; name: string; close: () => void }) {
  const { plugin, name, close } = props;
  const { t } = usePortalText();
  const { field_types: types } = plugin;
  const [key, setKey] = useState(types[0]?.key);
  const type = types.find((each) => each.key === key);
  return (
    <Sheet title={t('plugins.try.title', { name })} opened close={close} closeLabel={t('app.close')}>
      <Stack>
        <Text size="sm">{t('plugins.try.text')}</Text>
        {types.length > 1 && (
          <NativeSelect
            label={t('plugins.try.type')}
            autoComplete="off"
            data={types.map(({ key: value, label }) => ({ value, label }))}
            value={key}
            onChange={({ currentTarget: { value } }) => setKey(value)}
          />
        )}
        {type && <Trial key={type.key} plugin={plugin} type={type} />}
      </Stack>
    </Sheet>
  );
}

function Trial({ plugin, type }: { plugin: Plugin; type: PluginFieldType }) {
  const { t } = usePortalText();
  const [plugins] = useState(() => pluginToTry(plugin.id));
  const [given, setGiven] = useState<PluginGiven>();
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  return (
    <>
      {type.inputs.map((input) => (
        <TextInput
          key={input.key}
          label={t('plugins.try.input', { label: input.label })}
          autoComplete="off"
          {...(input.type === 'date' && { type: 'date' })}
          {...(input.type === 'number' && { inputMode: 'decimal' as const })}
          value={typed[input.key] ?? ''}
          onChange={({ currentTarget: { value } }) => {
            setTyped({ ...typed, [input.key]: value });
            // What came of other inputs says nothing of these.
            setGiven(undefined);
          }}
        />
      ))}
      <PluginInput
        plugins={plugins}
        element={{
          ...{ slug: type.key, label: type.label, required: true },
          snapshot: snapshotOf(plugin, type),
          inputs: new Map(
            type.inputs.flatMap((input) => {
              const text = typed[input.key];
              return text ? [[input.key, givenAs(input.type, text)] as const] : [];
            }),
          ),
        }}
        answer={given}
        give={setGiven}
        error={undefined}
      />
    </>
  );
}

/** As a flow would give it. */
function givenAs(type: PluginFieldType['inputs'][number]['type'], text: string): string | number | boolean {
  if (type === 'number' && Number.isFinite(Number(text))) return Number(text);
  return type === 'boolean' ? text === 'true' : text;
}
