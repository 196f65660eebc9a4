import { Group, Stack, Tabs, useMatches } from '@mantine/core';
import { FieldTypeRegistry } from '@symbolon/field-types';
import type { Surroundings } from '@symbolon/flows';
import type { FieldTypeRow, Plugin } from '@symbolon/protocol';
import { useParams, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { Loaded } from '../../../parts/loaded.tsx';
import { PortalPage, usePortalLogin } from '../../../parts/portal/portal-page.tsx';
import { TextLink } from '../../../parts/text-link.tsx';
import { type FlowPlace, type FlowToEdit, flowToEditQuery } from '../../../platform/portal/flows.ts';
import { mayAs } from '../../../platform/portal/session.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { PageTitle } from '../../../ui/page.tsx';
import { Status } from '../../../ui/status.tsx';
import { Tab, Tabs as ViewTabs } from '../../../ui/tabs.tsx';
import { ChecksPanel } from './checks-panel.tsx';
import { type Editor, EditorContext, namesOf, type Selected, useEditor, useIssues } from './context.ts';
import { type Draft, useDraft } from './draft.ts';
import { FilesPanel } from './files-panel.tsx';
import classes from './flow-page.module.css';
import { FlowPanel } from './flow-panel.tsx';
import { Graph } from './graph.tsx';
import { StepList } from './step-list.tsx';
import { StepPanel } from './step-panel.tsx';
import { Toolbar } from './toolbar.tsx';
import { TryPanel } from './try-panel.tsx';

export function FlowPage() {
  return (
    <PortalPage full>
      <Opened />
    </PortalPage>
  );
}

function Opened() {
  const { serviceId, flowId } = useParams({ from: '/portal/services/$serviceId/flows/$flowId' });
  const place = useMemo(() => ({ serviceId, flowId }), [serviceId, flowId]);
  return (
    <Loaded of={useRead(flowToEditQuery(place))} height={480}>
      {(found) => <FlowEditor place={place} {...found} />}
    </Loaded>
  );
}

function FlowEditor({ place, flow, serviceName, rows, plugins }: FlowToEdit & { place: FlowPlace }) {
  const draft = useDraft(place, flow);
  const { definition, change } = draft;
  const [selected, setSelected] = useState<Selected>(
    definition.entry ? { kind: 'node', key: definition.entry } : undefined,
  );
  const [tab, setTab] = useState('step');
  const [way, setWay] = useState<readonly string[]>([]);
  const surroundings = useSurroundings(rows, plugins, draft);
  const { issues, warnings } = useIssues(definition, { surroundings, assets: draft.flow.assets });
  const names = useMemo(() => namesOf(definition), [definition]);
  const login = usePortalLogin();
  const view = useView();
  useKeys(draft);
  const editor: Editor = {
    place,
    draft,
    definition,
    change,
    surroundings,
    typeRows: rows,
    plugins,
    selected,
    select: (next) => {
      setSelected(next);
      if (next !== undefined) setTab('step');
    },
    issues,
    warnings,
    names,
    way,
    mayEdit: mayAs(login, 'developer'),
  };
  return (
    <EditorContext value={editor}>
      <div className={classes.page}>
        <Head serviceName={serviceName} />
        <Toolbar showChecks={() => setTab('checks')} />
        <Views place={place} view={view} />
        <div className={classes.work}>
          {view === 'list' ? <StepList /> : <Graph />}
          <Panels tab={tab} setTab={setTab} setWay={setWay} />
        </div>
      </div>
    </EditorContext>
  );
}

const FROM = '/portal/services/$serviceId/flows/$flowId';
const VIEWS = ['drawing', 'list'] as const;
type View = (typeof VIEWS)[number];

/** How the steps are shown stands in the address. Without it a phone, which has little room to draw, lists them. */
function useView(): View {
  const { steps } = useSearch({ from: FROM });
  const usual = useMatches<View>({ base: 'list', sm: 'drawing' }, { getInitialValueInEffect: false });
  return VIEWS.find((each) => each === steps) ?? usual;
}

function Views({ place, view }: { place: FlowPlace; view: View }) {
  const { t } = usePortalText();
  return (
    <ViewTabs label={t('flow.views')}>
      {VIEWS.map((each) => (
        <Tab
          key={each}
          to={FROM}
          params={{ ...place }}
          search={{ steps: each }}
          replace
          isHere={each === view}
        >
          {t(`flow.view.${each}`)}
        </Tab>
      ))}
    </ViewTabs>
  );
}

function Head({ serviceName }: { serviceName: string }) {
  const { t } = usePortalText();
  const { definition, draft, place } = useEditor();
  return (
    <Group justify="space-between" align="end" gap="xs">
      <Stack gap={0}>
        <TextLink to="/portal/services/$serviceId" params={{ serviceId: place.serviceId }} size="sm">
          {serviceName}
        </TextLink>
        <PageTitle>{definition.name || t('flow.unnamed')}</PageTitle>
      </Stack>
      {draft.flow.version !== null && (
        <Group gap="md">
          <TextLink to="/portal/services/$serviceId/flows/$flowId/versions" params={{ ...place }}>
            {t('compare.open')}
          </TextLink>
          <TextLink to="/portal/services/$serviceId/flows/$flowId/runs" params={{ ...place }}>
            {t('runs.title')}
          </TextLink>
        </Group>
      )}
    </Group>
  );
}

function Panels({
  tab,
  setTab,
  setWay,
}: {
  tab: string;
  setTab: (tab: string) => void;
  setWay: (way: readonly string[]) => void;
}) {
  const { t } = usePortalText();
  const { definition, issues, warnings } = useEditor();
  const isDocument = definition.output_mode === 'document';
  const count = issues.length + warnings.length;
  return (
    <Tabs
      value={tab}
      onChange={(next) => setTab(next ?? 'step')}
      keepMounted={false}
      className={classes.panel}
    >
      <Tabs.List aria-label={t('flow.tabs')} className={classes.tabs}>
        <Tabs.Tab value="step">{t('flow.tab.step')}</Tabs.Tab>
        <Tabs.Tab value="flow">{t('flow.tab.flow')}</Tabs.Tab>
        {isDocument && <Tabs.Tab value="files">{t('flow.tab.files')}</Tabs.Tab>}
        <Tabs.Tab
          value="checks"
          rightSection={count > 0 && <Status tone={issues.length > 0 ? 'bad' : 'warn'}>{count}</Status>}
        >
          {t('flow.tab.checks')}
        </Tabs.Tab>
        <Tabs.Tab value="try">{t('flow.tab.try')}</Tabs.Tab>
      </Tabs.List>
      <div className={classes.body}>
        <Tabs.Panel value="step">
          <StepPanel />
        </Tabs.Panel>
        <Tabs.Panel value="flow">
          <FlowPanel />
        </Tabs.Panel>
        <Tabs.Panel value="files">
          <FilesPanel />
        </Tabs.Panel>
        <Tabs.Panel value="checks">
          <ChecksPanel showFlow={() => setTab('flow')} />
        </Tabs.Panel>
        <Tabs.Panel value="try">
          <TryPanel mark={setWay} />
        </Tabs.Panel>
      </div>
    </Tabs>
  );
}

/** What the definition may refer to. */
function useSurroundings(
  rows: readonly FieldTypeRow[],
  plugins: readonly Plugin[],
  draft: Draft,
): Surroundings {
  const fieldTypes = useMemo(() => new FieldTypeRegistry(rows), [rows]);
  const { assets } = draft.flow;
  return useMemo(
    () => ({
      fieldTypes,
      assets: new Set(assets.map(({ asset_key: key }) => key)),
      plugins: new Map(
        plugins.map(({ id, field_types: types }) => [id, new Set(types.map(({ key }) => key))] as const),
      ),
    }),
    [fieldTypes, assets, plugins],
  );
}

/** Undo and redo by the keyboard. In an input the browser takes back what was typed there. */
function useKeys({ undo, redo }: Draft): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isTyping =
        event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
      if (!(event.ctrlKey || event.metaKey) || event.altKey || isTyping) return;
      const key = event.key.toLowerCase();
      const act = key === 'z' ? (event.shiftKey ? redo : undo) : key === 'y' ? redo : undefined;
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  });
}
