import type { enCustomers } from './en-customers.ts';

export const deCustomers: Readonly<Record<keyof typeof enCustomers, string>> = {
  'customers.title': 'Kunden',
  'customers.lead': 'Wer mit einem Dienst verbunden ist, das Neueste zuerst.',
  'customers.service': 'Dienst',
  'customers.search': 'Nach Name oder Code suchen',
  'customers.name': 'Name',
  'customers.kind': 'Art',
  'customers.kind.person': 'Person',
  'customers.kind.company': 'Unternehmen',
  'customers.code': 'Code',
  'customers.since': 'Verbunden',
  'customers.none': 'Noch keine Kunden',
  'customers.none.text':
    'Menschen verbinden sich mit dem Code des Dienstes. Er steht auf der Seite Code und QR.',
  'customers.none.found': 'Nichts gefunden',
  'customers.none.found.text': 'Kein Name enthält diese Wörter, und kein Code beginnt mit ihnen.',
  'customers.all': 'Alle Kunden',
  'customer.answers': 'Was geteilt wird',
  'customer.table': 'Fragen und Antworten',
  'customer.asked': 'Frage',
  'customer.answer': 'Antwort',
  'customer.changed': 'Geändert',
  'customer.unanswered': 'Nicht beantwortet',
  'customer.expired': 'Eine Datei, die abgelaufen ist',
  'customer.file': 'Eine Datei; ein Daten-Client liest sie',
  'customer.sealed': 'Versiegelt',
  'customer.otherKey': 'An einen anderen Schlüssel des Dienstes versiegelt',
  'customer.verified': 'Geprüft',
  'customer.none': 'Der Dienst fragt nach nichts',
  'customer.none.text': 'Fügen Sie auf der Seite der Fragen welche hinzu.',
  'customer.key': 'Antworten und Nachrichten öffnen',
  'customer.lock': 'Wieder schließen',
  'customer.messages': 'Nachrichten',
  'customer.messages.lead':
    'Versiegelt an {customer} und an den Schlüssel des Dienstes. Ihr Team und das Backend lesen dasselbe Gespräch.',
  'customer.messages.empty':
    'Was Sie hier schreiben, geht an {customer}. Das Backend des Dienstes liest es auch.',
  'error.messages.messaging_not_entitled':
    'Nachrichten brauchen die Stufe pro. Ihre Nachricht wurde nicht gesendet; bitten Sie den Betreiber um die Stufe.',
  'error.messages.messaging_suspended':
    'Der Betreiber hat die Nachrichten Ihres Unternehmens ausgesetzt. Ihre Nachricht wurde nicht gesendet.',
  'error.messages.not_connected':
    'Dieser Kunde ist nicht mehr verbunden. Ihre Nachricht wurde nicht gesendet.',
  'error.messages.rate_limited':
    'An diesen Kunden gingen in einer Stunde viele Nachrichten. Senden Sie diese später noch einmal.',
  'error.company_data.connection_not_found': 'Dieser Kunde ist nicht mehr verbunden.',
  'error.sdk.person_key_changed':
    'Die Plattform nennt einen anderen Schlüssel dieses Kunden, als dieser Browser vorher verwendet hat. Nichts wurde gesendet: Fragen Sie Ihren Betreiber nach dem Grund.',
  'error.page.former_service_key':
    'Die Datei, die Sie geöffnet haben, ist ein früherer Schlüssel des Dienstes. Nichts wurde gesendet: Schließen Sie ihn, und öffnen Sie den aktuellen.',
};
