import type { Catalogue } from './index.tsx';

export const de: Catalogue = {
  'app.language': 'Sprache',
  'app.appearance': 'Darstellung',
  'app.appearance.auto': 'Wie das Gerät',
  'app.appearance.light': 'Hell',
  'app.appearance.dark': 'Dunkel',
  'app.menu': 'Einstellungen dieser Seite',
  'app.signOut': 'Abmelden',
  'app.loading': 'Wird geladen',
  'app.back': 'Zurück',
  'app.cancel': 'Abbrechen',
  'app.continue': 'Weiter',
  'app.copy': 'Kopieren',
  'app.copied': 'Kopiert',
  'app.download': 'Herunterladen',
  'app.retry': 'Erneut versuchen',
  'app.close': 'Schließen',
  'app.skip': 'Zum Inhalt',
  'app.notFound': 'Diese Seite gibt es nicht',
  'app.notFound.text':
    'Vielleicht ist die Adresse vertippt. Zu Ihren Freigaben und Einstellungen ist es ein Schritt.',
  'app.insecure': 'Hier kann diese Seite nicht arbeiten',
  'app.insecure.text':
    'Browser geben Schlüssel nur Seiten mit https-Adresse und solchen auf localhost. Öffnen Sie diese Seite dort.',

  email: 'E-Mail-Adresse',
  password: 'Passwort',
  'password.show': 'Passwort anzeigen',

  'signIn.title': 'Anmelden',
  'signIn.submit': 'Anmelden',
  'signIn.noAccount': 'Noch kein Konto?',
  'signIn.register': 'Konto anlegen',
  'signIn.forgot': 'Passwort verloren?',
  'signIn.private':
    'Ihr Passwort bleibt in diesem Browser. Symbolon bekommt einen Schlüssel, der daraus abgeleitet ist.',

  'register.title': 'Konto anlegen',
  'register.name': 'Ihr Name',
  'register.name.hint': 'Wie Menschen und Firmen Sie kennen',
  'register.password.hint': 'Mindestens 10 Zeichen. Niemand kann es für Sie zurücksetzen.',
  'register.private':
    'Dieser Browser erzeugt Ihre Schlüssel. Symbolon sieht Ihr Passwort nie und kann nicht lesen, was Sie speichern.',
  'register.submit': 'Konto anlegen',
  'register.working': 'Ihre Schlüssel werden erzeugt',
  'register.haveAccount': 'Sie haben ein Konto?',
  'register.code.title': 'Lesen Sie Ihre Mail',
  'register.code.text': 'Ein Code aus sechs Ziffern ist auf dem Weg an {email}. Er gilt 15 Minuten lang.',
  'register.code.label': 'Code aus der Mail',
  'register.code.submit': 'Adresse bestätigen',

  'recovery.title': 'Ihr Wiederherstellungscode',
  'recovery.text':
    'Er ist der einzige Weg zurück, wenn Sie Ihr Passwort verlieren. Er wird einmal angezeigt. Bewahren Sie ihn bei Ihren wichtigen Papieren auf.',
  'recovery.lost':
    'Ohne Passwort und Wiederherstellungscode kann niemand öffnen, was Sie gespeichert haben, auch Symbolon nicht.',
  'recovery.label': 'Wiederherstellungscode',
  'recovery.done': 'Ich habe den Code aufbewahrt',
  'recovery.file': 'symbolon-wiederherstellungscode.txt',
  'recovery.fileText': 'Wiederherstellungscode von {email} bei {host}:',

  'recover.title': 'Neues Passwort setzen',
  'recover.text': 'Ihr Wiederherstellungscode öffnet Ihre Schlüssel. Danach bekommen Sie einen neuen.',
  'recover.code': 'Wiederherstellungscode',
  'recover.code.hint': '52 Buchstaben und Ziffern, in Vierergruppen',
  'recover.password': 'Neues Passwort',
  'recover.submit': 'Neues Passwort setzen',
  'recover.working': 'Ihre Schlüssel werden geöffnet',

  'me.title': 'Angemeldet als {name}',

  'problem.request': 'Anfrage {id}',
  'problem.copyRequest': 'Nummer der Anfrage kopieren',
  'problem.unknown': 'Etwas hat nicht geklappt. Versuchen Sie es erneut.',
  'error.sdk.transport':
    'Symbolon ist nicht erreichbar. Prüfen Sie die Verbindung und versuchen Sie es erneut.',
  'error.sdk.timeout': 'Symbolon hat nicht rechtzeitig geantwortet. Versuchen Sie es erneut.',
  'error.page.worker': 'Ein Teil dieser Seite konnte nicht geladen werden. Laden Sie die Seite neu.',
  'error.auth.credentials_invalid': 'Die E-Mail-Adresse oder das Passwort ist falsch.',
  'error.auth.throttled': 'Das waren zu viele Versuche. Warten Sie 15 Minuten.',
  'error.rate_limit.exceeded': 'Das waren zu viele Aufrufe. Warten Sie eine Minute.',
  'error.account.email_invalid': 'Das ist keine E-Mail-Adresse.',
  'error.account.code_invalid': 'Der Code ist falsch oder gilt nicht mehr.',
  'error.account.recovery_invalid': 'Die E-Mail-Adresse oder der Wiederherstellungscode ist falsch.',
  'error.profile.display_name_invalid':
    'Dieser Name lässt sich nicht verwenden. Lassen Sie unsichtbare Zeichen weg.',
  'error.sdk.password_weak.too_short': 'Ein Passwort hat mindestens 10 Zeichen.',
  'error.sdk.password_weak.too_long': 'Ein Passwort hat höchstens 200 Zeichen.',
  'error.sdk.password_weak.easy_to_guess':
    'Dieses Passwort ist leicht zu erraten. Wählen Sie ein längeres oder weniger übliches.',
  'error.crypto.key_invalid': 'Der Wiederherstellungscode ist vertippt. Er hat 52 Buchstaben und Ziffern.',
  'error.sdk.login_version_lowered':
    'Symbolon wollte Ihr Passwort schwächer schützen als zuvor. Nichts wurde gesendet. Sagen Sie es dem Betreiber.',
};
