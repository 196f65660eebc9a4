import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import type { Plugin, PluginUse } from '@symbolon/protocol';
import { type FormEvent, useState } from 'react';
import { ActButtons } from '../../../parts/act-buttons.tsx';
import { Question } from '../../../parts/portal/question.tsx';
import { Problem, useAct } from '../../../parts/problem.tsx';
import { Section } from '../../../parts/section.tsx';
import { TextLink } from '../../../parts/text-link.tsx';
import { When } from '../../../parts/when.tsx';
import { deletePlugin, pluginName, refreshPlugin, replaceToken } from '../../../platform/portal/plugins.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Status } from '../../../ui/status.tsx';
import classes from './plugins.module.css';
import { TokenInput } from './token-input.tsx';
import { TryPlugin } from './try-plugin.tsx';

interface Props {
  readonly plugin: Plugin;
  readonly mayEdit: boolean;
  readonly changed: () => Promise<void>;
}

/** What a plugin last said of itself, what uses it, and what can be done with it. */
export function PluginCard({ plugin, mayEdit, changed }: Props) {
  const { t } = usePortalText();
  const name = pluginName(plugin);
  return (
    <Section title={name} lead={plugin.base_url ?? t('plugins.ofPlatform')}>
      {plugin.last_error !== null && (
        <Alert color="orange" variant="light" title={t('plugins.failed')}>
          <Text size="sm">{plugin.last_error}</Text>
        </Alert>
      )}
      <Offers plugin={plugin} />
      <Uses uses={plugin.in_use} />
      {mayEdit && <Acts plugin={plugin} name={name} changed={changed} />}
    </Section>
  );
}

function Offers({ plugin }: { plugin: Plugin }) {
  const { t } = usePortalText();
  const { field_types: types, last_refresh: at, base_url: url, token } = plugin;
  return (
    <dl className={classes.facts}>
      <dt>{t('plugins.offers')}</dt>
      <dd>
        {types.length === 0 ? (
          t('plugins.offers.none')
        ) : (
          <Group gap="xs">
            {types.map(({ key, label }) => (
              <Status key={key} tone="accent">
                {label}
              </Status>
            ))}
          </Group>
        )}
      </dd>
      {url !== null && (
        <>
          <dt>{t('plugins.token')}</dt>
          <dd>{token ?? t('plugins.token.none')}</dd>
          <dt>{t('plugins.refreshed')}</dt>
          <dd>{at === null ? t('plugins.refreshed.never') : <When at={at} />}</dd>
        </>
      )}
    </dl>
  );
}

function Uses({ uses }: { uses: readonly PluginUse[] }) {
  const { t } = usePortalText();
  if (uses.length === 0) return null;
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        {t('plugins.uses')}
      </Text>
      <ul className={classes.uses}>
        {uses.map(({ kind, id, name, service_id: serviceId }) => (
          <li key={`${kind} ${id} ${name}`}>
            {kind === 'flow' && serviceId !== null ? (
              <TextLink
                to="/portal/services/$serviceId/flows/$flowId"
                params={{ serviceId, flowId: id }}
                size="sm"
              >
                {t('plugins.use.flow', { name })}
              </TextLink>
            ) : (
              <Text component="span" size="sm">
                {t(`plugins.use.${kind}`, { name })}
              </Text>
            )}
          </li>
        ))}
      </ul>
    </Stack>
  );
}

function Acts({ plugin, name, changed }: { plugin: Plugin; name: string; changed: Props['changed'] }) {
  const { t } = usePortalText();
  const { busy, error, run } = useAct();
  const [open, setOpen] = useState<'try' | 'token' | 'remove'>();
  const isOwn = plugin.base_url !== null;
  const isUsed = plugin.in_use.length > 0;
  const refresh = () =>
    run(async () => {
      try {
        await refreshPlugin(plugin.id);
      } finally {
        // Why it failed stands in the list as well.
        await changed();
      }
    });
  return (
    <>
      <Problem error={error} />
      {open === 'token' && <Token plugin={plugin} changed={changed} close={() => setOpen(undefined)} />}
      {isUsed && (
        <Text size="sm" c="dimmed">
          {t('plugins.remove.used')}
        </Text>
      )}
      <Group gap="xs">
        {plugin.field_types.length > 0 && (
          <Button
            variant="default"
            aria-label={t('plugins.try.name', { name })}
            onClick={() => setOpen('try')}
          >
            {t('plugins.try')}
          </Button>
        )}
        {isOwn && (
          <>
            <Button
              variant="default"
              loading={busy}
              aria-label={t('plugins.refresh.name', { name })}
              onClick={refresh}
            >
              {t('plugins.refresh')}
            </Button>
            <Button
              variant="default"
              aria-label={t('plugins.token.replace.name', { name })}
              onClick={() => setOpen('token')}
            >
              {t('plugins.token.replace')}
            </Button>
          </>
        )}
        <Button
          variant="light"
          color="red"
          disabled={isUsed}
          aria-label={t('plugins.remove.name', { name })}
          onClick={() => setOpen('remove')}
        >
          {t('plugins.remove')}
        </Button>
      </Group>
      {open === 'try' && <TryPlugin plugin={plugin} name={name} close={() => setOpen(undefined)} />}
      {open === 'remove' && (
        <Remove plugin={plugin} name={name} changed={changed} close={() => setOpen(undefined)} />
      )}
    </>
  );
}

type FormProps = { plugin: Plugin; changed: Props['changed']; close: () => void };

function Token({ plugin, changed, close }: FormProps) {
  const { t } = usePortalText();
  const { busy, error, run } = useAct();
  const [token, setToken] = useState('');
  const set = (next: string | null) =>
    run(async () => {
      await replaceToken(plugin.id, next);
      await changed();
      close();
    });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    set(token);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TokenInput label={t('plugins.token.new')} required value={token} change={setToken} />
        <Problem error={error} />
        <Group gap="xs">
          <ActButtons label={t('plugins.token.save')} busy={busy} cancel={close} />
          {plugin.token !== null && (
            <Button variant="subtle" color="red" disabled={busy} onClick={() => set(null)}>
              {t('plugins.token.clear')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

function Remove({ plugin, name, changed, close }: FormProps & { name: string }) {
  const { t } = usePortalText();
  const { busy, error, run } = useAct();
  return (
    <Question title={t('plugins.remove.title', { name })} close={close}>
      <Text size="sm">{t('plugins.remove.text')}</Text>
      <Problem error={error} />
      <ActButtons
        label={t('plugins.remove')}
        color="red"
        busy={busy}
        act={() =>
          run(async () => {
            await deletePlugin(plugin.id);
            close();
            await changed();
          })
        }
        cancel={close}
      />
    </Question>
  );
}
