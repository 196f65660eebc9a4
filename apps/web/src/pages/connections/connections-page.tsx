import { MeFrame } from '../../parts/me-frame.tsx';
import { TextLink } from '../../parts/text-link.tsx';
import { useInsideText } from '../../text/inside/index.tsx';
import { Page } from '../../ui/page.tsx';
import { CompanyList } from './company-list.tsx';

/** Everything with one company in one place: this leads there. */
export function ConnectionsPage() {
  return (
    <MeFrame>
      <Companies />
    </MeFrame>
  );
}

function Companies() {
  const { t } = useInsideText();
  return (
    <Page title={t('place.companies')} lead={t('connections.lead')}>
      <CompanyList />
      <p>
        <TextLink to="/me/messages">{t('companies.messages')}</TextLink>
        {' · '}
        <TextLink to="/me/documents">{t('companies.documents')}</TextLink>
        {' · '}
        <TextLink to="/me/flows">{t('companies.flows')}</TextLink>
        {' · '}
        <TextLink to="/me/requests">{t('companies.requests')}</TextLink>
      </p>
    </Page>
  );
}
