import { Button, Group, Stack, Text } from '@mantine/core';
import type { RequestFieldConfig, RequestFieldInput, Service } from '@symbolon/protocol';
import { ConflictError } from '@symbolon/sdk/device';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { Loaded } from '../../../parts/loaded.tsx';
import { usePortalLogin } from '../../../parts/portal/portal-page.tsx';
import { SameByApi } from '../../../parts/portal/same-by-api.tsx';
import { useKeptForm } from '../../../parts/portal/use-kept-form.ts';
import { Problem, useAct } from '../../../parts/problem.tsx';
import type { FieldTypes } from '../../../platform/fields.ts';
import { portalFieldTypes } from '../../../platform/portal/account.ts';
import { sameCalls } from '../../../platform/portal/same-calls.ts';
import { publishRequestFields, requestFieldsQuery } from '../../../platform/portal/services.ts';
import { mayAs } from '../../../platform/portal/session.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { Page } from '../../../ui/page.tsx';
import { resting } from '../../../ui/resting.ts';
import { AskedRows } from './asked-rows.tsx';
import { Conflict } from './asks-conflict.tsx';
import { countChanges, inputOf, type Kept, standing } from './asks-draft.ts';
import classes from './asks-page.module.css';
import { NewRowSheet } from './new-row-sheet.tsx';
import { PhonePreview } from './phone-preview.tsx';
import { RowSheet } from './row-sheet.tsx';
import { ServiceFrame } from './service-frame.tsx';

export function AsksPage() {
  return <ServiceFrame>{(service) => <Asks key={service.id} service={service} />}</ServiceFrame>;
}

function Asks({ service }: { service: Service }) {
  const config = useRead(requestFieldsQuery(service.id));
  const types = useRead(portalFieldTypes);
  return (
    <Loaded of={types}>
      {(found) => (
        <Loaded of={config}>
          {(published) => (
            <Editor
              service={service}
              types={found}
              found={published}
              readAgain={() => requestFieldsQuery(service.id).read(undefined)}
            />
          )}
        </Loaded>
      )}
    </Loaded>
  );
}

interface EditorProps {
  readonly service: Service;
  readonly types: FieldTypes;
  readonly found: RequestFieldConfig;
  readonly readAgain: () => Promise<RequestFieldConfig>;
}

/** The questions as they are edited, with the phone of a person beside them. Nothing is seen by people before it is published. */
function Editor({ service, types, found, readAgain }: EditorProps) {
  const { t, count } = usePortalText();
  const mayEdit = mayAs(usePortalLogin(), 'developer');
  const draft = useDraft(service.id, found, readAgain);
  const { base, published, rows, changes } = draft;
  const state = published.length === 0 ? t('asks.none') : t('asks.live', { version: base.version });
  return (
    <Page
      title={t('asks.title', { name: service.name })}
      lead={`${state} · ${changes === 0 ? t('asks.changes.none') : count('asks.changes', changes)}`}
      aside={
        mayEdit && (
          <Button {...resting(changes === 0, draft.publish)} loading={draft.busy}>
            {t('asks.publish', { version: base.version + 1 })}
          </Button>
        )
      }
    >
      <Problem error={draft.error} />
      {draft.theirs && <Conflict draft={draft} theirs={draft.theirs} types={types} />}
      {draft.justPublished !== undefined && (
        <Text role="status">{t('asks.published', { version: draft.justPublished })}</Text>
      )}
      <div className={classes.columns}>
        <Stack>
          <Questions draft={draft} types={types} mayEdit={mayEdit} />
          <SameByApi {...sameCalls.publish(service.id, base.config_token, rows)} />
        </Stack>
        <PhonePreview service={service} rows={rows} types={types} />
      </div>
      <Edited draft={draft} types={types} />
    </Page>
  );
}

type AsksDraft = ReturnType<typeof useDraft>;

/**
 * What is edited here stays in this tab until it is published or discarded, with the published version that it began with, whatever is
 * published meanwhile.
 */
function useDraft(
  serviceId: string,
  found: RequestFieldConfig,
  readAgain: () => Promise<RequestFieldConfig>,
) {
  const { busy, error, run, clear } = useAct();
  const [heard, setHeard] = useState(found);
  const live = heard.version > found.version ? heard : found;
  const kept = useKeptForm<Kept>(`asks.${serviceId}`, () => ({}));
  const { base, rows } = standing(kept.value, live);
  const published = base.request_fields.map(inputOf);
  const changes = countChanges(rows, published);
  const theirs = live.version > base.version ? live : undefined;
  const [justPublished, setJustPublished] = useState<number>();
  const [edited, setEdited] = useState<string>();
  const [isAdding, setIsAdding] = useState(false);
  const begin = (config: RequestFieldConfig, next: readonly RequestFieldInput[]) => {
    const isChanged = countChanges(next, config.request_fields.map(inputOf)) > 0;
    kept.change(isChanged ? { base: config, rows: next } : { base: undefined, rows: undefined });
    if (!isChanged) kept.drop();
  };
  const change = (next: readonly RequestFieldInput[]) => {
    begin(base, next);
    setJustPublished(undefined);
  };
  const onto = (config: RequestFieldConfig, next = config.request_fields.map(inputOf)) => {
    begin(config, next);
    clear();
  };
  const publish = () =>
    run(async () => {
      try {
        const next = await publishRequestFields(serviceId, rows, base.config_token);
        setHeard(next);
        onto(next);
        setJustPublished(next.version);
      } catch (failure) {
        const isConflict =
          failure instanceof ConflictError && failure.errorKey === 'services.config_conflict';
        if (!isConflict) throw failure;
        setHeard(await readAgain());
      }
    });
  return {
    ...{ base, published, rows, theirs, justPublished, edited, isAdding, changes, busy, error },
    ...{ change, onto, publish, setEdited, setIsAdding },
  };
}

function Questions({ draft, types, mayEdit }: { draft: AsksDraft; types: FieldTypes; mayEdit: boolean }) {
  const { t } = usePortalText();
  const { base, rows, published, changes } = draft;
  return (
    <>
      {rows.length === 0 ? (
        <Empty title={t('asks.empty')}>{t('asks.empty.text')}</Empty>
      ) : (
        <AskedRows
          rows={rows}
          published={published}
          types={types}
          mayEdit={mayEdit}
          edit={draft.setEdited}
          change={draft.change}
        />
      )}
      {mayEdit && (
        <Group>
          <Button
            variant="default"
            leftSection={<IconPlus size={18} aria-hidden="true" />}
            onClick={() => draft.setIsAdding(true)}
          >
            {t('asks.add')}
          </Button>
          {changes > 0 && (
            <Button variant="subtle" color="gray" onClick={() => draft.onto(base)}>
              {t('asks.discard')}
            </Button>
          )}
        </Group>
      )}
    </>
  );
}

/** The sheets of the question that is added or edited. */
function Edited({ draft, types }: { draft: AsksDraft; types: FieldTypes }) {
  const { rows, published, edited, change, setEdited, setIsAdding } = draft;
  const row = rows.find(({ slug }) => slug === edited);
  return (
    <>
      <NewRowSheet
        types={types}
        opened={draft.isAdding}
        taken={rows.map(({ slug }) => slug)}
        close={() => setIsAdding(false)}
        add={(added) => {
          change([...rows, added]);
          setIsAdding(false);
          setEdited(added.slug);
        }}
      />
      {row !== undefined && (
        <RowSheet
          row={row}
          isNew={published.every(({ slug }) => slug !== edited)}
          types={types}
          taken={rows.filter((each) => each !== row).map(({ slug }) => slug)}
          close={() => setEdited(undefined)}
          change={(next) => {
            change(rows.map((each) => (each === row ? next : each)));
            setEdited(next.slug);
          }}
          remove={() => {
            change(rows.filter((each) => each !== row));
            setEdited(undefined);
          }}
        />
      )}
    </>
  );
}
