/** Compiled by `tsc`, never run: which arguments the exports of server.ts take, and which they do not. */
import type { RequestHandler } from 'express'
import {
  type AppOptions,
  bearerToken,
  type Claims,
  createApp,
  type Data,
  DataFile,
  DataSource,
  type DataStorage,
  errorHandler,
  HttpError,
  type Listening,
  listen,
  login,
  MemoryData,
  publicReads,
  rewriter,
  signingKey,
  userLookup,
} from '../../server'

/** The two functions of a source of one's own, and when it is looked at. */
export function ownSource(kept: Data): DataSource {
  const storage: DataStorage = {
    load: async (saved) => (kept === saved ? undefined : kept),
    save: async (state) => {
      kept = state
    },
    watch: (look) => process.on('SIGHUP', look),
  }
  return new DataSource(kept, storage, { name: 'The notes', lookEvery: 100 })
}

export async function rightUses(source: DataSource): Promise<Listening> {
  const key = signingKey('a secret')
  const handlers: RequestHandler[] = [
    login({ key, users: () => [], lifetime: 60, clock: () => 0 }),
    login({ key: 'a secret', users: () => [{ email: 'me', password: 'secret' }] }),
    bearerToken({ key }),
    bearerToken({ key: 'a secret', clock: Date.now }),
    publicReads({
      source: { records: () => [], find: () => undefined, loaded: () => [] },
    }),
    rewriter({ '/api/*': '/$1' }),
    rewriter(() => ({})),
    userLookup(),
    userLookup({ users: [{ name: 'Ada', age: 36 }] }),
    (request, _response, next) => {
      const claims: Claims | undefined = request.auth
      const expiry: number | undefined = claims?.exp
      next(expiry === undefined ? new HttpError({ status: 418, message: 'No expiry.' }) : undefined)
    },
  ]
  const options: AppOptions = { data: source, publicCollection: false, middlewares: handlers }
  createApp({
    data: DataFile.open('db.json', { warn: console.warn }),
    secret: 'a secret',
    tokenLifetime: 10,
    readOnly: true,
  })
  new MemoryData({ posts: [] }).replace({ posts: [{ id: 1 }] })
  return listen(createApp(options).use(errorHandler()), { port: 0, host: 'localhost' })
}

export function wrongUses(claims: Claims): void {
  // @ts-expect-error There is no app without data.
  createApp({})
  // @ts-expect-error The data is not a path: a path goes into a DataFile.
  createApp({ data: 'db.json' })
  // @ts-expect-error A data file is opened: DataFile.open('db.json').
  createApp({ data: new DataFile('db.json') })
  // @ts-expect-error What is committed is a state.
  new MemoryData({}).commit()
  // @ts-expect-error A lifetime is a number of seconds.
  createApp({ data: {}, tokenLifetime: '1h' })
  // @ts-expect-error A collection has a name; there is none of the name true.
  createApp({ data: {}, publicCollection: true })
  // @ts-expect-error No such option.
  createApp({ data: {}, colour: 'red' })
  // @ts-expect-error A rule leads to a path.
  createApp({ data: {}, routes: { '/api/*': 1 } })
  // @ts-expect-error Both need the same key, so it must be given.
  login({ users: () => [] })
  // @ts-expect-error The users are looked up at each login.
  login({ key: 'a secret', users: [] })
  // @ts-expect-error The users are there at once: a promise of them would let nobody log in.
  login({ key: 'a secret', users: async () => [] })
  // @ts-expect-error The key must be given.
  bearerToken({})
  // @ts-expect-error An unset environment variable is not a key.
  bearerToken({ key: process.env.JWT_SECRET })
  // @ts-expect-error The age of a user is a number.
  userLookup({ users: [{ name: 'Ada', age: '36' }] })
  // @ts-expect-error What is public must be given.
  publicReads({ collection: 'posts' })
  // @ts-expect-error An error has a status.
  new HttpError('Not found')
  // @ts-expect-error A port is needed.
  listen(createApp({ data: {} }), { host: 'localhost' })
  // @ts-expect-error An expiry is a number.
  const expiry: string = claims.exp
  rewriter({ '/expiry': expiry })
}
