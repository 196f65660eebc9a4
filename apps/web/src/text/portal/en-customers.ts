/** What the portal says of customers. */
export const enCustomers = {
  'customers.title': 'Customers',
  'customers.lead': 'Who is connected to a service, the latest first.',
  'customers.service': 'Service',
  'customers.search': 'Search by name or code',
  'customers.name': 'Name',
  'customers.kind': 'Kind',
  'customers.kind.person': 'Person',
  'customers.kind.company': 'Company',
  'customers.code': 'Code',
  'customers.since': 'Connected',
  'customers.none': 'No customers yet',
  'customers.none.text': 'People connect with the code of the service. It stands on its page Code and QR.',
  'customers.none.found': 'Nothing found',
  'customers.none.found.text': 'No name holds these words, and no code begins with them.',
  'customers.all': 'All customers',
  'customer.answers': 'What is shared',
  'customer.table': 'Questions and answers',
  'customer.asked': 'Question',
  'customer.answer': 'Answer',
  'customer.changed': 'Changed',
  'customer.unanswered': 'Not answered',
  'customer.expired': 'A file that has expired',
  'customer.file': 'A file; a data client reads it',
  'customer.sealed': 'Sealed',
  'customer.otherKey': 'Sealed to another key of the service',
  'customer.verified': 'Verified',
  'customer.none': 'The service asks for nothing',
  'customer.none.text': 'Add questions on its page What it asks.',
  'customer.key': 'Open answers and messages',
  'customer.lock': 'Lock again',
  'customer.messages': 'Messages',
  'customer.messages.lead':
    'Sealed to {customer} and to the key of the service. Your colleagues and the backend read the same thread.',
  'customer.messages.empty':
    'What you write here goes to {customer}. The backend of the service reads it too.',
  'error.messages.messaging_not_entitled':
    'Messages need the level pro. Your message was not sent; ask the operator for the level.',
  'error.messages.messaging_suspended':
    'The operator has suspended the messages of your company. Your message was not sent.',
  'error.messages.not_connected': 'This customer is not connected any more. Your message was not sent.',
  'error.messages.rate_limited':
    'Many messages were sent to this customer within an hour. Send this one again later.',
  'error.company_data.connection_not_found': 'This customer is not connected any more.',
  'error.sdk.person_key_changed':
    'The platform names another key for this customer than this browser used before. Nothing was sent: ask your operator why.',
  'error.page.former_service_key':
    'The file that you opened is a former key of the service. Nothing was sent: lock it, and open the current key.',
} as const;
