/** What the plan assumes. Change a figure and run `npm run bench plan`: nothing else knows them. */
export const INPUTS = {
  /** What a person does in a day, on average; each act is one of the measured costs. */
  habits: {
    edit: 0.1,
    connect: 0.02,
    'sign-in': 0.3,
    'challenge round': 0.1,
    message: 0.2,
    document: 0.02,
    'run of a flow': 0.01,
  },
  connectionsOfPerson: 5,
  /** Of a service; what changes reaches it once, by webhook or by feed. */
  peopleOfCompany: 1_000,
  /** What the backend of a company does in a day: a drain every minute, a token an hour, some look-ups, one full list a week. */
  backend: { drain: 1_440, token: 24, whoami: 100, 'list of documents': 50 },
  pageOfList: 100,
  fullListsADay: 1 / 7,
  /** The busiest minute, by the mean. */
  peak: 4,
  /** Of a core or of a resource, at the peak. */
  usable: 0.6,
  /** What one PostgreSQL server is taken to be able to do. */
  primary: { cores: 64, transactionsPerSecond: 20_000, walMbPerSecond: 200, diskTb: 30 },
  /** Copies of the database: a primary and two replicas. */
  copies: 3,
  /** Microseconds of a front door for a call that it sends on. */
  frontDoorCpu: 300,
  /** Part of the calls that find their region only by the front door: tokens, and a person's first call. */
  throughFrontDoor: 0.1,
  /** A month, in a currency of one's own. */
  prices: { platformCore: 15, databaseCore: 30, diskGb: 0.1, backupGb: 0.02, trafficGb: 0.02 },
  /** Bytes on the wire of an act, both ways. */
  wireBytes: 6_000,
} as const;
