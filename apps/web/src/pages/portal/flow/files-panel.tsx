import { Button, FileButton, Group, Skeleton, Stack, Text } from '@mantine/core';
import { partyTags } from '@symbolon/flows';
import type { FlowAsset, FlowAssetAnalysis } from '@symbolon/protocol';
import { OWNER_PARTY } from '@symbolon/protocol/constants';
import { lazy, Suspense, useState } from 'react';
import { Loaded } from '../../../parts/loaded.tsx';
import { Problem, useAct } from '../../../parts/problem.tsx';
import { useSize } from '../../../parts/size.ts';
import { assetQuery, deleteAsset, putAsset, readFlow } from '../../../platform/portal/flows.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { answerChoices } from './answer-choices.ts';
import { useEditor } from './context.ts';
import { freeKey } from './edits.ts';
import { Sign } from './inputs.tsx';
import classes from './panels.module.css';

const PdfView = lazy(() =>
  import('../../documents/pdf-view.tsx').then(({ PdfView: component }) => ({ default: component })),
);

/** The PDF files of a flow: templates, whose tags a run fills. */
export function FilesPanel() {
  const { t } = usePortalText();
  const { draft, place, mayEdit } = useEditor();
  const { busy, error, run } = useAct();
  const { assets } = draft.flow;
  const refresh = async () => draft.setFlow(await readFlow(place));
  const add = (file: File | null, key?: string) =>
    file !== null &&
    run(async () => {
      // What waits is saved first, so that no draft stands between two revisions.
      await draft.save();
      await putAsset(place, key ?? keyOf(file, assets), file);
      await refresh();
    });
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {t('pdfs.lead')}
      </Text>
      <Problem error={error} />
      {assets.map((asset) => (
        <Asset
          key={asset.asset_key}
          asset={asset}
          replace={(file) => add(file, asset.asset_key)}
          remove={() =>
            run(async () => {
              await draft.save();
              await deleteAsset(place, asset.asset_key);
              await refresh();
            })
          }
        />
      ))}
      {assets.length === 0 && <Text size="sm">{t('pdfs.none')}</Text>}
      <Group>
        <FileButton accept="application/pdf" onChange={(file) => add(file)}>
          {(button) => (
            <Button {...button} variant="default" loading={busy} disabled={!mayEdit}>
              {t('pdfs.add')}
            </Button>
          )}
        </FileButton>
      </Group>
    </Stack>
  );
}

/** A key for a file: its name, in the letters of keys. */
function keyOf({ name }: File, assets: readonly FlowAsset[]): string {
  const plain = name
    .replace(/\.pdf$/i, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^[_\d]+|_+$/g, '')
    .slice(0, 30);
  const taken = assets.map(({ asset_key: key }) => key);
  return plain !== '' && !taken.includes(plain) ? plain : freeKey(plain || 'file', taken);
}

type Props = { asset: FlowAsset; replace: (file: File | null) => void; remove: () => void };

function Asset({ asset, replace, remove }: Props) {
  const { t } = usePortalText();
  const { definition, mayEdit } = useEditor();
  const sizeOf = useSize();
  const [isShown, setShown] = useState(false);
  const name = asset.original_name || asset.asset_key;
  const isUsed = definition.nodes.some(({ outputs = [] }) =>
    outputs.some(({ rules }) => rules.some((rule) => rule.asset_key === asset.asset_key)),
  );
  return (
    <section className={classes.card} aria-label={name}>
      <Group justify="space-between" wrap="nowrap" gap={4}>
        <Stack gap={0} className={classes.name}>
          <Text size="sm" fw={600}>
            {name}
          </Text>
          <span className={classes.kind}>
            {asset.asset_key} · {sizeOf(asset.size)} · {t(isUsed ? 'pdfs.used' : 'pdfs.unused')}
          </span>
        </Stack>
        <Sign of="remove" label={t('pdfs.remove', { name })} disabled={isUsed} act={remove} />
      </Group>
      <Analysis analysis={asset.analysis} />
      <Group gap="xs">
        <Button
          size="compact-sm"
          h={32}
          variant="default"
          aria-expanded={isShown}
          onClick={() => setShown(!isShown)}
        >
          {t(isShown ? 'pdfs.hide' : 'pdfs.show')}
        </Button>
        <FileButton accept="application/pdf" onChange={replace}>
          {(button) => (
            <Button {...button} size="compact-sm" h={32} variant="default" disabled={!mayEdit}>
              {t('pdfs.replace')}
            </Button>
          )}
        </FileButton>
      </Group>
      {isShown && <Preview key={asset.sha256} asset={asset} name={t('pdfs.preview', { name })} />}
    </section>
  );
}

function Preview({ asset, name }: { asset: FlowAsset; name: string }) {
  const { place } = useEditor();
  return (
    <div className={classes.preview}>
      <Suspense fallback={<Skeleton h={240} radius={8} />}>
        <Loaded of={useRead(assetQuery(place, asset))} height={240}>
          {(bytes) => <PdfView bytes={bytes} name={name} />}
        </Loaded>
      </Suspense>
    </div>
  );
}

/** The tags and form fields that were found in a PDF, and what fills them. */
function Analysis({ analysis }: { analysis: FlowAssetAnalysis }) {
  const { t, count, maybe } = usePortalText();
  const { definition, names } = useEditor();
  const answers = new Set(answerChoices(definition).map(({ value }) => value));
  const { others } = partyTags(definition);
  /** What fills a tag: an answer or constant, or what is known of a party. */
  const filledBy = (key: string): string | undefined => {
    if (answers.has(key)) return names(key);
    const [party, field] = key.split('.');
    const found = definition.parties.find((each) => each.key === party);
    // What is known of a customer is given when a text of the flow asks for it.
    const isKnown = found?.type === OWNER_PARTY || others.includes(key);
    return found && field !== undefined && isKnown
      ? t('pdfs.party', { party: found.label || found.key, field })
      : undefined;
  };
  const tags = [...new Map(analysis.tags.map((tag) => [tag.key, tag])).values()];
  return (
    <Stack gap={6}>
      <span className={classes.kind}>
        {[
          count('pdfs.pages', analysis.pages),
          count('pdfs.tags', tags.length),
          count('pdfs.fields', analysis.fields.length),
        ].join(' · ')}
      </span>
      <ul className={classes.issues}>
        {tags.map(({ key, page, free_width: width }) => {
          const name = filledBy(key);
          return (
            <Found key={key} tag={`{{ ${key} }}`} isFilled={name !== undefined}>
              {name === undefined
                ? t('pdfs.tag.unknown', { page })
                : t('pdfs.tag', { name, page, width: Math.round(width) })}
            </Found>
          );
        })}
        {analysis.fields.map(({ name: field }) => {
          const name = filledBy(field);
          return (
            <Found key={field} tag={field} isFilled={name !== undefined}>
              {name === undefined ? t('pdfs.field.unknown') : t('pdfs.field', { name })}
            </Found>
          );
        })}
        {analysis.problems.map(({ code, page }) => {
          const text = maybe(`pdfs.problem.${code}`) ?? code;
          return (
            <li key={`${code} ${page}`} className={classes.warning}>
              {page === null ? text : t('pdfs.problem', { page, message: text })}
            </li>
          );
        })}
      </ul>
    </Stack>
  );
}

function Found({ tag, isFilled, children }: { tag: string; isFilled: boolean; children: string }) {
  return (
    <li>
      <Text component="span" size="sm" ff="monospace">
        {tag}
      </Text>{' '}
      <Text component="span" size="sm" className={isFilled ? undefined : classes.warning}>
        {children}
      </Text>
    </li>
  );
}
