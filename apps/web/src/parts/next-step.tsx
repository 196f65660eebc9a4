import { useInsideText } from '../text/inside/index.tsx';
import { LinkButton } from './link-button.tsx';

/* Where a list that is empty leads on to. */

export function ToConnect() {
  const { t } = useInsideText();
  return (
    <LinkButton component="a" variant="light" to="/me/connect">
      {t('home.first.connect')}
    </LinkButton>
  );
}

export function ToCompanies() {
  const { t } = useInsideText();
  return (
    <LinkButton component="a" variant="light" to="/me/connections">
      {t('place.companies')}
    </LinkButton>
  );
}
