import { Button, Group, Stack, Text } from '@mantine/core';
import type { BuiltinPlugin } from '@symbolon/protocol';
import { PageHead } from '../../../parts/frame.tsx';
import { LoadedList } from '../../../parts/loaded.tsx';
import { PortalPage, usePortalLogin } from '../../../parts/portal/portal-page.tsx';
import { SameByApi } from '../../../parts/portal/same-by-api.tsx';
import { Problem, useAct } from '../../../parts/problem.tsx';
import { Section } from '../../../parts/section.tsx';
import { pluginsQuery, switchOn } from '../../../platform/portal/plugins.ts';
import { sameCalls } from '../../../platform/portal/same-calls.ts';
import { mayAs } from '../../../platform/portal/session.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { AddPlugin } from './add-plugin.tsx';
import { PluginCard } from './plugin-card.tsx';

export function PluginsPage() {
  return (
    <PortalPage>
      <Plugins />
    </PortalPage>
  );
}

/** The servers of the company that answer fields, and those that the platform brings. */
function Plugins() {
  const { t } = usePortalText();
  const mayEdit = mayAs(usePortalLogin(), 'developer');
  const read = useRead(pluginsQuery);
  const { found: list, load } = read;
  const offered = list?.builtin.filter(({ enabled }) => !enabled) ?? [];
  return (
    <Stack gap="lg">
      <PageHead title={t('plugins.title')} lead={t('plugins.lead')} />
      <LoadedList
        of={{ ...read, found: list?.plugins }}
        none={t('plugins.none')}
        noneText={t('plugins.none.text')}
      />
      {list?.plugins.map((plugin) => (
        <PluginCard key={plugin.id} plugin={plugin} mayEdit={mayEdit} changed={load} />
      ))}
      {mayEdit && list !== undefined && <AddPlugin added={load} />}
      {mayEdit && offered.length > 0 && <Offered offered={offered} added={load} />}
      <SameByApi {...sameCalls.plugins} />
    </Stack>
  );
}

/** The plugins of the platform that are not in use here. */
function Offered({ offered, added }: { offered: readonly BuiltinPlugin[]; added: () => Promise<void> }) {
  const { t, maybe } = usePortalText();
  const { busy, error, run } = useAct();
  return (
    <Section title={t('plugins.builtin')} lead={t('plugins.builtin.lead')}>
      <Problem error={error} />
      {offered.map(({ key, name }) => (
        <Group key={key} justify="space-between">
          <Stack gap={0}>
            <Text fw={600}>{name}</Text>
            <Text size="sm" c="dimmed">
              {maybe(`plugins.builtin.${key}`)}
            </Text>
          </Stack>
          <Button
            variant="default"
            disabled={busy}
            aria-label={t('plugins.switchOn.name', { name })}
            onClick={() =>
              run(async () => {
                await switchOn(key);
                await added();
              })
            }
          >
            {t('plugins.switchOn')}
          </Button>
        </Group>
      ))}
    </Section>
  );
}
