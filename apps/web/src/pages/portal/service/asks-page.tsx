import { Button, Group, Stack, Text } from '@mantine/core';
import type { RequestFieldConfig, RequestFieldInput, Service } from '@symbolon/protocol';
import { ConflictError } from '@symbolon/sdk/device';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { Loaded } from '../../../parts/loaded.tsx';
import { usePortalLogin } from '../../../parts/portal/portal-page.tsx';
import { SameByApi } from '../../../parts/portal/same-by-api.tsx';
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
import { changedBetween, countChanges, inputOf, rebase } from './asks-draft.ts';
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
              first={published}
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
  readonly first: RequestFieldConfig;
  readonly readAgain: () => Promise<RequestFieldConfig>;
}

/** The questions as they are edited, with the phone of a person beside them. Nothing is seen by people before it is published. */
function Editor({ service, types, first, readAgain }: EditorProps) {
  const { t, count } = usePortalText();
  const mayEdit = mayAs(usePortalLogin(), 'developer');
  const draft = useDraft(service.id, first, readAgain);
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
      <Conflict draft={draft} />
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

/** What is edited here, beside the published version that it began with: that stays, whatever is published meanwhile. */
function useDraft(
  serviceId: string,
  first: RequestFieldConfig,
  readAgain: () => Promise<RequestFieldConfig>,
) {
  const { busy, error, run, clear } = useAct();
  const [base, setBase] = useState(first);
  const published = base.request_fields.map(inputOf);
  const [rows, setRows] = useState<readonly RequestFieldInput[]>(published);
  const [theirs, setTheirs] = useState<RequestFieldConfig>();
  const [justPublished, setJustPublished] = useState<number>();
  const [edited, setEdited] = useState<string>();
  const [isAdding, setIsAdding] = useState(false);
  const change = (next: readonly RequestFieldInput[]) => {
    setRows(next);
    setJustPublished(undefined);
  };
  const begin = (config: RequestFieldConfig, next = config.request_fields.map(inputOf)) => {
    setBase(config);
    setRows(next);
    setTheirs(undefined);
    clear();
  };
  const publish = () =>
    run(async () => {
      try {
        const next = await publishRequestFields(serviceId, rows, base.config_token);
        begin(next);
        setJustPublished(next.version);
      } catch (failure) {
        const isConflict =
          failure instanceof ConflictError && failure.errorKey === 'services.config_conflict';
        if (!isConflict) throw failure;
        setTheirs(await readAgain());
      }
    });
  const changes = countChanges(rows, published);
  return {
    ...{ base, published, rows, theirs, justPublished, edited, isAdding, changes, busy, error },
    ...{ change, begin, publish, setEdited, setIsAdding },
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
            <Button variant="subtle" color="gray" onClick={() => draft.begin(base)}>
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

/** What another login published meanwhile, beside the draft that is still here. */
function Conflict({ draft: { theirs, published, rows, begin } }: { draft: AsksDraft }) {
  const { t } = usePortalText();
  if (theirs === undefined) return null;
  const found = theirs.request_fields.map(inputOf);
  const names = changedBetween(published, found);
  return (
    <section className={classes.conflict} role="alert">
      <Text fw={600}>{t('asks.conflict')}</Text>
      <Text size="sm">{t('asks.conflict.text')}</Text>
      <Text size="sm">
        {t('asks.conflict.theirs', {
          names: names.length > 0 ? names.join(', ') : t('asks.conflict.nothing'),
        })}
      </Text>
      <Group mt="xs">
        <Button size="sm" onClick={() => begin(theirs, rebase(rows, published, found))}>
          {t('asks.conflict.onto')}
        </Button>
        <Button size="sm" variant="default" onClick={() => begin(theirs)}>
          {t('asks.discard')}
        </Button>
      </Group>
    </section>
  );
}
