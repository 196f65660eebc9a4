import { NativeSelect, Stack } from '@mantine/core';
import type { FlowVersion } from '@symbolon/protocol';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useFieldLabel } from '../../../parts/field-label.ts';
import { Loaded } from '../../../parts/loaded.tsx';
import { PortalPage } from '../../../parts/portal/portal-page.tsx';
import { SameByApi } from '../../../parts/portal/same-by-api.tsx';
import {
  type FlowPlace,
  type FlowWithVersions,
  flowWithVersionsQuery,
  versionQuery,
} from '../../../platform/portal/flows.ts';
import { sameCalls } from '../../../platform/portal/same-calls.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { Group } from '../../../ui/group.tsx';
import { List, Row } from '../../../ui/list.tsx';
import { BackLink, Page } from '../../../ui/page.tsx';
import { compareFlows, type Difference, type Line } from './compare.ts';

const FROM = '/portal/services/$serviceId/flows/$flowId/versions';
const DRAFT = 'draft';

export function VersionsPage() {
  return (
    <PortalPage>
      <Opened />
    </PortalPage>
  );
}

function Opened() {
  const { t } = usePortalText();
  const { serviceId, flowId } = useParams({ from: FROM });
  const place = useMemo((): FlowPlace => ({ serviceId, flowId }), [serviceId, flowId]);
  return (
    <Loaded of={useRead(flowWithVersionsQuery(place))} height={320}>
      {(found) => {
        const name = found.flow.name || t('flow.unnamed');
        return (
          <Page
            title={t('compare.title', { name })}
            lead={t('compare.lead')}
            back={
              <BackLink to="/portal/services/$serviceId/flows/$flowId" params={{ ...place }}>
                {name}
              </BackLink>
            }
          >
            {found.versions.length === 0 ? (
              <Empty title={t('compare.none')}>{t('compare.none.text')}</Empty>
            ) : (
              <Chosen place={place} {...found} />
            )}
            <SameByApi {...sameCalls.flowVersions(place)} />
          </Page>
        );
      }}
    </Loaded>
  );
}

type Props = FlowWithVersions & { place: FlowPlace };

/** Which two are compared stands in the address; at first it is what was changed last. */
function Chosen({ place, flow, versions, rows }: Props) {
  const { t, language } = usePortalText();
  const search = useSearch({ from: FROM });
  const navigate = useNavigate();
  const when = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  const choices = [
    { value: DRAFT, label: t('compare.draft') },
    ...versions.map(({ version, published_at: at }) => ({
      value: String(version),
      label: t('compare.version', { version, when: when.format(new Date(at)) }),
    })),
  ];
  const known = (value: string | undefined) =>
    choices.some((choice) => choice.value === value) ? value : undefined;
  const [latest, previous] = versions.map(({ version }) => String(version));
  const isOfVersions = !flow.changed && previous !== undefined;
  const from = known(search.from) ?? (isOfVersions ? previous : latest) ?? DRAFT;
  const to = known(search.to) ?? (isOfVersions ? latest : DRAFT) ?? DRAFT;
  const choose = (chosen: { from?: string; to?: string }) =>
    navigate({ to: FROM, params: { ...place }, search: { from, to, ...chosen }, replace: true });
  const before = useVersion(place, from);
  const after = useVersion(place, to);
  const error = before.error ?? after.error;
  const load = async () => {
    await Promise.all([before.load(), after.load()]);
  };
  const pair = [from === DRAFT ? flow : before.found, to === DRAFT ? flow : after.found] as const;
  const found = pair[0] && pair[1] && { before: pair[0], after: pair[1] };
  return (
    <Stack gap="lg">
      <Stack gap="sm">
        <NativeSelect
          label={t('compare.from')}
          autoComplete="off"
          data={choices}
          value={from}
          onChange={({ currentTarget: { value } }) => choose({ from: value })}
        />
        <NativeSelect
          label={t('compare.to')}
          autoComplete="off"
          data={choices}
          value={to}
          onChange={({ currentTarget: { value } }) => choose({ to: value })}
        />
      </Stack>
      <Loaded of={{ found, error, load }} height={240}>
        {(two) => <Differences {...two} rows={rows} />}
      </Loaded>
    </Stack>
  );
}

const useVersion = (place: FlowPlace, chosen: string) =>
  useRead(chosen === DRAFT ? undefined : versionQuery(place, Number(chosen)));

type Compared = Pick<FlowVersion, 'definition' | 'assets'>;

function Differences(props: { before: Compared; after: Compared; rows: FlowWithVersions['rows'] }) {
  const { before, after, rows } = props;
  const { t } = usePortalText();
  const labelOf = useFieldLabel();
  const found = compareFlows(before, after, { t, typeName: (type) => labelOf(type, { rows }) });
  if (found.length === 0) return <Empty title={t('compare.same')}>{t('compare.same.text')}</Empty>;
  return (['added', 'changed', 'removed'] as const).map((act) => {
    const these = found.filter((each) => each.act === act);
    if (these.length === 0) return null;
    return (
      <Group key={act} title={t(`compare.${act}`)}>
        <List label={t(`compare.${act}`)}>
          {these.map((each) => (
            <DifferenceRow key={each.thing.id} of={each} />
          ))}
        </List>
      </Group>
    );
  });
}

function DifferenceRow({ of: { thing, lines } }: { of: Difference }) {
  const { t } = usePortalText();
  const kind = t(`compare.kind.${thing.kind}`);
  return (
    <Row
      title={thing.name}
      detail={
        <Stack component="span" gap={2}>
          <span>{thing.step === undefined ? kind : t('compare.in', { kind, step: thing.step.title })}</span>
          {lines.map((line) => (
            <span key={line.label}>{said(line, t)}</span>
          ))}
        </Stack>
      }
    />
  );
}

/** What was said and what is said now; where words do not tell the two apart, that it was changed. */
function said({ label, before, after }: Line, t: ReturnType<typeof usePortalText>['t']): string {
  if (before === after) return t('compare.line.inner', { label: t(label) });
  const nothing = t('compare.nothing');
  return t('compare.line', { label: t(label), before: before || nothing, after: after || nothing });
}
