/** What the pages say of refusals that no page expects. */
export const deErrors = {
  'error.unauthorized_client': 'Diese App kann niemanden anmelden. Sagen Sie es der Website.',
  'error.region.rebase_required':
    'Ihre Daten liegen unter einer anderen Adresse von Symbolon. Laden Sie die Seite neu.',
  'error.internal':
    'In Symbolon ist etwas schiefgegangen. Versuchen Sie es noch einmal, oder nennen Sie dem Betreiber die Nummer der Anfrage.',
  'error.request.too_large': 'Das ist zu groß, um gesendet zu werden.',
  'error.platform.busy': 'Symbolon hat gerade viel zu tun. Versuchen Sie es bald noch einmal.',
  'error.platform.stopping': 'Symbolon wurde gerade neu gestartet. Versuchen Sie es noch einmal.',
  'error.service.busy': 'Andere ändern gerade dasselbe. Versuchen Sie es bald noch einmal.',
  'error.db.unavailable':
    'Symbolon erreicht seine Daten gerade nicht. Sehen Sie nach, ob dies gespeichert wurde, bevor Sie es noch einmal tun.',
  'error.rate_limit.unavailable':
    'Symbolon kann dies für einen Moment nicht. Versuchen Sie es bald noch einmal.',
  'error.mail.unavailable': 'Gerade kann keine Mail gesendet werden. Versuchen Sie es bald noch einmal.',
  'error.mail.refused':
    'Für diese Adresse wird keine Mail angenommen. Prüfen Sie sie, oder nehmen Sie eine andere.',
  'error.photos.unavailable':
    'Fotos und Dateien können gerade nicht aufbewahrt oder gelesen werden. Versuchen Sie es bald noch einmal.',
  'error.flows.run_too_large':
    'Diese Antworten sind zusammen größer, als sie sein dürfen. Wählen Sie kleinere Dateien.',
  'error.flows.uploads_limit':
    'Zu viele Dateien warten auf ihre Antworten. Versuchen Sie es in einer Stunde noch einmal.',
  'error.platform.out_of_order':
    'Dieser Teil von Symbolon wird gerade repariert. Versuchen Sie es in einigen Minuten noch einmal.',
  'error.profile.company_code_requires_service':
    'Das ist nur der Code einer Firma. Fügen Sie den Code ihres Dienstes hinzu, wie in ACME/SHOP.',
  'error.services.audience_b2b_only': 'Dieser Dienst ist nur für Firmen.',
  'error.company_connections.persons_only': 'Das geht nur mit Personen.',
  'error.company_data.connection_not_found': 'Diese Verbindung gibt es nicht. Vielleicht ist sie beendet.',
  'error.company_data.ack_boundary_invalid':
    'Diese Nachricht ist nicht mehr im Verlauf. Laden Sie die Seite neu.',
  'error.company_data.file_expired': 'Diese Datei wurde einmal geteilt und wird nicht mehr aufbewahrt.',
  'error.contact_data.encryption_required':
    'Diese Seite hat nicht verschlüsselt, was sie gesendet hat; es wurde nichts gespeichert. Laden Sie die Seite neu.',
  'error.documents.contract_immutable':
    'Dieser Vertrag ist schon unterschrieben oder angenommen. Seine Datei ändert sich nicht mehr.',
  'error.twofa.unavailable': 'Freigaben sind gerade nicht möglich. Versuchen Sie es bald noch einmal.',
  'error.twofa.result_consumed': 'Das Ergebnis wurde schon abgeholt. Beginnen Sie auf der Website neu.',
};
