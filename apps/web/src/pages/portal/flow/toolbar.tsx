import { ActionIcon, Alert, Button, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { ActButtons } from '../../../parts/act-buttons.tsx';
import { download } from '../../../parts/download.ts';
import { Question } from '../../../parts/portal/question.tsx';
import { Problem, useAct } from '../../../parts/problem.tsx';
import { When } from '../../../parts/when.tsx';
import { exportFlow, publishFlow, readFlow } from '../../../platform/portal/flows.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { useEditor } from './context.ts';
import type { Draft } from './draft.ts';
import { addNode } from './edits.ts';
import { Small } from './inputs.tsx';

/** What is done with the whole flow, and whether it is saved. */
export function Toolbar({ showChecks }: { showChecks: () => void }) {
  const { t } = usePortalText();
  const { definition, change, draft, select, selected, place, mayEdit } = useEditor();
  const { busy, error, run } = useAct();
  const { past, future } = draft.history;
  const from = selected?.kind === 'node' ? selected.key : undefined;
  return (
    <Stack gap="xs">
      <Group gap="xs" role="toolbar" aria-label={t('flow.toolbar')}>
        <Small
          act={() => {
            const added = addNode(definition, t('flow.step.new'), from);
            change(added.flow);
            select({ kind: 'node', key: added.key });
          }}
        >
          {t('flow.step.add')}
        </Small>
        <Icon label={t('flow.undo')} disabled={past.length === 0} act={draft.undo}>
          ↶
        </Icon>
        <Icon label={t('flow.redo')} disabled={future.length === 0} act={draft.redo}>
          ↷
        </Icon>
        <Button
          size="compact-sm"
          h={32}
          variant="default"
          loading={busy}
          onClick={() =>
            run(async () => {
              await draft.save();
              download(`${definition.name || 'flow'}.zip`, await exportFlow(place));
            })
          }
        >
          {t('flow.export')}
        </Button>
        <SavedText draft={draft} />
        {mayEdit && <Publish showChecks={showChecks} />}
      </Group>
      <Problem error={error} />
      {draft.saving.state === 'failed' && (
        <Problem error={draft.saving.error} retry={() => draft.save().catch(() => undefined)} />
      )}
      {draft.saving.state === 'conflict' && <Conflict />}
    </Stack>
  );
}

function Icon(props: { label: string; disabled: boolean; act: () => void; children: ReactNode }) {
  const { label, disabled, act, children } = props;
  return (
    <ActionIcon
      variant="default"
      size={32}
      aria-label={label}
      title={label}
      disabled={disabled}
      onClick={act}
    >
      <span aria-hidden>{children}</span>
    </ActionIcon>
  );
}

/** Since when all is saved, or why it is not. The time goes on by itself, which is no news. */
function SavedText({ draft: { saving, flow } }: { draft: Draft }) {
  const { t } = usePortalText();
  return (
    <Group gap={6} c="dimmed" style={{ flex: 1 }}>
      <Text size="sm" role="status">
        {t(`flow.saving.${saving.state}`)}
      </Text>
      {saving.state === 'saved' && (
        <Text size="sm">
          <When at={flow.updated_at} />
        </Text>
      )}
    </Group>
  );
}

/** A colleague saved the flow since it was read here: the author chooses which of the two counts. */
function Conflict() {
  const { t } = usePortalText();
  const { draft } = useEditor();
  const { busy, error, run } = useAct();
  return (
    <Alert color="orange" variant="light" role="alert" title={t('flow.conflict')}>
      <Stack gap="sm">
        <Text size="sm">{t('flow.conflict.text')}</Text>
        <Problem error={error} />
        <Group gap="xs">
          <Button variant="default" loading={busy} onClick={() => run(() => draft.resolve('theirs'))}>
            {t('flow.conflict.theirs')}
          </Button>
          <Button variant="default" loading={busy} onClick={() => run(() => draft.resolve('mine'))}>
            {t('flow.conflict.mine')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

function Publish({ showChecks }: { showChecks: () => void }) {
  const { t, count } = usePortalText();
  const { draft, place, issues } = useEditor();
  const { busy, error, run, clear } = useAct();
  const [isAsked, setAsked] = useState(false);
  const [version, setVersion] = useState<number>();
  const { flow } = draft;
  const next = (flow.version ?? 0) + 1;
  const isPublished = flow.version !== null && !flow.changed && draft.saving.state === 'saved';
  const open = () => {
    clear();
    setVersion(undefined);
    if (issues.length > 0) showChecks();
    else setAsked(true);
  };
  const publish = () =>
    run(async () => {
      const saved = await draft.save();
      const made = await publishFlow(place, saved.revision);
      draft.setFlow(await readFlow(place));
      setVersion(made.version);
    });
  return (
    <>
      <Text size="sm" c="dimmed">
        {flow.version === null
          ? t('flow.unpublished')
          : t(isPublished ? 'flow.version' : 'flow.version.changed', { version: flow.version })}
      </Text>
      <Button h={36} onClick={open} disabled={isPublished}>
        {issues.length > 0
          ? count('flow.publish.issues', issues.length)
          : t('flow.publish', { version: next })}
      </Button>
      {isAsked && (
        <Question
          title={
            version === undefined
              ? t('flow.publish.title', { version: next })
              : t('flow.published', { version })
          }
          close={() => setAsked(false)}
        >
          <Text size="sm">{t(version === undefined ? 'flow.publish.text' : 'flow.published.text')}</Text>
          <Problem error={error} />
          {version === undefined ? (
            <ActButtons
              label={t('flow.publish', { version: next })}
              busy={busy}
              act={publish}
              cancel={() => setAsked(false)}
            />
          ) : (
            <Group>
              <Button data-autofocus onClick={() => setAsked(false)}>
                {t('app.close')}
              </Button>
            </Group>
          )}
        </Question>
      )}
    </>
  );
}
