import { Commands } from '../../../parts/operator/commands.tsx';
import { OperatorPage } from '../../../parts/operator/operator-page.tsx';
import { useOperatorText } from '../../../text/operator/index.tsx';
import { Page } from '../../../ui/page.tsx';
import { ServerKeysSection } from './server-keys.tsx';
import { SigningKeysSection } from './signing-keys.tsx';

export function KeysPage() {
  return (
    <OperatorPage>
      <Keys />
    </OperatorPage>
  );
}

function Keys() {
  const { t } = useOperatorText();
  return (
    <Page title={t('keys.title')} lead={t('keys.lead')}>
      <ServerKeysSection />
      <SigningKeysSection />
      <Commands
        lines={['keys list', 'keys rotate', 'keys drop VERSION', 'signing-keys list', 'signing-keys rotate']}
      />
    </Page>
  );
}
