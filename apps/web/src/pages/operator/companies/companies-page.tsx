import type { AdminCompany } from '@symbolon/protocol';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Commands } from '../../../parts/operator/commands.tsx';
import { FoundTable } from '../../../parts/operator/found-table.tsx';
import { OperatorPage } from '../../../parts/operator/operator-page.tsx';
import { TextLink } from '../../../parts/text-link.tsx';
import { When } from '../../../parts/when.tsx';
import { companiesQuery } from '../../../platform/operator/companies.ts';
import { useOperatorText } from '../../../text/operator/index.tsx';
import { Page } from '../../../ui/page.tsx';
import { Status } from '../../../ui/status.tsx';
import type { Column } from '../../../ui/table.tsx';

export function CompaniesPage() {
  return (
    <OperatorPage>
      <Companies />
    </OperatorPage>
  );
}

function Companies() {
  const { t, language } = useOperatorText();
  const { q = '' } = useSearch({ from: '/operator/companies' });
  const navigate = useNavigate();
  const number = new Intl.NumberFormat(language);
  const columns: Column<AdminCompany>[] = [
    {
      key: 'name',
      title: t('companies.name'),
      cell: ({ company_user_id: companyId, name }) => (
        <TextLink to="/operator/companies/$companyId" params={{ companyId }}>
          {name}
        </TextLink>
      ),
    },
    { key: 'code', title: t('companies.code'), cell: ({ company_code: code }) => code },
    {
      key: 'level',
      title: t('companies.level'),
      cell: ({ level }) => <Status tone={level === 'free' ? 'neutral' : 'accent'}>{level}</Status>,
    },
    { key: 'region', title: t('companies.region'), wide: true, cell: ({ region }) => region },
    {
      key: 'services',
      title: t('companies.serviceCount'),
      end: true,
      wide: true,
      cell: ({ services }) => number.format(services),
    },
    {
      key: 'connections',
      title: t('companies.connections'),
      end: true,
      cell: ({ connections }) => number.format(connections),
    },
    {
      key: 'since',
      title: t('companies.registered'),
      wide: true,
      cell: (row) => <When at={row.created_at} />,
    },
  ];
  return (
    <Page title={t('companies.title')} lead={t('companies.lead')}>
      <FoundTable
        label={t('companies.title')}
        prompt={t('companies.search')}
        q={q}
        find={(next) =>
          navigate({ to: '/operator/companies', search: next === '' ? {} : { q: next }, replace: true })
        }
        query={companiesQuery}
        columns={columns}
        keyOf={(row) => row.company_user_id}
        none={t('companies.none')}
        noneText={t('companies.none.text')}
      />
      <Commands lines={['companies [SEARCH]']} />
    </Page>
  );
}
