import { SecretSheet } from '../../../parts/portal/secret-sheet.tsx';
import { usePortalText } from '../../../text/portal/index.tsx';

/** The HMAC secret of a webhook, just made. */
export function WebhookSecret({ lead, secret, close }: { lead: string; secret: string; close: () => void }) {
  const { t } = usePortalText();
  return (
    <SecretSheet
      title={t('webhooks.secret')}
      lead={lead}
      label={t('webhooks.secret')}
      secret={secret}
      file="webhook-secret.txt"
      fileText={`${secret}\n`}
      close={close}
    />
  );
}
