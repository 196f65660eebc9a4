import type { enConnections } from './en-connections.ts';

export const deConnections: Readonly<Record<keyof typeof enConnections, string>> = {
  'me.home.waits': 'Wartet auf Sie',
  'me.home.nothing': 'Nichts wartet auf Sie',
  'me.home.nothing.text': 'Was Dienste fragen, schicken oder schreiben, erscheint hier von selbst.',
  'waiting.approval': '{company} fragt, ob eine Anmeldung von Ihnen ist',
  'waiting.message.one': '{count} ungelesene Nachricht von {company}',
  'waiting.message.other': '{count} ungelesene Nachrichten von {company}',
  'waiting.sign': '{company} bittet Sie, {name} zu unterschreiben',
  'waiting.accept': '{company} bittet Sie, {name} anzunehmen',
  'waiting.request': '{company} möchte sich mit Ihnen verbinden',
  'waiting.consent': '{company} fragt nach weiteren Daten',

  'connections.lead': 'Was Sie teilen, und mit wem. Hier ändern oder beenden Sie es.',
  'connections.none': 'Sie sind noch mit keinem Dienst verbunden',
  'connections.none.text':
    'Geben Sie einer Firma Ihren Teilcode, oder folgen Sie ihrem Link. Sie sehen, was sie fragt, bevor Sie sich verbinden.',
  'connections.search': 'Nach Firma oder Dienst suchen',
  'connections.notFound': 'Keine Verbindung hat „{query}“ im Namen.',
  'connections.asksMore': 'Fragt nach mehr',
  'connections.nothing': 'Sie teilen hier nichts.',
  'connections.asks': '{company} fragt nach mehr',
  'connections.asks.text': 'Das wird gefragt, seit Sie verbunden sind. Sie dürfen ablehnen.',
  'connections.provide.one': '1 Antwort mit {company} teilen',
  'connections.provide.other': '{count} Antworten mit {company} teilen',
  'connections.provide.none': 'Nichts davon teilen',
  'connections.yours': 'Was Sie mit {company} teilen',
  'connections.kind.live': 'aktuell',
  'connections.kind.once': 'einmalig',
  'connections.kind.none': 'nicht geteilt',
  'connections.live.text': 'Es folgt „{field}“. Hier geändert',
  'connections.once.text': 'Gegeben, wie es damals war, aus „{field}“. Gesendet',
  'connections.once.was':
    'Es kam aus „{field}“ ({type}); das hat sich seither geändert. Nur {company} kann öffnen, was gesendet wurde. Gesendet',
  'connections.typed.text':
    'Sie haben es getippt ({type}). Nur {company} kann öffnen, was gesendet wurde. Gesendet',
  'connections.must':
    '{company} braucht das, solange Sie verbunden sind. Sie können es ändern, aber nicht wegnehmen.',
  'connections.change': '{label} ändern',
  'connections.stop': '{label} nicht mehr teilen',
  'connections.shareToo': '{label} teilen',
  'connections.theirs': 'Was {company} Ihnen zeigt',
  'connections.ended': 'Sie sind nicht mehr mit {company} verbunden',
  'connections.ended.text':
    '{company} erfährt es. Was Sie unterschrieben oder angenommen haben, bleibt unter Dokumente, bis Sie es löschen.',

  'disconnect.title': 'Diese Verbindung beenden',
  'disconnect.lead': 'Sofort. {company} erfährt es.',
  'disconnect.open': 'Verbindung mit {company} beenden',
  'disconnect.answers':
    'Ihre Antworten werden hier weggenommen, und {company} bekommt keine späteren. Was schon gelesen wurde, kann dort aufbewahrt sein.',
  'disconnect.messages': 'Alle Nachrichten zwischen {company} und Ihnen werden gelöscht.',
  'disconnect.documents':
    'Dokumente, die Sie unterschrieben oder angenommen haben, bleiben bei Ihnen. Alle anderen dieses Dienstes sind weg.',
  'disconnect.contracts':
    'Ein geltender Vertrag hält die Verbindung: kündigen Sie ihn zuerst, und warten Sie, bis er geendet hat.',
  'disconnect.again': 'Sie können sich später wieder verbinden. Was gelöscht wurde, kommt nicht zurück.',
  'disconnect.confirm': 'Verbindung mit {company} beenden',
  'error.company_connections.active_contract':
    'Ein Vertrag zwischen Ihnen gilt noch, darum bleibt die Verbindung. Kündigen Sie ihn zuerst unter Dokumente; wenn er geendet hat, können Sie die Verbindung beenden.',
  'error.consents.not_found': 'Das wurde schon beantwortet. Laden Sie die Seite neu.',
};
