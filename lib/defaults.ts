/** What a server does unless it is told otherwise: for `createApp`, and for the command line's help and banner. */
export const DEFAULTS = {
  /** The publicly readable collection. */
  publicCollection: 'blogs',
  /** Seconds that a token lasts (blog-and-user-mock-service, Limits). */
  tokenLifetime: 3600,
  /** Name of the id property. */
  idProperty: 'id',
  /** What ends the name of a foreign key. */
  foreignKeySuffix: 'Id',
} as const
