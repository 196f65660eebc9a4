import type { enWriting } from './en-writing.ts';

export const deWriting: Readonly<Record<keyof typeof enWriting, string>> = {
  'everyone.title': 'Nachrichten an alle',
  'everyone.lead': 'Ein Text für alle Personen, die mit einem Dienst verbunden sind.',
  'everyone.text': 'Ihre Nachricht an alle',
  'everyone.text.hint':
    'Klartext, den die Plattform lesen kann: Schreiben Sie nichts über einzelne Personen. Er steht bei jeder von ihnen im Verlauf.',
  'everyone.send.one': 'An {count} Person senden',
  'everyone.send.other': 'An {count} Personen senden',
  'everyone.nobody': 'Mit diesem Dienst ist noch niemand verbunden.',
  'everyone.tooMany':
    'Es sind mehr Personen verbunden, als eine Nachricht erreichen darf: {most} auf Ihrer Stufe. Fragen Sie den Betreiber.',
  'everyone.adminsOnly': 'Diese Nachrichten senden Admins und die Inhaberin oder der Inhaber.',
  'everyone.ask.one': 'An {count} Person senden?',
  'everyone.ask.other': 'An {count} Personen senden?',
  'everyone.ask.text': 'Sie geht an alle auf einmal und lässt sich nicht zurücknehmen.',
  'everyone.ask.send': 'An alle senden',
  'everyone.reached.one': 'An {count} Person gesendet.',
  'everyone.reached.other': 'An {count} Personen gesendet.',
  'everyone.sent': 'Was Sie an alle gesendet haben',
  'everyone.none': 'Noch nichts an alle gesendet',
  'everyone.none.text': 'Was Sie senden, steht 400 Tage hier und in den Verläufen der Personen.',
  'replyTexts.insert': 'Text einfügen',
  'replyTexts.title': 'Texte für Antworten',
  'replyTexts.lead': 'Ihr Team teilt sie. Es ist Klartext, den die Plattform lesen kann.',
  'replyTexts.none': 'Noch keine Texte',
  'replyTexts.none.text': 'Bewahren Sie auf, was Sie oft schreiben, und fügen Sie es mit einem Druck ein.',
  'replyTexts.use': 'Einfügen',
  'replyTexts.change': 'Ändern',
  'replyTexts.new': 'Neuer Text',
  'replyTexts.name': 'Name',
  'replyTexts.body': 'Text',
  'replyTexts.body.hint': 'Aus {name} wird der Name der Kundin oder des Kunden.',
  'replyTexts.keep': 'Aufbewahren',
  'replyTexts.delete': 'Diesen Text löschen',
  'error.messages.template_not_found': 'Jemand aus Ihrem Team hat diesen Text gelöscht.',
  'error.messages.templates_limit': 'Mehr Texte lassen sich nicht aufbewahren. Löschen Sie zuerst einen.',
  'error.messages.broadcast_suspended':
    'Der Betreiber hat die Nachrichten Ihres Unternehmens an alle ausgesetzt. Es wurde nichts gesendet.',
  'error.messages.broadcast_audience_too_large':
    'Es sind mehr Personen verbunden, als eine Nachricht auf Ihrer Stufe erreichen darf. Es wurde nichts gesendet.',
};
