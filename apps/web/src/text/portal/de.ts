import { deAccount } from './de-account.ts';
import { deApps } from './de-apps.ts';
import { deAudit } from './de-audit.ts';
import { deCustomers } from './de-customers.ts';
import { deEditor } from './de-editor.ts';
import { dePortalErrors } from './de-errors.ts';
import { deIssued } from './de-issued.ts';
import { dePlugins } from './de-plugins.ts';
import { deProfile } from './de-profile.ts';
import { deRuns } from './de-runs.ts';
import { deWebhooks } from './de-webhooks.ts';
import { deWriting } from './de-writing.ts';
import type { PortalCatalogue } from './index.tsx';

export const dePortal: PortalCatalogue = {
  ...deAccount,
  ...dePortalErrors,
  ...deApps,
  ...deAudit,
  ...deCustomers,
  ...deEditor,
  ...deIssued,
  ...dePlugins,
  ...deProfile,
  ...deRuns,
  ...deWebhooks,
  ...deWriting,
  'portal.pages': 'Seiten des Portals',
  'portal.signIn': 'Im Portal anmelden',
  'portal.signIn.lead': 'Mit dem Zugang Ihrer Firma.',
  'portal.services': 'Dienste',
  'portal.services.lead': 'Was Ihre Firma Menschen und anderen Firmen anbietet.',
  'portal.services.none': 'Noch keine Dienste',
  'portal.services.none.text': 'Legen Sie einen mit dem SDK an: Seine Schlüssel entstehen auf Ihrer Seite.',
  'portal.service.name': 'Name',
  'portal.service.code': 'Code',
  'portal.service.connections': 'Verbindungen',
  'portal.connections.one': '1 Verbindung',
  'portal.connections.other': '{count} Verbindungen',
  'portal.audience.person': 'für Menschen',
  'portal.audience.company': 'für Firmen',
  'portal.audience.both': 'für Menschen und Firmen',
  'flows.table': 'Alle Abläufe',
  'flows.title': 'Abläufe',
  'flows.lead':
    'Schritte, die Parteien der Reihe nach beantworten; am Ende stehen Antworten oder unterschriebene Dokumente.',
  'flows.none': 'Noch keine Abläufe',
  'flows.none.text': 'Zeichnen Sie hier den ersten, oder importieren Sie ein Paket.',
  'flows.state': 'Stand',
  'flows.state.published': 'Version {version}',
  'flows.state.changed': 'Seit Version {version} geändert',
  'flows.changed': 'Geändert',
  'flows.acts': 'Aktionen',
  'flows.new': 'Ablauf zeichnen',
  'flows.new.name': 'Neuer Ablauf',
  'flows.new.party': 'Kunde',
  'flows.new.step': 'Erster Schritt',
  'flows.import': 'Paket importieren',
  'flows.delete': 'Löschen',
  'flows.delete.name': '{name} löschen',
  'flows.delete.text':
    'Alle Versionen und Dateien werden gelöscht. Beendete Durchläufe behalten, was sie davon lasen.',
  'flows.delete.type': 'Geben Sie zum Löschen „{name}“ ein',
  'runs.title': 'Durchläufe',
  'runs.of': 'Durchläufe von {name}',
  'runs.lead': 'Jeder Durchlauf des Ablaufs, der neueste zuerst.',
  'runs.count.one': '1 Durchlauf',
  'runs.count.other': '{count} Durchläufe',
  'runs.filter': 'Zeigen',
  'runs.all': 'Alle Durchläufe',
  'runs.filter.awaiting_company': 'Ihre Firma ist an der Reihe',
  'runs.filter.generating': 'Dokumente entstehen',
  'runs.filter.awaiting_signature': 'Unterschriften fehlen',
  'runs.filter.completed': 'Abgeschlossen',
  'runs.filter.cancelled': 'Abgebrochen',
  'runs.none': 'Keine Durchläufe',
  'runs.none.text': 'Ihr Backend startet einen Durchlauf für einen verbundenen Kunden.',
  'runs.name': 'Durchlauf',
  'runs.customer': 'Kunde',
  'runs.customer.named': '{name} ({code})',
  'runs.customer.left': 'nicht mehr verbunden',
  'runs.version': 'Version',
  'runs.changed': 'Zuletzt',
  'run.title': 'Durchlauf von {name}',
  'run.version': 'Version {version}',
  'run.id': 'Durchlauf {id}',
  'run.connection': 'Verbindung {id}',
  'run.state.waiting': 'Wartet auf {party}',
  'run.state.generating': 'Dokumente entstehen',
  'run.state.signing': 'Wartet auf Unterschriften',
  'run.state.completed': 'Abgeschlossen',
  'run.state.cancelled': 'Abgebrochen',
  'run.timeline': 'Was geschah',
  'run.timeline.lead':
    'Die Plattform weiß, wer geantwortet hat, nicht was: Nur die Parteien können die Antworten öffnen.',
  'run.started': 'Begonnen',
  'run.answered': 'Beantwortet von {party}',
  'run.waits': 'Wartet auf {party}',
  'run.now.waiting': 'Wartet',
  'run.now.generating': 'Dokumente entstehen',
  'run.now.signing': 'Unterschriften fehlen',
  'run.now.completed': 'Abgeschlossen',
  'run.now.cancelled': 'Abgebrochen',
  'run.copy.signed': 'unterschrieben',
  'run.copy.accepted': 'zugestimmt',
  'run.copy.cancelled': 'gekündigt',
  'run.copy.sign': 'soll unterschreiben',
  'run.copy.accept': 'soll zustimmen',
  'run.copy.read': 'hat eine Kopie',
  'run.copy.waiting': 'wartet auf die anderen',
  'run.copy.ended': 'beendet',
  'copy.open': '{name} öffnen: die Kopie Ihrer Firma',
  'copy.none': 'Keine solche Kopie',
  'copy.none.text': 'Ihre Firma ist an diesem Dokument nicht beteiligt, oder es wurde nicht erstellt.',
  'copy.key': 'Kopie öffnen',
  'copy.key.lead':
    'Sie ist für den Schlüssel Ihres Dienstes verschlüsselt, den die Plattform nicht hat. Der Schlüssel bleibt zehn Minuten in diesem Browser, und geht vorher, wenn Sie sich abmelden oder die Seite schließen.',
  'copy.key.choose': 'Schlüsseldatei wählen',
  'copy.key.noFile': 'Die PEM-Datei, die mit dem Dienst entstand',
  'copy.key.passphrase': 'Passphrase des Schlüssels',
  'copy.key.open': 'Öffnen',
  'copy.ownerOnly': 'Ihre Firma ist an der Reihe. Ihr Inhaber unterschreibt oder stimmt hier zu.',
  'copy.sign.means':
    'Sie unterschreiben das Dokument genau so, wie es oben steht, für {company}. Das bindet die Firma.',
  'copy.accept.means':
    'Sie stimmen dem Dokument genau so zu, wie es oben steht, für {company}. Das bindet die Firma.',
  'copy.act.told': 'Alle Beteiligten erfahren, wer wann gehandelt hat und wie es bestätigt wurde.',
  'copy.act.sealed':
    'Mit der letzten Handlung aller Beteiligten versiegelt die Plattform das Dokument für alle.',
  'run.withdraw': 'Dokumente neu erstellen lassen',
  'run.withdraw.title': 'Die Dokumente neu erstellen lassen?',
  'run.withdraw.text':
    'Diese Dokumente werden gelöscht. Wer den letzten Schritt beantwortet hat, erstellt sie neu, und alle bekommen die neuen.',
  'run.cancel': 'Durchlauf abbrechen',
  'run.cancel.title': 'Diesen Durchlauf abbrechen?',
  'run.cancel.text':
    'Niemand kann ihn mehr beantworten, und alle seine Dokumente enden, auch unterschriebene.',
  'error.flows.draft_changed':
    'Jemand anderes hat diesen Ablauf inzwischen gespeichert. Laden Sie die Seite neu.',
  'error.flows.definition_invalid': 'Der Ablauf hat Mängel. Die Prüfung nennt sie.',
  'error.flows.limit_reached':
    'Dieser Dienst hat so viele Abläufe, Versionen oder Dateien, wie er haben darf.',
  'error.flows.has_unfinished_runs':
    'Durchläufe dieses Ablaufs sind nicht beendet. Brechen Sie sie zuerst ab, oder warten Sie.',
  'error.flows.not_found': 'Diesen Ablauf gibt es nicht. Vielleicht wurde er gelöscht.',
  'error.flows.asset_invalid': 'Diese Datei ist kein PDF, das sich füllen lässt.',
  'error.flows.package_invalid': 'Diese Datei ist kein Paket eines Ablaufs.',
  'error.flows.documents_acted_on':
    'Jemand hat inzwischen unterschrieben oder zugestimmt. Laden Sie die Seite neu.',
  'error.flows.no_document': 'Diese Kopie gibt es nicht mehr.',
  'error.crypto.pem_malformed':
    'Diese Datei ist kein verschlüsselter privater Schlüssel. Wählen Sie die PEM-Datei des Dienstes.',
  'error.crypto.passphrase_wrong': 'Die Passphrase öffnet diesen Schlüssel nicht.',
  'error.crypto.wrapper_tampered':
    'Dieser Schlüssel öffnet die Kopie nicht. Wählen Sie den Schlüssel dieses Dienstes.',
  'error.auth.role_forbidden': 'Ihre Rolle in der Firma erlaubt das nicht.',
};
