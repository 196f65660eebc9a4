import { Button, Stack, Text } from '@mantine/core';
import { IconFileText, IconWritingSign } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { LoadedList } from '../../parts/loaded.tsx';
import { MeFrame } from '../../parts/me-frame.tsx';
import { ToCompanies } from '../../parts/next-step.tsx';
import { When } from '../../parts/when.tsx';
import { documentsQuery, type Listed } from '../../platform/document-list.ts';
import { askedOf, found } from '../../platform/document-states.ts';
import { useRead } from '../../platform/read.ts';
import { useInsideText } from '../../text/inside/index.tsx';
import { Group } from '../../ui/group.tsx';
import { IconTile } from '../../ui/icon.tsx';
import { List, RowLink } from '../../ui/list.tsx';
import { Page } from '../../ui/page.tsx';
import { Search } from '../../ui/search.tsx';
import { StateBadge } from './state-badge.tsx';

const SHOWN_FIRST = 50;
/** Shorter lists are read faster than searched. */
const SEARCHED_FROM = 10;

export function DocumentsPage() {
  return (
    <MeFrame>
      <Documents />
    </MeFrame>
  );
}

/** What companies gave the person: what they ask for first. */
function Documents() {
  const { t } = useInsideText();
  const list = useRead(documentsQuery);
  const all = list.found ?? [];
  const { q = '' } = useSearch({ from: '/me/documents' });
  const navigate = useNavigate();
  const shown = found(all, q);
  const waiting = shown.filter((each) => askedOf(each) !== undefined);
  const others = shown.filter((each) => askedOf(each) === undefined);
  return (
    <Page title={t('documents.title')} lead={t('documents.lead')}>
      <LoadedList
        of={list}
        none={t('documents.none')}
        noneText={t('documents.none.text')}
        noneAct={<ToCompanies />}
      />
      {list.found && (all.length > SEARCHED_FROM || q !== '') && (
        <Search
          label={t('documents.search')}
          value={q}
          change={(value) =>
            navigate({ to: '/me/documents', search: { q: value || undefined }, replace: true })
          }
        />
      )}
      <Stack gap="lg" aria-live="polite">
        {all.length > 0 && shown.length === 0 && (
          <Text c="dimmed">{t('documents.notFound', { query: q })}</Text>
        )}
        <Rows title={t('documents.waiting')} documents={waiting} isWaiting />
        <Rows title={t(waiting.length > 0 ? 'documents.others' : 'documents.all')} documents={others} />
      </Stack>
    </Page>
  );
}

function Rows(props: { title: string; documents: readonly Listed[]; isWaiting?: boolean }) {
  const { title, documents, isWaiting = false } = props;
  const { t } = useInsideText();
  const [most, setMost] = useState(SHOWN_FIRST);
  if (documents.length === 0) return null;
  return (
    <Group title={title}>
      <List>
        {documents.slice(0, most).map((document) => (
          <RowLink
            key={document.id}
            to="/me/documents/$documentId"
            params={{ documentId: document.id }}
            parts={{
              leading: isWaiting ? (
                <IconTile icon={IconWritingSign} tone="accent" />
              ) : (
                <IconTile icon={IconFileText} />
              ),
              title: document.name,
              detail: (
                <>
                  {t('documents.by', {
                    company: document.company.display_name,
                    service: document.service.name,
                  })}
                  {' · '}
                  <When at={document.created_at} />
                </>
              ),
              trailing: <StateBadge document={document} />,
            }}
          />
        ))}
      </List>
      {documents.length > most && (
        <Button variant="default" onClick={() => setMost(most + SHOWN_FIRST)}>
          {t('documents.more', { count: documents.length - most })}
        </Button>
      )}
    </Group>
  );
}
