/** What waits, and with whom the person shares. */
export const enConnections = {
  'me.home.waits': 'Waiting for you',
  'me.home.nothing': 'Nothing waits for you',
  'me.home.nothing.text': 'What services ask, send or write appears here by itself.',
  'waiting.approval': '{company} asks whether a login is yours',
  'waiting.message.one': '{count} unread message from {company}',
  'waiting.message.other': '{count} unread messages from {company}',
  'waiting.sign': '{company} asks you to sign {name}',
  'waiting.accept': '{company} asks you to accept {name}',
  'waiting.request': '{company} asks to connect with you',
  'waiting.consent': '{company} asks for more of your data',

  'connections.lead': 'What you share, and with whom. You change or end it here.',
  'connections.none': 'You are not connected to a service yet',
  'connections.none.text':
    'Give a company your share code, or follow its link. You see what it asks for before you connect.',
  'connections.search': 'Search by company or service',
  'connections.notFound': 'No connection has “{query}” in its name.',
  'connections.asksMore': 'Asks for more',
  'connections.nothing': 'You share nothing here.',
  'connections.asks': '{company} asks for more',
  'connections.asks.text': 'It has asked for this since you connected. You may decline.',
  'connections.provide.one': 'Share 1 answer with {company}',
  'connections.provide.other': 'Share {count} answers with {company}',
  'connections.provide.none': 'Share nothing of this',
  'connections.yours': 'What you share with {company}',
  'connections.kind.live': 'live',
  'connections.kind.once': 'once',
  'connections.kind.none': 'not shared',
  'connections.live.text': 'It follows “{field}”. Changed here',
  'connections.once.text': 'Given as it was then, from “{field}”. Sent',
  'connections.once.was':
    'It was from “{field}” ({type}), which has changed since. Only {company} can open what was sent. Sent',
  'connections.typed.text': 'You typed it ({type}). Only {company} can open what was sent. Sent',
  'connections.must':
    '{company} needs this as long as you are connected. You can change it, not take it away.',
  'connections.change': 'Change {label}',
  'connections.stop': 'Stop sharing {label}',
  'connections.shareToo': 'Share {label}',
  'connections.theirs': 'What {company} shows you',
  'connections.ended': 'You are no longer connected with {company}',
  'connections.ended.text':
    '{company} is told. What you signed or accepted stays under Documents until you delete it.',

  'disconnect.title': 'End this connection',
  'disconnect.lead': 'At once. {company} is told.',
  'disconnect.open': 'End the connection with {company}',
  'disconnect.answers':
    'Your answers are taken away here, and {company} gets no later ones. What it has read already, it may have kept.',
  'disconnect.messages': 'All messages between {company} and you are deleted.',
  'disconnect.documents':
    'Documents that you signed or accepted stay with you. All others of this service are gone.',
  'disconnect.contracts':
    'A contract that is in force keeps the connection: cancel it first, and wait until it has ended.',
  'disconnect.again': 'You may connect again later. What was deleted does not come back.',
  'disconnect.confirm': 'End the connection with {company}',
  'error.company_connections.active_contract':
    'A contract between you is in force, so the connection stays. Cancel the contract under Documents first; when it has ended, you can end the connection.',
  'error.consents.not_found': 'This was answered already. Load the page again.',
} as const;
