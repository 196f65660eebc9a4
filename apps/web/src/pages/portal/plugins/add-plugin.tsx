import { Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { ActButtons } from '../../../parts/act-buttons.tsx';
import { useKeptForm } from '../../../parts/portal/use-kept-form.ts';
import { Problem, useAct } from '../../../parts/problem.tsx';
import { Section } from '../../../parts/section.tsx';
import { addPlugin, describePlugin } from '../../../platform/portal/plugins.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { TokenInput } from './token-input.tsx';

/** Adds a plugin by its address, and asks it at once what it offers. */
export function AddPlugin({ added }: { added: () => Promise<void> }) {
  const { t } = usePortalText();
  const { busy, error, run } = useAct();
  const { value, change, drop } = useKeptForm('plugin', () => ({ address: '' }));
  const [token, setToken] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run(async () => {
      const registered = await addPlugin(value.address.trim(), token);
      change({ address: '' });
      drop();
      setToken('');
      // It is there now, also when it does not answer yet: then it says why, and is refreshed later.
      await describePlugin(registered).catch(() => undefined);
      await added();
    });
  };
  return (
    <Section title={t('plugins.add')} lead={t('plugins.add.lead')}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={t('plugins.address')}
            description={t('plugins.address.hint')}
            type="url"
            required
            autoComplete="off"
            spellCheck={false}
            maxLength={2048}
            value={value.address}
            onChange={(event) => change({ address: event.currentTarget.value })}
          />
          <TokenInput label={t('plugins.token.optional')} value={token} change={setToken} />
          <Problem error={error} />
          <ActButtons label={t('plugins.add.act')} busy={busy} />
        </Stack>
      </form>
    </Section>
  );
}
