import { Paper, Stack, Text } from '@mantine/core';
import type { Request } from '../../platform/consent.ts';
import { useText } from '../../text/index.tsx';
import classes from './who-asks.module.css';

/** Who asks: the site with its address, the company behind it, how long it is known. */
export function WhoAsks({ request }: { request: Request }) {
  const { t, language } = useText();
  const { app, company, service } = request;
  const since = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric' });
  return (
    <Paper component="section" aria-label={t('consent.who')} className={classes.who} p="md">
      <Stack gap={6}>
        <Text fw={650}>{app.name}</Text>
        <Text size="sm" className={classes.origin} data-testid="origin">
          {app.origin}
        </Text>
        <Text size="sm" c="dimmed">
          {t('consent.company', { company: company.display_name, code: company.company_code })}
        </Text>
        {service !== null && (
          <Text size="sm" c="dimmed">
            {t('consent.service', { service: service.name })}
          </Text>
        )}
        <Text size="sm" c="dimmed">
          {t('consent.since', { date: since.format(new Date(company.since)) })}
        </Text>
      </Stack>
    </Paper>
  );
}
