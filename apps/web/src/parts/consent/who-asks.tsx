import { IconWorld } from '@tabler/icons-react';
import type { Request } from '../../platform/consent.ts';
import { useText } from '../../text/index.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { PageTitle } from '../../ui/page.tsx';
import classes from './who-asks.module.css';

/** What of a request says who asks. */
export interface Asking extends Pick<Request, 'service'> {
  readonly app: Pick<Request['app'], 'name' | 'origin'>;
  readonly company: Pick<Request['company'], 'display_name' | 'company_code' | 'since'>;
}

/** The question, and who asks it: the site with its address, the company behind it, how long it is known. */
export function WhoAsks(props: {
  request: Asking;
  title: string;
  lead?: string;
  /** It stands as a picture in another page, whose heading it is not. */
  isPicture?: boolean;
}) {
  const { request, title, lead, isPicture = false } = props;
  const { t, language } = useText();
  const { app, company, service } = request;
  const since = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric' });
  return (
    <header className={classes.head}>
      <div className={classes.whom}>
        <Avatar name={app.name} size={56} />
        <div className={classes.words}>
          {isPicture ? <h3 className={classes.title}>{title}</h3> : <PageTitle>{title}</PageTitle>}
          <p className={classes.origin}>
            <IconWorld size={16} stroke={1.75} aria-hidden="true" />
            <span data-testid="origin">{app.origin}</span>
          </p>
        </div>
      </div>
      {lead !== undefined && <p className={classes.lead}>{lead}</p>}
      <section aria-label={t('consent.who')} className={classes.who}>
        <span>{t('consent.company', { company: company.display_name, code: company.company_code })}</span>
        {service !== null && <span>{t('consent.service', { service: service.name })}</span>}
        <span>{t('consent.since', { date: since.format(new Date(company.since)) })}</span>
      </section>
    </header>
  );
}
