/** Letters that are not seen: the fillers of Hangul. */
const UNSEEN = '\\u115F\\u1160\\u3164\\uFFA0';
/** What is no letter or digit that can be seen. */
const BETWEEN = `(?:[^\\p{L}\\p{N}]|[${UNSEEN}])*`;

/** One line of text, behind its beginning. */
const SHOWN_TEXT =
  '(?=.*[^\\p{Z}\\p{Cc}\\p{Cf}\\p{Cs}\\p{M}\\p{Default_Ignorable_Code_Point}\\u2800])[^\\p{Cc}\\p{Zl}\\p{Zp}\\p{Cs}\\u202A-\\u202E\\u2066-\\u2069]+$';

/** What reads as the name of the platform: in small or large letters, of usual or full width, with anything between and around them. */
const OWN_NAME = [...'symbolon']
  .map((letter) => {
    const cases = [letter, letter.toUpperCase()];
    const wide = cases.map((each) => String.fromCodePoint(each.charCodeAt(0) + 0xfee0));
    return `[${[...cases, ...wide].join('')}]`;
  })
  .reduce((name, letter) => `${name}${letter}${BETWEEN}`, BETWEEN);

/** Fixed limits of the wire. Tunable ones have their defaults here and their variables in the server's configuration. */
export const limits = {
  /** Seconds an access token lives (wire 8). */
  accessTokenSeconds: 3600,
  /** Seconds in which an app exchanges the code of a sign-in. */
  signInCodeSeconds: 60,
  /** Change rows that are not drained are kept this long (wire 6.2). */
  changeRetentionMs: 7 * 24 * 60 * 60 * 1000,
  jsonBodyBytes: 1024 * 1024,
  jsonBodyDepth: 32,
  /** Members and elements of a body, with the containers that hold them (wire 8). */
  jsonBodyValues: 10_000,
  /** Bodies of upload routes, whose files are base64, some of them twice (wire 8). */
  uploadBodyBytes: 32 * 1024 * 1024,
  /** A file, decoded (wire 8). */
  fileBytes: 15 * 1024 * 1024,
  /** Uploads of a person or company that no act has named yet, and how long they wait for one. */
  fileUploadsMost: 100,
  fileUploadMs: 60 * 60 * 1000,
  /** How long a copy of a file for a company of another region waits for that region to fetch it. */
  fileTravelMs: 30 * 24 * 60 * 60 * 1000,
  /** Identity documents of a person that go to the provider in a day, and how long it may take for one. */
  documentChecksPerDay: 10,
  documentCheckMs: 7 * 24 * 60 * 60 * 1000,
  /** How long a company can read a file that was given once (wire 4.3). */
  onceFileMs: 90 * 24 * 60 * 60 * 1000,
  /** Documents of one connection, and those that a service has for all its customers. */
  documentsOfConnectionMost: 1000,
  documentsForAllMost: 1000,
  /** What these documents take: their JSON, descriptions and metadata; and the copies of their files. */
  documentsBytesMost: 4 * 1024 * 1024,
  documentFilesBytesMost: 1024 * 1024 * 1024,
  /** Descriptions, metadata and JSON that one list of a customer shows. */
  documentsListBytes: 8 * 1024 * 1024,
  documentDescriptionMost: 4000,
  /** Of what a customer says when cancelling. */
  documentNoteMost: 1000,
  documentMetadataBytes: 16 * 1024,
  pageDefault: 100,
  pageMost: 500,
  keysBatchMost: 200,
  customersAtOnce: 100,
  /** Open threads that the inbox of a service counts. */
  inboxCountMost: 100,
  /** Texts that the staff of a service keeps to send them again, and characters of their names and of each. */
  replyTemplatesMost: 100,
  replyTemplateNameMost: 60,
  replyTemplateTextMost: 4000,
  /** For how many days new customers are counted. */
  newCustomersDays: 30,
  /** The latest events of a service that are kept for who watches them, and for how many hours. */
  recentEventsMost: 500,
  recentEventsHours: 24,
  /** Minutes for which the events of a service are noted after the last look at them. */
  recentEventsWatchMinutes: 5,
  /** Events in the change feed of a service that are counted. */
  feedCountMost: 1000,
  servicesMost: 200,
  requestFieldsMost: 200,
  /** Characters of why a row is asked. */
  requestReasonMost: 200,
  personFieldsMost: 1000,
  /** Values of a company's own profile, and custom fields of its catalogue. */
  contactDataMost: 200,
  contactFieldsMost: 200,
  /** Flows of a service, versions of a flow, and files of a draft (wire 13.8). */
  flowsMost: 100,
  flowVersionsMost: 1000,
  flowAssetsMost: 50,
  /** What all files of a package have together when they are unpacked. */
  flowPackageBytes: 64 * 1024 * 1024,
  /** The text of one definition, and of all drafts and versions of a service. */
  flowDefinitionBytes: 4 * 1024 * 1024,
  flowTextBytesMost: 64 * 1024 * 1024,
  /** Answered elements of the latest versions of all flows of a service. */
  flowElementsOfServiceMost: 10_000,
  /** Different files of all drafts and versions of a service. */
  flowAssetBytesMost: 1024 * 1024 * 1024,
  /** Unfinished runs of flows of one customer with one service (wire 13.8). */
  openFlowRunsMost: 1000,
  /** Files that wait to be put into the documents of a run. */
  flowInputsMost: 20,
  /** Bytes of those of one caller, as they were sent. */
  flowInputBytesMost: 128 * 1024 * 1024,
  /** Characters of the values, base64, from which the documents of a run are made. */
  flowValuesMost: 4 * 2 ** 20,
  /** Copies of files that one start of a run names, and uploads of one caller that no act has named yet. */
  flowFilesMost: 200,
  /** Tags of parties that one run has values for. */
  flowTagsMost: 1000,
  /** The sealed answers of one run, without files. */
  flowRunBytesMost: 16 * 1024 * 1024,
  photosMost: 200,
  /** Photos that one service shows. */
  sharePhotosMost: 20,
  /** Larger images are not decoded. */
  photoPixels: 50_000_000,
  /** The longer edge of a stored image and of its thumbnail, in pixels. */
  photoEdge: 4096,
  photoThumbEdge: 320,
  /** Webhooks of a service (wire 8). */
  webhooksMost: 20,
  /** Test deliveries of a company in a minute: each tells what became of a connection to any public host. */
  webhookTestsPerMinute: 30,
  /** The longest time for which two secrets of a webhook hold, in hours. */
  webhookSecretOverlapHoursMost: 7 * 24,
  /** The latest attempts of a webhook that can be read, and how many characters of an answer each has. */
  webhookAttemptsKept: 200,
  webhookAnswerShown: 1024,
  /** Plugins of a company, and the field types that one describes (wire 14.3). */
  pluginsMost: 20,
  pluginFieldTypesMost: 50,
  pluginTokenMost: 4096,
  /** A pass opens the forwarder this long, for so many calls in a minute (wire 14.4). */
  pluginPassMs: 600_000,
  pluginPassCallsPerMinute: 60,
  /** Of one customer with all passes for the plugins of one company. */
  pluginCallerCallsPerMinute: 300,
  pluginPassCharacters: 160 * 1024,
  /** Bytes of a sealed request, and of whatever a plugin answers. */
  pluginRequestBytes: 64 * 1024,
  pluginAnswerBytes: 128 * 1024,
  /** How long a plugin may take to answer, and to describe itself once more when its key has changed. */
  pluginCallMs: 3000,
  pluginRefetchMs: 1000,
  pluginOptionsMost: 50,
  pluginQueryMost: 500,
  /** Account clients, and sign-in apps, of a company. */
  accountClientsMost: 100,
  oauthAppsMost: 100,
  redirectUrisMost: 20,
  /** Characters of a request at the consent page, and of the state in it. */
  consentQueryMost: 8192,
  consentStateMost: 2000,
  /** Claims of one request (wire 10.4). */
  claimsMost: 15,
  /** A request at the consent page is open this long, and its result as long (wire 10.4). */
  consentLifetimeMs: 900_000,
  /** Characters of the state of a detached request: it is all that a public app proves by. */
  detachedStateLeast: 16,
  /** How long a person can read what apps asked of them. */
  signInRetentionMs: 400 * 24 * 60 * 60 * 1000,
  /** Entries of that, of one person in one region. */
  signInLogMost: 1000,
  /** Of an account client (wire 8). */
  purpose: '^[a-z0-9_.:-]{1,64}$',
  /** The newest recipe by which devices derive the login secret from a password. */
  loginVersionMost: 1,
  /** Characters that name an act which needs a proof of presence. */
  presenceActMost: 300,
  /** How long the nonce of such a proof is good. */
  presenceNonceMs: 5 * 60 * 1000,
  /** Browsers in which a person is signed in at a time: of more, the oldest session ends. */
  personSessionsMost: 50,
  /** What a person is shown of what happened at the account: so many of the latest, and none that is older. */
  personHistoryMost: 200,
  personHistoryDays: 90,
  /** Drafts that are kept of one person, or one login of a company, each this long after its last change. */
  draftsMost: 50,
  draftDays: 30,
  /** Passkeys of one account. */
  passkeysMost: 10,
  /** Characters of a list of confirmed keys: 256 KiB as base64. */
  pinsMost: 349_528,
  /** From the secret of an authenticator app to its first code. */
  totpEnrolmentMs: 600_000,
  /** How long a challenge of the second factor can be answered (wire 3.1). */
  challengeLifetimeMs: 300_000,
  /** Characters (wire 2.7). */
  challengeContextMost: 200,
  idempotencyKeyMost: 64,
  /** Challenges that wait for one person, of one service and of all services of a region (wire 8). */
  pendingOfServiceMost: 3,
  pendingOfPersonMost: 5,
  /** Services that one person is enrolled with, in one region. */
  enrolmentsMost: 500,
  /** Wrong digits that deny a challenge (wire 3.1). */
  wrongDigitsMost: 3,
  /** Messages that one thread keeps; the oldest makes room (wire 12.1). */
  threadMessagesMost: 10_000,
  /** Messages that a person sends to one service in a minute, and to all services of a region in an hour (wire 12.1). */
  personMessagesPerMinute: 20,
  personMessagesPerHour: 120,
  /** Messages that a service sends in one thread in an hour (wire 12.1). */
  serviceMessagesPerHour: 300,
  /** Characters of a broadcast, and people that one goes to where the operator sets nothing else (wire 12.2). */
  broadcastTextMost: 10_000,
  broadcastAudienceMost: 1_000_000,
  broadcastsPerHour: 20,
  /** A broadcast stands in its threads this long. */
  broadcastRetentionMs: 400 * 24 * 60 * 60 * 1000,
  /** How long a request to connect is open (wire 12.3). */
  connectRequestLifetimeMs: 30 * 24 * 60 * 60 * 1000,
  /** Requests of one service, and of one company, to one person within that time, and open ones of one person in one region. */
  connectRequestsMost: 3,
  connectRequestsOfCompanyMost: 10,
  openConnectRequestsMost: 200,
  /** Delegates of a company and open invitations, without the company's own login. */
  delegatesMost: 200,
  /** Open event streams of a person, and tickets that wait for one; the oldest makes room. */
  eventStreamsMost: 10,
  /** Seconds a ticket for the event stream lives. */
  eventTicketSeconds: 60,
  /** Browsers of a person that push messages wake. */
  pushDevicesMost: 10,
  /** Seconds for which a push message is tried and a push service keeps it: as long as what it is about lives. */
  pushLifetimeSeconds: 300,
  /** Seconds between two signs of life on a quiet event stream. */
  eventStreamBeatSeconds: 25,
  /** Rows that one call re-encrypts under a new key. */
  keyRotationBatchMost: 10_000,
  /** A share code that an operator gives a person; generated codes have six of these characters. */
  customShareCode: '^[A-Z0-9]{3,20}$',
  customShareCodesMost: 5,
  /** A parked event is kept this long (wire 6.5). */
  webhookRetentionMs: 7 * 24 * 60 * 60 * 1000,
  serviceShareCode: '^[A-Z0-9]{1,8}$',
  /**
   * A name or label: no control character, line or paragraph separator, lone surrogate or explicit bidirectional control,
   * and at least one character that is seen (U+2800 is the blank of braille).
   */
  shownText: `^${SHOWN_TEXT}`,
  /**
   * The name of a company, person, service, client or app: a `shownText` that is not the platform's own name, and in which nothing is
   * hidden that makes two names look alike (soft hyphen, zero-width space, word joiner, fillers of Hangul). Joiners that scripts and emoji need are taken.
   */
  displayName: `^(?!${OWN_NAME}$)(?!.*[\\u00AD\\u200B\\u2060\\uFEFF${UNSEEN}])${SHOWN_TEXT}`,
  /** In XML `item` is what an entry of a list is called: an answer of that name would read as a list. */
  slug: '^(?!item$)[a-z][a-z0-9_]{0,39}$',
  /** The ciphertext of an inline value, in base64 characters: 48 KiB of text. What is larger is a file. */
  wrapperTextMost: 65_536,
  /** All answers of one connection together, as they are stored. */
  connectionBytesMost: 1024 * 1024,
  /** All values of a company's profile together. */
  profileBytesMost: 256 * 1024,
  /** A page of values ends early above this, and so does a drain; the rest comes with the next one. */
  pageBytesMost: 1024 * 1024,
  drainBytesMost: 4 * 1024 * 1024,
} as const;

/** Requests a minute for each class of route (wire 8). */
export const defaultRateLimits = {
  /** Clients that poll take a token for each poll, and some receivers one for each delivery. */
  token: 240,
  /** Codes of sign-ins that one app exchanges, from whatever address: a refusal ends a login for good. */
  exchanges: 600,
  changes: 600,
  /** Receivers fetch request fields and field types with every delivery. */
  fields: 600,
  reference: 120,
  connections: 60,
  registration: 10,
  /** Of one challenge: apart from the client's other calls, for clients end a login for good on a 429 here. */
  polls: 180,
  /** Polls for states of detached sign-ins that are not open: for an address, and for an app. */
  unopened: 6000,
  /** Openings of the consent page. */
  consent: 60,
  /** Calls of the plugins of one company, by all who fill its forms together. */
  plugins: 6000,
  /** PDFs of flows that one company stores: each takes a process seconds to read. A package of them counts once. */
  templates: 30,
  /** Pages for people and what they load, and health: a visit takes dozens, and many people share an address. */
  pages: 6000,
  default: 300,
  /** Calls that fail before anybody is known: bad tokens, unknown addresses. */
  failures: 300,
} as const;
export type RateLimitClass = keyof typeof defaultRateLimits;
