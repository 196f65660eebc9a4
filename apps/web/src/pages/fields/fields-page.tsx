import { ActionIcon, Button, Stack, Text } from '@mantine/core';
import { IconPlus, IconShare } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useOpenFields } from '../../parts/answers/use-open-fields.ts';
import { type FieldGroup, GROUPS, kindOf } from '../../parts/field-icon.ts';
import { useFieldLabel } from '../../parts/field-label.ts';
import { LoadedList } from '../../parts/loaded.tsx';
import { MeFrame } from '../../parts/me-frame.tsx';
import { useShownField } from '../../parts/shown-field.ts';
import { useSize } from '../../parts/size.ts';
import { bytesOf, type Fields, isFileType, type OpenField } from '../../platform/fields.ts';
import { SHARED_HASH, takeShared } from '../../platform/shared-files.ts';
import { useText } from '../../text/index.tsx';
import { Group } from '../../ui/group.tsx';
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
  const { t } = useText();
  const read = useOpenFields();
  const { found: fields, load } = read;
  const { field: openId, act, add } = route.useSearch();
  const navigate = route.useNavigate();
  // What is closed is no place to go back to.
  const close = () => navigate({ search: {}, replace: true });
  const open = fields?.fields.find(({ id }) => id === openId);
  const [shared, setShared] = useState<readonly File[]>();
  useEffect(() => {
    if (location.hash !== SHARED_HASH) return;
    takeShared().then((files) => {
      setShared(files);
    });
  }, []);
  return (
    <Page
      title={t('fields.title')}
      lead={t('fields.lead')}
      aside={
        fields && (
          <ActionIcon
            variant="light"
            size={44}
            radius={12}
            aria-label={t('fields.add')}
            onClick={() => navigate({ search: { add: '' } })}
          >
            <IconPlus size={22} />
          </ActionIcon>
        )
      }
    >
      {shared?.length === 0 && (
        <Note icon={IconShare} tone="warn">
          {t('fields.share.again')}
        </Note>
      )}
      <LoadedList
        of={{ ...read, found: fields?.fields }}
        none={t('fields.none')}
        noneText={t('fields.none.text')}
        noneAct={
          <Button variant="light" onClick={() => navigate({ search: { add: '' } })}>
            {t('home.first.field')}
          </Button>
        }
      >
        {() =>
          fields && (
            <>
              <Grouped fields={fields} open={(field) => navigate({ search: { field } })} />
              <Used fields={fields} />
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
            // One after the other, where several were shared.
            const rest = shared?.slice(1);
            setShared(rest?.length ? rest : undefined);
            if (add !== undefined) close();
          }}
          added={load}
        />
      )}
    </Page>
  );
}

/** How much room the files of the person take. */
function Used({ fields: { fields } }: { fields: Fields }) {
  const { t } = useText();
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
function Grouped({ fields, open }: { fields: Fields; open: (id: string) => void }) {
  const { t } = useText();
  const [query, setQuery] = useState('');
  const shown = useShownField(fields);
  const sharing = useSharing();
  const wanted = query.trim().toLocaleLowerCase();
  const found = fields.fields.filter((field) =>
    [field.label, shown(field)].some((text) => text.toLocaleLowerCase().includes(wanted)),
  );
  const groups = Map.groupBy(found, ({ type }): FieldGroup => kindOf(type, fields.types).group);
  return (
    <>
      {fields.fields.length > SEARCHED_FROM && (
        <Search label={t('fields.search')} value={query} change={setQuery} />
      )}
      <Stack gap="lg" aria-live="polite">
        {found.length === 0 && <Text c="dimmed">{t('fields.notFound', { query })}</Text>}
        {GROUPS.map((group) => {
          const members = groups.get(group) ?? [];
          if (members.length === 0) return null;
          return (
            <Group key={group} title={t(`fields.group.${group}`)}>
              <List>
                {members.map((field) => (
                  <FieldRow
                    key={field.id}
                    field={field}
                    fields={fields}
                    shares={sharing.get(field.id)?.length ?? 0}
                    open={() => open(field.id)}
                  />
                ))}
              </List>
            </Group>
          );
        })}
      </Stack>
    </>
  );
}

function FieldRow(props: { field: OpenField; fields: Fields; shares: number; open: () => void }) {
  const { field, fields, shares, open } = props;
  const { t, count } = useText();
  const labelOf = useFieldLabel();
  const shown = useShownField(fields);
  const isFile = isFileType(fields.types, field.type);
  const sharing = shares === 0 ? t('fields.notShared') : count('fields.shared', shares);
  const about = isFile ? labelOf(field.type, fields.types) : field.label;
  return (
    <RowButton
      onClick={open}
      leading={<IconTile icon={kindOf(field.type, fields.types).icon} />}
      title={shown(field)}
      detail={`${about} · ${sharing}`}
      trailing={
        field.verifiedAt === undefined ? undefined : <Status tone="good">{t('fields.verified')}</Status>
      }
    />
  );
}
