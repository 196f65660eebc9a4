import { Alert, Button, Group, Text } from '@mantine/core';
import { SymbolonError } from '@symbolon/sdk/device';
import { type ReactNode, useCallback, useState } from 'react';
import { isForPeople } from '../platform/for-people.ts';
import { textOfError } from '../text/error-text.ts';
import { useText } from '../text/index.tsx';
import { CopyButton } from './copy-button.tsx';

/** Runs an act of the person: busy while it runs, with the error when it failed. */
export function useAct() {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const run = useCallback(async (act: () => Promise<void>) => {
    setBusy(true);
    setError(undefined);
    try {
      await act();
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  }, []);
  return { busy, error, run, clear: () => setError(undefined) };
}

const WEBAUTHN: ReadonlySet<string> = new Set([
  'NotAllowedError',
  'AbortError',
  'InvalidStateError',
  'WebAuthnError',
]);

/** What an error says to a person. */
export function useErrorText() {
  const { t, maybe } = useText();
  return (error: unknown): string => {
    // Browsers say no more of a passkey than that nothing came of it.
    if (error instanceof Error && WEBAUTHN.has(error.name)) return t('error.webauthn.cancelled');
    if (!(error instanceof SymbolonError)) return t('problem.unknown');
    const { errorKey, details } = error;
    return (
      textOfError({ errorKey, reason: details.reason }, maybe) ?? (forExperts(error) || t('problem.unknown'))
    );
  };
}

/** Companies have developers, and operators are some: they read what the platform says, also where the catalogue has no text. */
const forExperts = ({ message }: SymbolonError) => (isForPeople(location.pathname) ? '' : message);

/** What happened, what to do, and the number of the request. */
export function Problem({
  error,
  title,
  retry,
  children,
}: {
  error: unknown;
  title?: string;
  retry?: () => void;
  children?: ReactNode;
}) {
  const { t, maybe } = useText();
  const textOf = useErrorText();
  if (error === undefined) return null;
  const isUnknown =
    error instanceof SymbolonError &&
    textOfError({ errorKey: error.errorKey, reason: error.details.reason }, maybe) === undefined;
  const id = error instanceof SymbolonError && (error.status ?? 0) >= 500 ? error.requestId : undefined;
  return (
    <Alert color="red" variant="light" role="alert" {...(title !== undefined && { title })}>
      <Text size="sm">{textOf(error)}</Text>
      {isUnknown && (
        <Text size="xs" c="dimmed" ff="monospace">
          {error.errorKey}
        </Text>
      )}
      {children}
      {(id !== undefined || retry) && (
        <Group gap="xs" mt="xs">
          {retry && (
            <Button size="compact-sm" variant="default" h={36} onClick={retry}>
              {t('app.retry')}
            </Button>
          )}
          {id !== undefined && <CopyButton value={id} label={t('problem.copyRequest')} />}
        </Group>
      )}
    </Alert>
  );
}
