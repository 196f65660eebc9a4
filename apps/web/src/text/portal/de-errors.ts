/** What the portal says of refusals of what companies set. */
export const dePortalErrors = {
  'error.auth.client_endpoint_forbidden':
    'Dieser Client darf das nicht. Geben Sie ihm das Recht oder nehmen Sie einen anderen.',
  'error.auth.second_factor_missing':
    'Ihre Firma verlangt einen zweiten Faktor. Richten Sie zuerst einen ein.',
  'error.account.second_factor_needed':
    'Ihre Firma verlangt einen zweiten Faktor, und dies ist Ihr letzter. Richten Sie zuerst einen anderen ein.',
  'error.account.second_factor_untried':
    'Melden Sie sich zuerst mit einem Code oder einem Passkey an. Dann können Sie es von allen verlangen.',
  'error.account_clients.name_invalid':
    'Ein Client braucht einen Namen in einer Zeile, ohne unsichtbare Zeichen.',
  'error.account_clients.not_found': 'Diesen Client gibt es nicht. Vielleicht wurde er gelöscht.',
  'error.account_clients.purpose_invalid': 'Ein Zweck hat 1 bis 64 dieser Zeichen: a bis z, 0 bis 9, _ . : -',
  'error.account_clients.purpose_managed':
    'Diesen Client verwaltet die Plattform. Ändern Sie ihn dort, wo er entstand.',
  'error.account_clients.purpose_reserved':
    'Zwecke, die so beginnen, gehören der Plattform. Wählen Sie einen anderen.',
  'error.account_clients.purpose_taken': 'Ein anderer Client Ihrer Firma hat diesen Zweck.',
  'error.documents.contract_requires_person': 'Ein Vertrag geht an einen Kunden. Wählen Sie, für wen er ist.',
  'error.oauth_apps.claim_config_plugin_invalid': 'Eine App kann keine Antworten von Plugins erfragen.',
  'error.plugins.builtin_token_locked': 'Ein Plugin der Plattform nimmt kein Token.',
  'error.plugins.builtin_unknown': 'Die Plattform hat kein solches Plugin.',
  'error.plugins.url_invalid':
    'Unter dieser Adresse kann kein Plugin sein. Nehmen Sie https auf Port 443 an einer öffentlichen Adresse.',
  'error.services.admin_email_invalid':
    'Das ist keine E-Mail-Adresse. Sie erfährt von Problemen mit dem Dienst.',
  'error.services.client_exists':
    'Dieser Dienst hat seinen Client schon. Geben Sie diesem ein neues Geheimnis.',
  'error.services.config_conflict':
    'Jemand anderes hat inzwischen veröffentlicht. Laden Sie die Seite neu und ändern Sie dann.',
  'error.services.request_field_plugin_invalid':
    'Das Plugin dieser Zeile geht nicht. Wählen Sie eines Ihrer Firma, das an ist.',
  'error.services.share_code_invalid': 'Ein Code hat 1 bis 8 Buchstaben und Ziffern: A bis Z, 0 bis 9.',
  'error.services.share_code_taken': 'Ein anderer Dienst Ihrer Firma hat diesen Code.',
  'error.flows.asset_not_found': 'Der Ablauf hat diese Datei nicht mehr. Laden Sie die Seite neu.',
  'error.flows.version_not_found': 'Der Ablauf hat keine solche Version.',
  'error.services.not_found': 'Diesen Dienst gibt es nicht. Vielleicht wurde er gelöscht.',
  'error.services.webhook_auth_invalid':
    'Diese Zugangsdaten können nicht gesendet werden. Nehmen Sie Buchstaben, Ziffern und Zeichen ohne Umlaute und Akzente, keinen Doppelpunkt im Benutzernamen und keinen Header, den die Plattform selbst setzt.',
  'error.services.webhook_secret_required':
    'Die Adresse führt jetzt an einen anderen Ort. Zu Ihrer Sicherheit geht nicht mit, was dorthin gesendet wird: Geben Sie es neu ein.',
  'error.services.webhooks_limit':
    'Dieser Dienst hat so viele Webhooks, wie er haben kann. Löschen Sie erst einen.',
  'error.services.webhook_not_found': 'Diesen Webhook gibt es nicht. Vielleicht wurde er gelöscht.',
  'error.services.webhook_secret_overlaps':
    'Es gelten schon zwei Geheimnisse. Beenden Sie erst das alte, oder laden Sie die Seite neu.',
  'error.services.webhook_url_invalid':
    'Unter dieser Adresse kann kein Webhook sein. Nehmen Sie https auf Port 443 an einer öffentlichen Adresse.',
  'error.twofa.context_too_long': 'Der Text einer Frage hat höchstens 200 Zeichen.',
  'error.twofa.idempotency_key_required':
    'Die Frage braucht einen Idempotenz-Schlüssel mit höchstens 64 Zeichen.',
  'error.twofa.share_code_required': 'Die Frage braucht den Freigabecode der Person.',
};
