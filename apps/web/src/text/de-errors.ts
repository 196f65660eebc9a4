/** What the pages say of refusals that no page expects. */
export const deErrors = {
  'error.unauthorized_client': 'Diese App kann niemanden anmelden. Sagen Sie es der Website.',
  'error.region.rebase_required':
    'Ihre Daten liegen unter einer anderen Adresse von Symbolon. Laden Sie die Seite neu.',
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
