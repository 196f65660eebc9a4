import { Group as Beside, TextInput } from '@mantine/core';
import type { AdminPerson } from '@symbolon/protocol';
import { IconX } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { ActButton } from '../../../parts/operator/act-button.tsx';
import { ActSheet } from '../../../parts/operator/act-sheet.tsx';
import { Commands } from '../../../parts/operator/commands.tsx';
import { FoundTable } from '../../../parts/operator/found-table.tsx';
import { OperatorPage } from '../../../parts/operator/operator-page.tsx';
import { When } from '../../../parts/when.tsx';
import { addShareCode, peopleQuery, removeShareCode } from '../../../platform/operator/companies.ts';
import { outdate } from '../../../platform/queries.ts';
import { useOperatorText } from '../../../text/operator/index.tsx';
import { Page } from '../../../ui/page.tsx';
import type { Column } from '../../../ui/table.tsx';

export function PeoplePage() {
  return (
    <OperatorPage>
      <People />
    </OperatorPage>
  );
}

function People() {
  const { t } = useOperatorText();
  const { q = '' } = useSearch({ from: '/operator/people' });
  const navigate = useNavigate();
  const [giving, setGiving] = useState<AdminPerson>();
  const [taking, setTaking] = useState<{ person: AdminPerson; code: string }>();
  const columns: Column<AdminPerson>[] = [
    { key: 'name', title: t('persons.name'), cell: (row) => row.display_name },
    { key: 'email', title: t('persons.email'), wide: true, cell: ({ email }) => email },
    { key: 'code', title: t('persons.code'), cell: (row) => row.share_code },
    {
      key: 'own',
      title: t('persons.given'),
      cell: (person) => (
        <Beside gap="xs">
          {person.custom_share_codes.map((code) => (
            <ActButton
              key={code}
              rightSection={<IconX size={14} aria-hidden="true" />}
              variant="light"
              size="compact-sm"
              h={32}
              aria-label={t('persons.take', { code })}
              onClick={() => setTaking({ person, code })}
            >
              {code}
            </ActButton>
          ))}
          <ActButton
            variant="default"
            size="compact-sm"
            h={32}
            aria-label={`${t('persons.give')}: ${person.display_name}`}
            onClick={() => setGiving(person)}
          >
            {t('persons.give')}
          </ActButton>
        </Beside>
      ),
    },
    { key: 'region', title: t('companies.region'), wide: true, cell: ({ region }) => region },
    {
      key: 'since',
      title: t('companies.registered'),
      wide: true,
      cell: (row) => <When at={row.created_at} />,
    },
  ];
  return (
    <Page title={t('persons.title')} lead={t('persons.lead')}>
      <FoundTable
        label={t('persons.title')}
        prompt={t('persons.search')}
        q={q}
        find={(next) =>
          navigate({ to: '/operator/people', search: next === '' ? {} : { q: next }, replace: true })
        }
        query={peopleQuery}
        columns={columns}
        keyOf={(row) => row.person_user_id}
        none={t('persons.none')}
        noneText={t('persons.none.text')}
      />
      {giving !== undefined && <GiveSheet person={giving} close={() => setGiving(undefined)} />}
      {taking !== undefined && (
        <ActSheet
          title={t('persons.take', { code: taking.code })}
          text={t('persons.take.text', { name: taking.person.display_name })}
          label={t('persons.take.do')}
          danger
          close={() => setTaking(undefined)}
          act={() => removeShareCode(taking.person.person_user_id, taking.code).then(readPeople)}
        />
      )}
      <Commands lines={['people [SEARCH]', 'share-code add PERSON CODE', 'share-code remove PERSON CODE']} />
    </Page>
  );
}

const readPeople = () => outdate(peopleQuery('', '').key);

function GiveSheet({ person, close }: { person: AdminPerson; close: () => void }) {
  const { t } = useOperatorText();
  const [code, setCode] = useState('');
  return (
    <ActSheet
      title={t('persons.give.to', { name: person.display_name })}
      text={t('persons.give.text')}
      label={t('persons.give.do')}
      disabled={code === ''}
      close={close}
      act={() => addShareCode(person.person_user_id, code).then(readPeople)}
    >
      <TextInput
        label={t('persons.give.code')}
        description={t('persons.give.hint')}
        autoComplete="off"
        value={code}
        onChange={(event) => setCode(event.currentTarget.value.toUpperCase().trim())}
      />
    </ActSheet>
  );
}
