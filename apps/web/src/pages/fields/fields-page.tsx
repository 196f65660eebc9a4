import { ActionIcon, Button, Stack, Text } from '@mantine/core';
import { IconPlus, IconShare } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useDeferredValue, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useOpenFields } from '../../parts/answers/use-open-fields.ts';
import { type FieldGroup, GROUPS, kindOf } from '../../parts/field-icon.ts';
import { useFieldLabel } from '../../parts/field-label.ts';
import { LoadedList } from '../../parts/loaded.tsx';
import { MeFrame } from '../../parts/me-frame.tsx';
import { useShownField } from '../../parts/shown-field.ts';
import { useSize } from '../../parts/size.ts';
import { bytesOf, type Fields, fieldsSoFar, isFileType, type OpenField } from '../../platform/fields.ts';
import { useSession } from '../../platform/session.ts';
import { SHARED_HASH, takeShared } from '../../platform/shared-files.ts';
import { useInsideText } from '../../text/inside/index.tsx';
import { Group } from '../../ui/group.tsx';
import { useGrowing } from '../../ui/growing.tsx';
import { IconTile } from '../../ui/icon.tsx';
import { List, RowButton } from '../../ui/list.tsx';
import { Note } from '../../ui/note.tsx';
import { Page } from '../../ui/page.tsx';
import { Search } from '../../ui/search.tsx';
import { Status } from '../../ui/status.tsx';
import { AddSheet } from './add-sheet.tsx';
import { FieldSheet } from './field-sheet.tsx';
import { useSharing } from './sharing.ts';

const route = getRouteApi('/me/fields');

/** Shorter lists are read faster than searched. */
const SEARCHED_FROM = 6;

/** What the person keeps to answer with. */
export function FieldsPage() {
  return (
    <MeFrame>
      <MyFields />
    </MeFrame>
  );
}

function MyFields() {
  const { t } = useInsideText();
  const read = useOpenFields();
  const { found: fields, load } = read;
  const listed = useFieldsSoFar(fields);
  const { field: openId, act, add } = route.useSearch();
  const navigate = route.useNavigate();
  // What is closed is no place to go back to.
  const close = () => navigate({ search: {}, replace: true });
  const begin = () => navigate({ search: { add: '' } });
  const open = fields?.fields.find(({ id }) => id === openId);
  const { shared, next } = useShared();
  return (
    <Page title={t('fields.title')} lead={t('fields.lead')} aside={fields && <AddButton add={begin} />}>
      {shared?.length === 0 && (
        <Note icon={IconShare} tone="warn">
          {t('fields.share.again')}
        </Note>
      )}
      <LoadedList
        of={{ ...read, found: listed?.fields }}
        none={t('fields.none')}
        noneText={t('fields.none.text')}
        noneAct={
          <Button variant="light" onClick={begin}>
            {t('home.first.field')}
          </Button>
        }
      >
        {() =>
          listed && (
            <>
              <Grouped
                fields={listed}
                isWhole={fields !== undefined}
                open={(field) => navigate({ search: { field } })}
              />
              {fields && <Used fields={fields} />}
            </>
          )
        }
      </LoadedList>
      {fields && open && (
        <FieldSheet
          field={open}
          fields={fields}
          changed={load}
          isChanging={act === 'change'}
          setChanging={(is) =>
            navigate({ search: { field: open.id, ...(is && { act: 'change' }) }, replace: !is })
          }
          close={close}
        />
      )}
      {fields && (
        <AddSheet
          fields={fields}
          opened={add !== undefined || (shared?.length ?? 0) > 0}
          type={add || undefined}
          setType={(type) => navigate({ search: { add: type } })}
          shared={shared?.[0]}
          close={() => {
            next();
            if (add !== undefined) close();
          }}
          added={load}
        />
      )}
    </Page>
  );
}

/** Files that were shared with the installed app: each becomes a field, one after the other. */
function useShared() {
  const [shared, setShared] = useState<readonly File[]>();
  useEffect(() => {
    if (location.hash !== SHARED_HASH) return;
    takeShared().then((files) => {
      setShared(files);
    });
  }, []);
  const next = () => {
    const rest = shared?.slice(1);
    setShared(rest?.length ? rest : undefined);
  };
  return { shared, next };
}

function AddButton({ add }: { add: () => void }) {
  const { t } = useInsideText();
  return (
    <ActionIcon variant="light" size={44} radius={12} aria-label={t('fields.add')} onClick={add}>
      <IconPlus size={22} />
    </ActionIcon>
  );
}

/** Those that are open, while many are being opened; then all of them. */
function useFieldsSoFar(all: Fields | undefined): Fields | undefined {
  const session = useSession();
  const publicKey = session.state === 'in' ? session.person.public_key : '';
  const opened = useSyncExternalStore(fieldsSoFar.subscribe, () => fieldsSoFar.of(publicKey));
  return all ?? opened;
}

/** How much room the files of the person take. */
function Used({ fields: { fields } }: { fields: Fields }) {
  const { t } = useInsideText();
  const size = useSize();
  const bytes = fields.reduce((sum, { file }) => sum + (file ? bytesOf(file) : 0), 0);
  if (bytes === 0) return null;
  return (
    <Text size="sm" c="dimmed">
      {t('fields.used', { size: size(bytes) })}
    </Text>
  );
}

/** Fields by what they are for, and the one that is looked for. */
function Grouped(props: {
  fields: Fields;
  /** None of them is still to be opened. */
  isWhole: boolean;
  open: (id: string) => void;
}) {
  const { fields, isWhole, open } = props;
  const { t } = useInsideText();
  const [query, setQuery] = useState('');
  const shown = useShownField(fields);
  const sharing = useSharing();
  const wanted = useDeferredValue(query.trim().toLocaleLowerCase());
  const rows = useRows(fields, shown);
  const found = useMemo(() => rows.filter(({ words }) => words.includes(wanted)), [rows, wanted]);
  const { drawn, end } = useGrowing(found, wanted);
  const groups = Map.groupBy(drawn, ({ group }) => group);
  return (
    <>
      {fields.fields.length > SEARCHED_FROM && (
        <Search label={t('fields.search')} value={query} change={setQuery} />
      )}
      <Stack gap="lg" aria-live="polite">
        {isWhole && found.length === 0 && <Text c="dimmed">{t('fields.notFound', { query })}</Text>}
        {[...groups].map(([group, members]) => (
          <Group key={group} title={t(`fields.group.${group}`)}>
            <List>
              {members.map(({ field, text }) => (
                <FieldRow
                  key={field.id}
                  field={field}
                  text={text}
                  fields={fields}
                  shares={sharing.get(field.id)?.length ?? 0}
                  open={() => open(field.id)}
                />
              ))}
            </List>
          </Group>
        ))}
        {end}
        {!isWhole && <Text c="dimmed">{t('fields.opening', { count: fields.fields.length })}</Text>}
      </Stack>
    </>
  );
}

interface FieldOfGroup {
  readonly field: OpenField;
  readonly group: FieldGroup;
  /** What it holds, on one line. */
  readonly text: string;
  /** What it is found by. */
  readonly words: string;
}

/** Fields in the order of their groups. What they hold is written once, and not again with each letter that is searched for. */
function useRows(fields: Fields, shown: (field: OpenField) => string): readonly FieldOfGroup[] {
  return useMemo(() => {
    const rows = fields.fields.map((field) => {
      const text = shown(field);
      const words = `${field.label}\n${text}`.toLocaleLowerCase();
      return { field, group: kindOf(field.type, fields.types).group, text, words };
    });
    const groups = Map.groupBy(rows, ({ group }) => group);
    return GROUPS.flatMap((group) => groups.get(group) ?? []);
  }, [fields, shown]);
}

function FieldRow(props: {
  field: OpenField;
  text: string;
  fields: Fields;
  shares: number;
  open: () => void;
}) {
  const { field, text, fields, shares, open } = props;
  const { t, count } = useInsideText();
  const labelOf = useFieldLabel();
  const isFile = isFileType(fields.types, field.type);
  const sharing = shares === 0 ? t('fields.notShared') : count('fields.shared', shares);
  const about = isFile ? labelOf(field.type, fields.types) : field.label;
  return (
    <RowButton
      onClick={open}
      leading={<IconTile icon={kindOf(field.type, fields.types).icon} />}
      title={text}
      detail={`${about} · ${sharing}`}
      trailing={
        field.verifiedAt === undefined ? undefined : <Status tone="good">{t('fields.verified')}</Status>
      }
    />
  );
}
