import { Alert, Code, Stack, Text, Title } from '@mantine/core';
import type { Act, Verification } from '@symbolon/pdf/verify';
import type { ReactNode } from 'react';
import { useInsideText } from '../../text/inside/index.tsx';
import classes from './verify-page.module.css';

const COLORS = {
  sealed: 'teal',
  untrusted: 'yellow',
  extended: 'red',
  changed: 'red',
  not_signed: 'gray',
} as const;

/** What the seal of a file says, and whether it holds. */
export function Result({ name, verification }: { name: string; verification: Verification }) {
  const { t } = useInsideText();
  const { signatures, facts, originalIntact } = verification;
  // A seal over another document than it names is worth no more than a changed one.
  const verdict = originalIntact === false ? 'changed' : verification.verdict;
  const last = signatures.at(-1);
  const sealedAt = last?.timestamp?.time ?? last?.claimedAt;
  return (
    <Stack gap="lg">
      <Alert color={COLORS[verdict]} variant="light" title={t(`verify.${verdict}`)}>
        <Text size="sm">{t(`verify.${verdict}.text`, { name })}</Text>
      </Alert>
      {verdict === 'sealed' && facts !== null && (
        <Facts title={facts.documentName}>
          {facts.sentBy !== undefined && (
            <Fact name={t('verify.sentBy')}>
              {facts.sentBy}
              <Time at={facts.sentAt} />
            </Fact>
          )}
          {facts.acts.map((act, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list of a file never changes
            <Fact key={index} name={t(`verify.${act.action}`)}>
              <Party act={act} />
            </Fact>
          ))}
          <Fact name={t('verify.digest')}>
            <Code>{facts.sha256}</Code>
          </Fact>
        </Facts>
      )}
      {last?.signer && (
        <Facts title={t('verify.seal')}>
          <Fact name={t('verify.certificate')}>{last.signer.name}</Fact>
          <Fact name={t('verify.issuer')}>{last.signer.issuer}</Fact>
          {sealedAt && (
            <Fact name={t('verify.sealedAt')}>
              <Time at={sealedAt.getTime()} />
              <Text size="sm">
                {last.timestamp
                  ? t('verify.timestamp', { authority: last.timestamp.authority.name })
                  : t('verify.claimed')}
              </Text>
            </Fact>
          )}
          <Fact name={t('verify.fingerprint')}>
            <Code>{last.signer.sha256}</Code>
          </Fact>
        </Facts>
      )}
    </Stack>
  );
}

function Facts({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack component="section" gap="xs">
      <Title order={2} size="h4">
        {title}
      </Title>
      <dl className={classes.facts}>{children}</dl>
    </Stack>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function Party({ act }: { act: Act }) {
  const { t } = useInsideText();
  return (
    <>
      <Text fw={600} component="span">
        {act.name}
      </Text>
      {act.onBehalfOf !== undefined && ` ${t('verify.for', { company: act.onBehalfOf })}`}
      {act.nameVerified && <Text size="sm">{t('verify.nameVerified')}</Text>}
      {act.method && <Text size="sm">{t(`verify.method.${act.method}`)}</Text>}
      <Time at={act.at} />
    </>
  );
}

function Time({ at }: { at: number }) {
  const { language } = useInsideText();
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'long' });
  return (
    <Text size="sm" c="dimmed" component="time" display="block" dateTime={new Date(at).toISOString()}>
      {format.format(at)}
    </Text>
  );
}
