import { useText } from '../text/index.tsx';
import { LinkButton } from './link-button.tsx';

/* Where a list that is empty leads on to. */

export function ToConnect() {
  const { t } = useText();
  return (
    <LinkButton component="a" variant="light" to="/me/connect">
      {t('home.first.connect')}
    </LinkButton>
  );
}

export function ToCompanies() {
  const { t } = useText();
  return (
    <LinkButton component="a" variant="light" to="/me/connections">
      {t('place.companies')}
    </LinkButton>
  );
}
