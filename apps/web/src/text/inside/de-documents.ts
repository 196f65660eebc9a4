import type { enDocuments } from './en-documents.ts';

export const deDocuments: Readonly<Record<keyof typeof enDocuments, string>> = {
  'documents.title': 'Dokumente',
  'documents.lead': 'Was Dienste Ihnen geschickt haben, zum Lesen, Unterschreiben oder Annehmen.',
  'documents.none': 'Noch keine Dokumente',
  'documents.none.text': 'Wenn ein Dienst, mit dem Sie verbunden sind, ein Dokument schickt, steht es hier.',
  'documents.search': 'Nach Name oder Unternehmen suchen',
  'documents.notFound': 'Nichts hat „{query}“ im Namen.',
  'documents.waiting': 'Wartet auf Sie',
  'documents.others': 'Alle anderen',
  'documents.more': 'Weitere zeigen (noch {count})',
  'documents.by': '{company}, {service}',
  'documents.all': 'Alle Dokumente',
  'documents.gone': 'Dieses Dokument ist nicht hier',
  'documents.gone.text':
    'Es wurde von Ihnen oder vom Unternehmen gelöscht, oder es war nie für Sie bestimmt.',
  'documents.kind.document': 'Dokument',
  'documents.kind.agreement': 'Vertrag',
  'documents.kind.subscription': 'Abonnement',
  'documents.from': '{kind} von {company} ({code}), {service}',
  'documents.broadcast': '{company} hat dies allen Kunden des Dienstes geschickt. Es ist nicht versiegelt.',
  'documents.state.sign': 'Zu unterschreiben',
  'documents.state.accept': 'Anzunehmen',
  'documents.state.offering': 'Angeboten',
  'documents.state.waiting': 'Wartet auf andere',
  'documents.state.signed': 'Unterschrieben',
  'documents.state.accepted': 'Angenommen',
  'documents.state.signed_open': 'Unterschrieben, andere fehlen noch',
  'documents.state.accepted_open': 'Angenommen, andere fehlen noch',
  'documents.changed': 'Nach Ihrer Zustimmung geändert',
  'documents.changed.text':
    'Diese Seite zeigt, was galt, als Sie unterschrieben oder angenommen haben. {company} hat danach etwas anderes über das Dokument geschrieben:',
  'documents.changed.other':
    'Auch andere Angaben zum Dokument sind neu. An dem, was Sie vereinbart haben, ändern sie nichts.',
  'documents.state.active': 'In Kraft',
  'documents.state.active_but_ending': 'Endet bald',
  'documents.state.ended': 'Beendet',
  'documents.asks.sign': '{company} bittet Sie, dies zu unterschreiben. Lesen Sie es zuerst.',
  'documents.asks.accept': '{company} bittet Sie, dies anzunehmen. Lesen Sie es zuerst.',
  'documents.goTo.sign': 'Zum Unterschreiben',
  'documents.goTo.accept': 'Prüfen und annehmen',
  'documents.pending': '{company} hat die Datei noch nicht geschickt.',
  'documents.noView': 'Diese Datei kann hier nicht gezeigt werden. Laden Sie sie herunter, um sie zu lesen.',
  'documents.pdfFailed':
    'Dieses PDF kann hier nicht gezeigt werden: Es ist beschädigt oder verlangt ein Passwort. Laden Sie es herunter, um es zu lesen.',
  'documents.cannotAct':
    'Diese Datei kann nicht allen gleich gezeigt werden. Sagen Sie es dem Unternehmen. Sobald {company} sie neu gesendet hat, können Sie entscheiden.',
  'documents.page': 'Seite {number} von {count}',
  'documents.place': 'Nächste Stelle, {number} von {count}',
  'documents.pageFailed':
    'Diese Seite kann nicht gezeigt werden. Laden Sie die Datei herunter, um sie zu lesen.',
  'documents.beside': 'Diese Datei enthält außerdem: {things}.',
  'documents.beside.unknown': 'Was diese Datei sonst noch enthält, ließ sich hier nicht lesen.',
  'documents.beside.not.sign': 'Sie unterschreiben die Seiten, wie sie hier gezeigt werden, sonst nichts.',
  'documents.beside.not.accept': 'Sie nehmen die Seiten an, wie sie hier gezeigt werden, sonst nichts.',
  'documents.beside.ambiguous':
    'Andere Programme würden diese Datei anders zeigen als diese Seite. Deshalb wird mit ihr nichts unterschrieben oder angenommen.',
  'documents.beside.damaged':
    'Diese Datei ist so aufgebaut, dass andere Programme in ihr andere Seiten finden können, als hier gezeigt werden. Deshalb wird mit ihr nichts unterschrieben oder angenommen. Das Unternehmen kann sie öffnen und neu speichern.',
  'documents.drawn.comparing':
    'Ihr Browser prüft, ob ein anderes Programm dieselben Seiten zeigt. Danach können Sie entscheiden.',
  'documents.drawn.progress': '{compared} von {pages} Seiten sind geprüft.',
  'documents.drawn.failed':
    'Dieser Browser konnte nicht prüfen, ob ein anderes Programm dieselben Seiten zeigt. Deshalb können Sie noch nicht entscheiden. Versuchen Sie es noch einmal, oder öffnen Sie diese Seite in einem anderen Browser.',
  'documents.drawn.part':
    'Ihr Browser hat geprüft, dass ein anderes Programm die ersten {compared} von {pages} Seiten gleich zeigt. Die übrigen hat er nicht geprüft.',
  'documents.beside.attachments': 'Anhänge',
  'documents.beside.changes': 'Schaltflächen oder Links, die Teile ein- oder ausblenden',
  'documents.beside.form_fields': 'Felder zum Ausfüllen',
  'documents.beside.launch': 'Schaltflächen oder Links, die andere Programme starten',
  'documents.beside.layers': 'Teile, die sich ein- und ausblenden lassen',
  'documents.beside.media': 'Filme, Töne oder Modelle',
  'documents.beside.print_effects': 'Farben, die anders gedruckt als angezeigt werden können',
  'documents.beside.screen_only': 'Anmerkungen, die angezeigt, aber nicht gedruckt werden',
  'documents.beside.scripts': 'Skripte',
  'documents.beside.submit': 'Schaltflächen oder Links, die Ausgefülltes versenden',
  'documents.zoom': 'Größe',
  'documents.zoomIn': 'Größer',
  'documents.zoomOut': 'Kleiner',
  'documents.json.none': 'keine Angabe',
  'documents.json.yes': 'ja',
  'documents.json.no': 'nein',
  'documents.run.checking': 'Ihre Antworten werden mit dem Dokument verglichen.',
  'documents.run.same':
    'Alle Antworten, die es zeigen soll, stehen im Dokument: verglichen in diesem Browser.',
  'documents.run.differs': 'Diese Antworten stehen so nicht im Dokument',
  'documents.run.differs.text':
    'Das Dokument hat erstellt, wer zuletzt geantwortet hat. Nicht jede Antwort muss darin stehen. Vergleichen Sie, bevor Sie unterschreiben.',
  'documents.run.answer': '{label}: {text}',
  'documents.sign.title': '{name} unterschreiben',
  'documents.sign.means':
    'Sie unterschreiben das Dokument genau so, wie es oben steht. Das bindet Sie wie eine Unterschrift auf Papier.',
  'documents.sign.told': '{company} erfährt Ihren Namen, die Zeit und wie Sie bestätigt haben.',
  'documents.sign.firstName': 'Vorname',
  'documents.sign.lastName': 'Nachname',
  'documents.sign.next': 'Weiter zum Unterschreiben',
  'documents.sign.button': '{name} unterschreiben',
  'documents.accept.title': '{name} annehmen',
  'documents.accept.means': 'Sie nehmen das Dokument genau so an, wie es oben steht. Das bindet Sie.',
  'documents.accept.told': '{company} erfährt, dass und wann Sie angenommen haben.',
  'documents.accept.button': '{name} annehmen',
  'documents.act.sealed':
    'Symbolon liest die Datei für einen Augenblick, um sie zu besiegeln: Eine Seite kommt hinzu, die sagt, wer was getan hat. {company} und Sie bekommen dasselbe besiegelte PDF. Es bleibt keine lesbare Kopie.',
  'documents.act.cancellable': 'Sie können später hier kündigen.',
  'documents.act.final': 'Danach können Sie hier nicht kündigen.',
  'documents.did.signed': 'Sie haben dies unterschrieben',
  'documents.did.signedAs': 'Unterschrieben von {name}',
  'documents.did.accepted': 'Sie haben dies angenommen',
  'documents.seal': 'Das Siegel dieser Datei',
  'documents.seal.text': 'Soeben in diesem Browser geprüft. Jedes Programm für PDF kann es ebenfalls prüfen.',
  'documents.cancel': 'Diesen Vertrag kündigen',
  'documents.cancel.sign': 'Er endet sofort, ohne dass Sie unterschrieben haben.',
  'documents.cancel.accept': 'Er endet sofort, ohne dass Sie angenommen haben.',
  'documents.cancel.now': 'Er endet sofort.',
  'documents.cancel.at': 'Er gilt bis {date} und endet dann.',
  'documents.cancel.note': 'Nachricht an {company}',
  'documents.cancel.note.hint': 'Freiwillig. Sie ist nicht versiegelt.',
  'documents.cancel.confirm': '{name} kündigen',
  'documents.delete': 'Meine Kopie löschen',
  'documents.delete.text': '{company} behält die eigene.',
  'documents.delete.question': 'Ihre Kopie von {name} löschen? Hier bekommen Sie sie nicht zurück.',
  'documents.delete.confirm': '{name} löschen',

  'error.documents.not_found': 'Dieses Dokument ist nicht mehr hier.',
  'error.documents.file_not_found': 'Die Datei dieses Dokuments ist nicht hier.',
  'error.documents.for_all': 'Alle Kunden des Dienstes haben dieses Dokument. Es kann nicht gelöscht werden.',
  'error.documents.not_signable':
    'Dies kann jetzt nicht unterschrieben werden: Es wurde geändert oder beendet, oder das Unternehmen schickte es ohne Prüfsumme. Laden Sie die Seite neu.',
  'error.documents.not_acceptable':
    'Dies kann jetzt nicht angenommen werden: Es wurde geändert oder beendet. Laden Sie die Seite neu.',
  'error.documents.not_cancellable': 'Dies kann hier nicht mehr gekündigt werden.',
  'error.documents.content_mismatch':
    'Das Unternehmen hat die Datei ersetzt, seit Sie sie geöffnet haben. Laden Sie die Seite neu, und lesen Sie zuerst.',
  'error.documents.pdf_unsupported':
    'Dieses PDF lässt sich nicht besiegeln. Nichts wurde unterschrieben. Bitten Sie das Unternehmen um eine andere Datei.',
  'error.documents.pdf_unsupported.password_needed':
    'Dieses PDF verlangt ein Passwort und lässt sich darum nicht besiegeln. Nichts wurde unterschrieben. Bitten Sie das Unternehmen um eines ohne.',
  'error.documents.pdf_unsupported.changes_forbidden':
    'Dieses PDF ist gegen Änderungen geschützt und lässt sich darum nicht besiegeln. Nichts wurde unterschrieben. Bitten Sie das Unternehmen um eines ohne.',
  'error.documents.pdf_unsupported.certified':
    'Dieses PDF ist so zertifiziert, dass nichts hinzukommen darf, auch keine Unterschrift. Nichts wurde unterschrieben. Bitten Sie das Unternehmen um eine andere Datei.',
  'error.documents.pdf_unsupported.damaged':
    'Programme sind sich nicht einig, was dieses PDF zeigt. Es lässt sich darum nicht besiegeln. Nichts wurde unterschrieben. Bitten Sie das Unternehmen, es neu zu speichern.',
  'error.documents.pdf_unsupported.layers':
    'Dieses PDF zeigt im Druck anderes als am Bildschirm und lässt sich darum nicht besiegeln. Nichts wurde unterschrieben. Bitten Sie das Unternehmen um ein einfaches.',
  'error.documents.pdf_unsupported.xfa':
    'Dieses PDF hat ein Formular, das ändern kann, was es zeigt. Es lässt sich darum nicht besiegeln. Nichts wurde unterschrieben. Bitten Sie das Unternehmen um ein einfaches.',
  'error.documents.seal_unavailable':
    'Symbolon kann gerade keine Dokumente besiegeln. Nichts wurde unterschrieben. Versuchen Sie es später noch einmal.',
  'error.sdk.digest_mismatch':
    'Die Datei ist nicht die, deren Prüfsumme Symbolon hat, und wird darum nicht gezeigt. Sagen Sie es dem Unternehmen.',
};
