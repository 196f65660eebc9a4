import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { mayAs } from '../../platform/portal/session.ts';
import { usePortalText } from '../../text/portal/index.tsx';
import { usePortalLogin } from './portal-page.tsx';

/** The way to a new service, for who may make one. */
export function NewServiceButton() {
  const { t } = usePortalText();
  if (!mayAs(usePortalLogin(), 'developer')) return null;
  return (
    <Button
      component={Link}
      to="/portal/services/new"
      leftSection={<IconPlus size={18} aria-hidden="true" />}
    >
      {t('services.new')}
    </Button>
  );
}
