/**
 * The defaults of `createApp` and the exported middlewares, which the command line names in its help.
 */
export const DEFAULTS = {
  /** The publicly readable collection. */
  publicCollection: 'blogs',
  /** Seconds that a token lasts (docs/promises.md, Tokens). */
  tokenLifetime: 3600,
  /** The collection whose records log in. */
  loginUsers: 'users',
  /** Name of the id property. */
  idProperty: 'id',
  /** What ends the name of a foreign key. */
  foreignKeySuffix: 'Id',
} as const
