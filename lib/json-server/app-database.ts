/** A record, or a state, as `app.db` has it: whoever knows more says so by a type of their own. */
type AppRecord = Record<string, unknown>

/** Which records are meant: fields with their values, or a function that says so of each. */
type Which = object | ((record: AppRecord) => unknown)

/** What lodash has found in the data: nothing happens until its `value` or `write` is called. */
export interface AppDatabaseChain {
  /** Gives what was found, or what the last function returned. */
  value<Value = unknown>(): Value
  /** Does the same, and saves the data. */
  write(): Promise<unknown>

  get(path: string): AppDatabaseChain
  has(path: string): AppDatabaseChain
  set(path: string, value: unknown): AppDatabaseChain
  unset(path: string): AppDatabaseChain
  update(path: string, change: (value: unknown) => unknown): AppDatabaseChain
  assign(fields: object): AppDatabaseChain
  merge(fields: object): AppDatabaseChain
  defaults(fields: object): AppDatabaseChain
  keys(): AppDatabaseChain
  pick(names: readonly string[]): AppDatabaseChain
  omit(names: readonly string[]): AppDatabaseChain
  cloneDeep(): AppDatabaseChain

  find(which: Which): AppDatabaseChain
  findIndex(which: Which): AppDatabaseChain
  filter(which: Which): AppDatabaseChain
  reject(which: Which): AppDatabaseChain
  remove(which: Which): AppDatabaseChain
  some(which: Which): AppDatabaseChain
  every(which: Which): AppDatabaseChain
  map(make: string | ((record: AppRecord) => unknown)): AppDatabaseChain
  sortBy(fields: string | readonly string[]): AppDatabaseChain
  orderBy(fields: readonly string[], directions: ReadonlyArray<'asc' | 'desc'>): AppDatabaseChain
  first(): AppDatabaseChain
  last(): AppDatabaseChain
  take(count: number): AppDatabaseChain
  slice(start: number, end?: number): AppDatabaseChain
  size(): AppDatabaseChain
  push(...records: readonly unknown[]): AppDatabaseChain
  concat(records: unknown): AppDatabaseChain

  /** Those of lodash-id, which find a record by its id, and give one an id. */
  getById(id: unknown): AppDatabaseChain
  insert(record: object): AppDatabaseChain
  upsert(record: object): AppDatabaseChain
  updateById(id: unknown, fields: object): AppDatabaseChain
  updateWhere(which: Which, fields: object): AppDatabaseChain
  replaceById(id: unknown, record: object): AppDatabaseChain
  removeById(id: unknown): AppDatabaseChain
  removeWhere(which: Which): AppDatabaseChain
}

/** json-server's database, which a middleware has as `req.app.db`. */
export interface AppDatabase extends Omit<AppDatabaseChain, 'write'> {
  getState<State = AppRecord>(): State
  /** Replaces the whole state, at once. */
  setState(state: object): AppDatabase
  /** Loads what others have written to the data. */
  read(): Promise<AppDatabase>
  /** Saves what was changed in place. A function of one's own in its place saves in its own way. */
  write(value?: unknown): unknown
  /** Its own copy of lodash. */
  readonly _: {
    /** Makes the id of a new record. */
    createId(collection: readonly unknown[], record?: object): unknown
    mixin(functions: object): void
  }
}

declare global {
  namespace Express {
    interface Application {
      /** The data, for middlewares of `createApp` and of the command line. */
      db: AppDatabase
    }
  }
}
