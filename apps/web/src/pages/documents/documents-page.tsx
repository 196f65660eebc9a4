import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { PageHead } from '../../parts/frame.tsx';
import { LoadedList } from '../../parts/loaded.tsx';
import { MeFrame } from '../../parts/me-frame.tsx';
import classes from '../../parts/rows.module.css';
import { When } from '../../parts/when.tsx';
import { askedOf, found } from '../../platform/document-states.ts';
import { documentsQuery, type Listed } from '../../platform/documents.ts';
import { useRead } from '../../platform/read.ts';
import { useText } from '../../text/index.tsx';
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
  const { t } = useText();
  const list = useRead(documentsQuery);
  const all = list.found ?? [];
  const { q = '' } = useSearch({ from: '/me/documents' });
  const navigate = useNavigate();
  const shown = found(all, q);
  const waiting = shown.filter((each) => askedOf(each) !== undefined);
  const others = shown.filter((each) => askedOf(each) === undefined);
  return (
    <Stack gap="lg">
      <PageHead title={t('documents.title')} lead={t('documents.lead')} />
      <LoadedList of={list} none={t('documents.none')} noneText={t('documents.none.text')} />
      {list.found && (all.length > SEARCHED_FROM || q !== '') && (
        <TextInput
          type="search"
          autoComplete="off"
          label={t('documents.search')}
          value={q}
          onChange={({ currentTarget: { value } }) =>
            navigate({ to: '/me/documents', search: { q: value || undefined }, replace: true })
          }
        />
      )}
      <Stack gap="lg" aria-live="polite">
        {all.length > 0 && shown.length === 0 && (
          <Text c="dimmed">{t('documents.notFound', { query: q })}</Text>
        )}
        <Rows title={t('documents.waiting')} documents={waiting} />
        <Rows title={t(waiting.length > 0 ? 'documents.others' : 'documents.all')} documents={others} />
      </Stack>
    </Stack>
  );
}

function Rows({ title, documents }: { title: string; documents: readonly Listed[] }) {
  const { t } = useText();
  const heading = useId();
  const [most, setMost] = useState(SHOWN_FIRST);
  if (documents.length === 0) return null;
  return (
    <Stack component="section" gap="xs" aria-labelledby={heading}>
      <Title order={2} id={heading}>
        {title}
      </Title>
      <ul className={classes.rows}>
        {documents.slice(0, most).map((document) => (
          <li key={document.id}>
            <Link
              to="/me/documents/$documentId"
              params={{ documentId: document.id }}
              className={classes.row ?? ''}
            >
              <Group justify="space-between" gap="xs" wrap="nowrap" align="start">
                <Text component="span" fw={600} className={classes.name}>
                  {document.name}
                </Text>
                <StateBadge document={document} />
              </Group>
              <Text component="span" display="block" size="sm" c="dimmed" className={classes.name}>
                {t('documents.by', {
                  company: document.company.display_name,
                  service: document.service.name,
                })}
                {' · '}
                <When at={document.created_at} />
              </Text>
            </Link>
          </li>
        ))}
      </ul>
      {documents.length > most && (
        <Group>
          <Button variant="default" onClick={() => setMost(most + SHOWN_FIRST)}>
            {t('documents.more', { count: documents.length - most })}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
