/** What the portal says of refusals of what companies set. */
export const enPortalErrors = {
  'error.auth.client_endpoint_forbidden':
    'This client is not allowed to do this. Give it the capability, or use another client.',
  'error.auth.second_factor_missing': 'Your company asks for a second factor. Set one up first.',
  'error.account.second_factor_needed':
    'Your company asks for a second factor, and this is your last one. Set up another one first.',
  'error.account.second_factor_untried':
    'Sign in with a code or a passkey first. Then you can require it of everybody.',
  'error.account_clients.name_invalid': 'A client needs a name of one line, without invisible characters.',
  'error.account_clients.not_found': 'There is no such client. It may have been deleted.',
  'error.account_clients.purpose_invalid':
    'A purpose has 1 to 64 of these characters: a to z, 0 to 9, _ . : -',
  'error.account_clients.purpose_managed': 'The platform manages this client. Change it where it was made.',
  'error.account_clients.purpose_reserved':
    'Purposes that begin like this are for the platform. Choose another one.',
  'error.account_clients.purpose_taken': 'Another client of your company has this purpose.',
  'error.documents.contract_requires_person': 'A contract goes to one customer. Choose whom it is for.',
  'error.oauth_apps.claim_config_plugin_invalid': 'An app cannot ask for answers of plugins.',
  'error.plugins.builtin_token_locked': 'A plugin of the platform takes no token.',
  'error.plugins.builtin_unknown': 'The platform has no such plugin.',
  'error.plugins.url_invalid':
    'A plugin cannot be at this address. Use https on port 443, at a public address.',
  'error.services.admin_email_invalid':
    'This is not an email address. It is told of problems with the service.',
  'error.services.client_exists': 'This service has its client already. Give that one a new secret.',
  'error.services.config_conflict':
    'Somebody else published meanwhile. Load the page again, then make your changes.',
  'error.services.request_field_plugin_invalid':
    'The plugin of this row cannot be used. Choose one of your company that is on.',
  'error.services.share_code_invalid': 'A code has 1 to 8 letters and digits: A to Z, 0 to 9.',
  'error.services.share_code_taken': 'Another service of your company has this code.',
  'error.flows.asset_not_found': 'The flow has no such file any more. Load the page again.',
  'error.flows.version_not_found': 'The flow has no such version.',
  'error.services.not_found': 'There is no such service. It may have been deleted.',
  'error.services.webhook_auth_invalid':
    'These credentials cannot be sent. Take letters, digits and signs without accents, no colon in a user name, and no header that the platform sets itself.',
  'error.services.webhook_secret_required':
    'The address now leads to another place. For your safety what is sent there does not go with it: type it again.',
  'error.services.webhooks_limit': 'This service has as many webhooks as it can have. Delete one first.',
  'error.services.webhook_not_found': 'There is no such webhook. It may have been deleted.',
  'error.services.webhook_secret_overlaps':
    'Two secrets hold already. End the old one first, or load the page again.',
  'error.services.webhook_url_invalid':
    'A webhook cannot be at this address. Use https on port 443, at a public address.',
  'error.twofa.context_too_long': 'The text of a question has at most 200 characters.',
  'error.twofa.idempotency_key_required': 'The question needs an idempotency key of at most 64 characters.',
  'error.twofa.share_code_required': 'The question needs the share code of the person.',
} as const;
